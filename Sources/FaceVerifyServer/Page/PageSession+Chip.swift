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
  /// Starts to read the chip on the server's reader. The part is paused meanwhile, and captured at the end.
  ///
  /// - Parameters:
  ///   - number: the card access number that the person typed; nil for the zone of the page that was taken before.
  ///   - isConfirmed: whether the person confirmed another attempt with a zone or number that the chip refused.
  /// - Throws: ``Problem``, with the current view.
  func readChip(number: String? = nil, isConfirmed: Bool) throws -> JSONValue {
    try answer { try startReading(number, isConfirmed) }
  }

  private func startReading(_ number: String?, _ isConfirmed: Bool) throws {
    let before = page.read(\.self)
    guard !before.isOver else { throw Problem.ended }
    guard let terminal = server.terminal else {
      throw Problem(404, "This server reads no chips: start it with --reader, or send the chip's files.")
    }
    guard before.takesChip else { throw LogicalError.deadScanPart }
    guard before.chip.reading == nil else {
      throw Problem(409, "The chip is being read: wait for the end, or stop the reading with DELETE.")
    }
    let password = try password(number, isConfirmed, before)
    // The time limit of the part is for sending files.
    if before.snapshot.state == .scanning { try make(.pause) }
    let mayUseLastAttempt = isConfirmed && before.chip.failure?.fault == .confirmationNeeded
    try page.withLock { page in
      page.chip.failure = nil
      page.chip.reading = terminal.read(with: password, isConfirmed: mayUseLastAttempt) { [self] reading, outcome in
        turns.take { [self] in
          defer { turns.give() }
          ended(reading, number, outcome)
        }
      }
      guard page.chip.reading == nil else { return }
      let detail = "The reader is in use by another page: try again when that has ended."
      page.chip.failure = ChipTerminal.Failure(fault: .busy, detail: detail)
      throw Problem(409, detail)
    }
  }

  private func password(_ number: String?, _ isConfirmed: Bool, _ page: PageState) throws -> ChipPassword {
    if let number {
      guard number.utf8.count == 6, number.utf8.allSatisfy({ (48...57).contains($0) }) else {
        throw Problem(400, "cardAccessNumber must have six digits.")
      }
      guard isConfirmed || number != page.chip.refusedNumber else {
        throw Problem(409, "The chip refused this number: compare it with the card, then set isConfirmed.")
      }
      return try ChipPassword(cardAccessNumber: number)
    }
    guard let zone = page.snapshot.zone else {
      throw Problem(
        409,
        "The zone that opens the chip is missing: take the page with the machine-readable zone first, or give the "
          + "cardAccessNumber.")
    }
    guard isConfirmed || page.chip.refusedZone != zone else {
      throw Problem(409, "The chip refused this zone: compare document and page, then set isConfirmed.")
    }
    return try ChipPassword(checked: zone)
  }

  /// Stops the reading, if there is one; the view shows when it has ended.
  func stopReading() -> JSONValue {
    page.read(\.chip.reading)?.stop()
    return view()
  }

  private func ended(_ reading: ChipTerminal.Reading, _ number: String?, _ outcome: ChipTerminal.Outcome) {
    // The part, or the session, may have ended before.
    guard page.read({ $0.chip.reading === reading }) else { return }
    var fault: ChipTerminal.Failure?
    switch outcome {
    case .read(let files):
      report("read")
      do {
        if state == .paused { try make(.resume) }
        try make(.attachChip(files))
      } catch {
        fault = ChipTerminal.Failure(fault: .unreadable, detail: Problem.of(error).detail)
      }
    case .failed(var failure):
      if number != nil, failure.fault == .passwordRefused {
        failure.fault = .numberRefused
        failure.detail = "the chip refused the number; compare it with the front of the card"
      }
      report(failure.fault.rawValue)
      fault = failure
    case .stopped: report("stopped")
    }
    page.withLock { page in
      // After a part that has ended, nothing is shown.
      guard page.chip.reading === reading else { return }
      (page.chip.reading, page.chip.failure) = (nil, fault)
      guard let fault, [.passwordRefused, .numberRefused, .confirmationNeeded].contains(fault.fault) else { return }
      if number == nil { page.chip.refusedZone = page.snapshot.zone } else { page.chip.refusedNumber = number }
    }
  }

  private func report(_ outcome: String) {
    server.audit("chip-reading", ["outcome": .string(outcome)])
    server.metrics.count("fv_chip_readings_total", "outcome=\"\(outcome)\"")
  }

  /// What the page shows of the server's reader; null without one.
  func reader(_ page: PageState) -> JSONValue {
    guard server.terminal != nil else { return .null }
    let (chip, zone) = (page.chip, page.snapshot.zone)
    let progress = chip.reading?.progress.read { $0 }
    return [
      "hasKey": .bool(zone.map { (try? ChipPassword(checked: $0)) != nil } ?? false),
      "state": progress.map { $0.hasCard ? "reading" : "waiting" } ?? "idle",
      "file": .optional(progress?.file?.rawValue), "fraction": .rounded(progress?.fraction ?? 0, 2),
      "fault": .optional(chip.failure?.fault.rawValue), "detail": .optional(chip.failure?.detail),
      "attemptsLeft": chip.failure?.attemptsLeft.map(JSONValue.integer) ?? .null,
      "mustConfirm": .bool(zone != nil && zone == chip.refusedZone),
    ]
  }
}
