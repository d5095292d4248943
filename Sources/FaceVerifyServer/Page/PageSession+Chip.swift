internal import FaceVerifyBase
internal import FaceVerifyJourney

// The chip of the page's document, on the server's reader.

/// The step in which a chip is read at the server's reader.
struct ChipStep {
  var reading: ChipTerminal.Reading?
  /// Why the last reading failed; nil if it did not.
  var failure: ChipTerminal.Failure?
  /// The zone that the chip did not accept: it is tried again only if the person confirms it.
  var refusedZone: MachineReadableZone?
  /// The card access number that the chip did not accept, likewise; nil if the last one was accepted.
  var refusedNumber: String?
}

extension PageSession {
  /// Whether the active part takes the files of a chip.
  private var takesChip: Bool {
    [.scanning, .paused].contains(journey.state) && journey.progress.part?.mode == .chipFiles
  }

  private var mustConfirm: Bool { chip.refusedZone.map { $0 == journey.zone } ?? false }

  /// Starts to read the chip on the server's reader. The part is paused meanwhile, and captured at the end.
  ///
  /// - Parameters:
  ///   - number: the card access number that the person typed; nil for the zone of the page that was taken before.
  ///   - isConfirmed: whether the person confirmed another attempt with a zone or number that the chip refused.
  /// - Throws: ``Problem``, with the current view.
  func readChip(number: String? = nil, isConfirmed: Bool, at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      do { try startReading(number, isConfirmed, at: now) } catch { throw problem(error, at: now) }
      return view(at: now)
    }
  }

  private func startReading(_ number: String?, _ isConfirmed: Bool, at now: Double) throws {
    guard !isOver else { throw Problem.ended }
    guard let terminal = server.terminal else {
      throw Problem(404, "This server reads no chips: start it with --reader, or send the chip's files.")
    }
    guard takesChip else { throw LogicalError.deadScanPart }
    guard chip.reading == nil else {
      throw Problem(409, "The chip is being read: wait for the end, or stop the reading with DELETE.")
    }
    let password = try password(number, isConfirmed)
    // The time limit of the part is for sending files.
    if journey.state == .scanning { try make(.pause, at: now) }
    let mayUseLastAttempt = isConfirmed && chip.failure?.fault == .confirmationNeeded
    chip.failure = nil
    chip.reading = terminal.read(with: password, isConfirmed: mayUseLastAttempt) { [self] reading, outcome in
      ended(reading, number, outcome)
    }
    guard chip.reading != nil else {
      let detail = "The reader is in use by another page: try again when that has ended."
      chip.failure = ChipTerminal.Failure(fault: .busy, detail: detail)
      throw Problem(409, detail)
    }
  }

  private func password(_ number: String?, _ isConfirmed: Bool) throws -> ChipPassword {
    if let number {
      guard number.utf8.count == 6, number.utf8.allSatisfy({ (48...57).contains($0) }) else {
        throw Problem(400, "cardAccessNumber must have six digits.")
      }
      guard isConfirmed || number != chip.refusedNumber else {
        throw Problem(409, "The chip refused this number: compare it with the card, then set isConfirmed.")
      }
      return try ChipPassword(cardAccessNumber: number)
    }
    guard let zone = journey.zone else {
      throw Problem(
        409,
        "The zone that opens the chip is missing: take the page with the machine-readable zone first, or give the "
          + "cardAccessNumber.")
    }
    guard isConfirmed || !mustConfirm else {
      throw Problem(409, "The chip refused this zone: compare document and page, then set isConfirmed.")
    }
    return try ChipPassword(checked: zone)
  }

  /// Stops the reading, if there is one; the view shows when it has ended.
  func stopReading(at now: Double) -> JSONValue {
    lock.withLock { _ in
      chip.reading?.stop()
      return view(at: now)
    }
  }

  private func ended(_ reading: ChipTerminal.Reading, _ number: String?, _ outcome: ChipTerminal.Outcome) {
    lock.withLock { _ in
      // The part, or the session, may have ended before.
      guard chip.reading === reading else { return }
      chip.reading = nil
      do {
        switch outcome {
        case .read(let files):
          report("read")
          let now = wallClock()
          if journey.state == .paused { try make(.resume, at: now) }
          try make(.attachChip(files), at: now)
        case .failed(var failure):
          if number != nil, failure.fault == .passwordRefused {
            failure.fault = .numberRefused
            failure.detail = "the chip refused the number; compare it with the front of the card"
          }
          report(failure.fault.rawValue)
          chip.failure = failure
          guard [.passwordRefused, .numberRefused, .confirmationNeeded].contains(failure.fault) else { break }
          if number == nil { chip.refusedZone = journey.zone } else { chip.refusedNumber = number }
        case .stopped: report("stopped")
        }
      } catch {
        chip.failure = ChipTerminal.Failure(fault: .unreadable, detail: Problem.of(error).detail)
      }
    }
  }

  private func report(_ outcome: String) {
    server.audit("chip-reading", ["outcome": .string(outcome)])
    server.metrics.count("fv_chip_readings_total", "outcome=\"\(outcome)\"")
  }

  /// Stops a reading whose part is over.
  func followChip() {
    guard !takesChip else { return }
    chip.reading?.stop()
    (chip.reading, chip.failure, chip.refusedNumber) = (nil, nil, nil)
    if isFinished { chip.refusedZone = nil }
  }

  /// What the page shows of the server's reader; null without one.
  var reader: JSONValue {
    guard server.terminal != nil else { return .null }
    let progress = chip.reading?.progress.withLock { $0 }
    return [
      "hasKey": .bool(journey.zone.map { (try? ChipPassword(checked: $0)) != nil } ?? false),
      "state": progress.map { $0.hasCard ? "reading" : "waiting" } ?? "idle",
      "file": .optional(progress?.file?.rawValue), "fraction": .rounded(progress?.fraction ?? 0, 2),
      "fault": .optional(chip.failure?.fault.rawValue), "detail": .optional(chip.failure?.detail),
      "attemptsLeft": chip.failure?.attemptsLeft.map(JSONValue.integer) ?? .null, "mustConfirm": .bool(mustConfirm),
    ]
  }
}
