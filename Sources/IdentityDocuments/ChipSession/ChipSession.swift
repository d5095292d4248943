/// Reads one chip (ICAO Doc 9303-10 and 9303-11): opens it by PACE or basic access control, reads its files under
/// secure messaging, and lets it prove that it is not a copy. Not thread-safe.
///
/// ```swift
/// let session = ChipSession(transport)
/// guard case .opened = try session.open(with: ChipPassword(zone)) else { … }
/// let chip = ChipReading(try session.read(), trust: trust, date: date)
/// print(chip.authentication.verdict, chip.proof?.verdict)
/// ```
///
/// EF.DG3 and EF.DG4, fingerprints and irises, require terminal authentication with a state's certificates, and are not
/// read.
public final class ChipSession {
  private let channel: ChipChannel
  private let reader: ChipFileReader
  /// Replaced in tests by the values of worked examples.
  var randomness = ChipRandomness()
  private var files = ChipFiles()
  private var state = State.closed
  private var wasCardAccessRead = false
  /// Whether a card access number was refused: the next one must be confirmed.
  private var wasNumberRefused = false
  private var mapping: ChipAuthenticationMapping?
  private var paceInfo: SecurityInfo?

  private enum State {
    case closed
    case open(ChipPassword?, name: String)
  }

  /// - Parameter budget: the deadline and cancellation of everything that the session does.
  public init(_ transport: any ChipTransport, budget: Budget = .unlimited) {
    channel = ChipChannel(transport, budget: budget)
    reader = ChipFileReader(channel: channel)
  }

  // MARK: Access control

  /// Opens the chip (9303-11, 4.2): by PACE if EF.CardAccess announces a supported variant, otherwise by basic access
  /// control. A wrong password is a result, and is never tried twice.
  ///
  /// - Parameters:
  ///   - password: nil for a chip without access control.
  ///   - isConfirmed: whether the person confirmed this attempt, after
  ///     ``ChipAccess/confirmationNeeded(attemptsLeft:)``.
  /// - Throws: the transport's error; ``VerifyError/Code/badArgument`` if the chip needs another kind of password;
  ///   ``VerifyError/Code/unreadable``, ``VerifyError/Code/damaged``, or an error of the budget.
  public func open(with password: ChipPassword?, isConfirmed: Bool = false) throws -> ChipAccess {
    if password?.kind == .can, wasNumberRefused, !isConfirmed { return .confirmationNeeded(attemptsLeft: nil) }
    (state, mapping, paceInfo) = (.closed, nil, nil)
    channel.reset()
    try reader.selectMasterFile()
    try readCardAccess()
    guard let password else {
      try selectApplication()
      state = .open(nil, name: "none")
      return .opened("none")
    }
    let infos = try files[.cardAccess].map { try SecurityInfos($0).infos } ?? []
    guard var variant = ChipPACE.Variant.preferred(of: infos) else { return try openByBAC(password, infos) }
    var rest = infos
    while true {
      let isAmbiguous = infos.count { $0.objectIdentifier == variant.info.objectIdentifier } > 1
      let outcome = try ChipPACE(channel: channel, randomness: randomness).open(
        variant, password, isAmbiguous: isAmbiguous, mayUseLastAttempt: isConfirmed)
      switch outcome {
      case .attemptsRunOut(let left): return .confirmationNeeded(attemptsLeft: left)
      case .passwordRefused(let status): return refused(password, status)
      case .notStarted(let status):
        // Any announced variant may be selected (4.2), but a copy must not evade the mapping that proves its chip, and
        // basic access control is for chips that announce no PACE.
        rest.removeAll { $0 == variant.info }
        guard variant.mapping != .chipAuthentication, let next = ChipPACE.Variant.preferred(of: rest) else {
          throw VerifyError(.unreadable, "the chip does not start \(variant.info.name): status \(status)")
        }
        variant = next
      case .opened(let mapping):
        (self.mapping, paceInfo) = (mapping, variant.info)
        wasNumberRefused = false
        do { try readCardSecurity() } catch  where channel.mayReadAgain {
          return try open(with: password, isConfirmed: true)
        }
        try selectApplication()
        state = .open(password, name: variant.info.name)
        return .opened(variant.info.name)
      }
    }
  }

  private func openByBAC(_ password: ChipPassword, _ infos: [SecurityInfo]) throws -> ChipAccess {
    guard password.kind == .mrz else {
      throw VerifyError(
        .badArgument, "the chip has no variant of PACE that is known; give the zone in place of the number")
    }
    try selectApplication()
    if let status = try ChipBAC(channel: channel, randomness: randomness).open(password) {
      return refused(password, status)
    }
    state = .open(password, name: "BAC")
    return .opened("BAC")
  }

  private func refused(_ password: ChipPassword, _ status: ChipStatus) -> ChipAccess {
    if password.kind == .can { wasNumberRefused = true }
    return .passwordRefused(attemptsLeft: status.attemptsLeft)
  }

  /// EF.CardAccess and EF.ATR/INFO are readable before access control (9303-10, 3.11).
  private func readCardAccess() throws {
    guard !wasCardAccessRead else { return }
    let information = try optional {
      try reader.read(ElementaryFile.answerToReset, name: "EF.ATR/INFO", tag: nil)
    }
    if let capabilities = information {
      channel.readCapabilities(capabilities)
    }
    if let access = try optional({ try read(.cardAccess) }) { try files.add(access, name: "EF.CardAccess") }
    wasCardAccessRead = true
  }

  /// EF.CardSecurity is readable after PACE (9303-10, 3.11.3).
  private func readCardSecurity() throws {
    guard files[.cardSecurity] == nil, let security = try optional({ try read(.cardSecurity) }) else { return }
    try files.add(security, name: "EF.CardSecurity")
  }

  /// Returns nil if a file that may be absent cannot be read, for any reason but a broken connection.
  private func optional(_ body: () throws -> [UInt8]?) throws -> [UInt8]? {
    do { return try body() } catch {
      guard error is VerifyError, !channel.isBroken else { throw error }
      return nil
    }
  }

  private func selectApplication() throws {
    let status = try reader.selectApplication()
    guard status == .success else {
      throw VerifyError(.unreadable, "the chip has no application of a travel document: status \(status)")
    }
  }

  private func read(_ file: ElementaryFile, progress: (Double) -> Void = { _ in }) throws -> [UInt8]? {
    guard let (identifier, tag) = file.address else { return nil }
    return try reader.read(identifier, name: file.rawValue, tag: tag, progress: progress)
  }

  // MARK: Files and proofs

  /// Reads the files of an opened chip, EF.DG3 and EF.DG4 excepted, and performs chip authentication and active
  /// authentication if the chip has their keys. What was read before an error is returned, with the error in
  /// ``LiveChip/interruption``.
  ///
  /// - Parameter progress: called with each file and the fraction of it that was read, 0...1.
  /// - Returns: the files, with ``ChipFiles/live``.
  /// - Throws: ``VerifyError/Code/wrongState`` if the chip is not open, or an error of the budget.
  public func read(progress: (ElementaryFile, Double) -> Void = { _, _ in }) throws -> ChipFiles {
    guard case .open(_, let name) = state else { throw VerifyError(.wrongState, "open the chip before reading it") }
    var chip = LiveChip(access: name, paceInfo: paceInfo, chipAuthenticationMappings: mapping.map { [$0] } ?? [])
    do {
      try readAll(into: &chip, progress)
    } catch let error as VerifyError {
      guard !error.endsCall else { throw error }
      chip.interruption = error
    } catch {
      chip.interruption = VerifyError(.unreadable, "the connection to the chip failed: \(error)")
    }
    (chip.transcriptSHA256, chip.commandCount) = (hexadecimal(channel.transcript), channel.commandCount)
    var files = files
    files.live = chip
    return files
  }

  private func readAll(into chip: inout LiveChip, _ progress: (ElementaryFile, Double) -> Void) throws {
    for file in [ElementaryFile.common, .documentSecurity] { try add(file, to: &chip, progress) }
    let common = try? files[.common].map(EFCommon.init)
    let signed = (try? files[.documentSecurity].map(DocumentSecurityObject.init))?.content.hashes.keys
    let listed = Set(common?.dataGroups ?? []).union(signed.map(Array.init) ?? [])
    // 1, 2 and the keys first: they decide most.
    let groups = [14, 1, 2, 15].filter(listed.contains) + listed.subtracting([1, 2, 14, 15]).sorted()
    for number in groups where (1...16).contains(number) && ![3, 4].contains(number) {
      try add(.dataGroup(number), to: &chip, progress)
      if number == 14 { try authenticateChip(&chip) }
      if number == 15 { try authenticateActively(&chip) }
    }
  }

  private func add(
    _ file: ElementaryFile, to chip: inout LiveChip, _ progress: (ElementaryFile, Double) -> Void
  ) throws {
    while true {
      do { return try addOnce(file, progress) } catch let error as VerifyError {
        if !channel.isBroken { chip.unread[file] = error }
        guard channel.isBroken else { return }
        guard channel.mayReadAgain else { throw error }
        try reopen(&chip, after: error)
      }
    }
  }

  private func addOnce(_ file: ElementaryFile, _ progress: (ElementaryFile, Double) -> Void) throws {
    guard let bytes = try read(file, progress: { progress(file, $0) }) else {
      throw VerifyError(.unreadable, "the chip has no \(file)")
    }
    try files.add(bytes, name: file.rawValue)
  }

  /// Opens the chip again with the password that it accepted before.
  private func reopen(_ chip: inout LiveChip, after cause: any Error) throws {
    guard case .open(let password, _) = state else { throw cause }
    if let error = cause as? VerifyError, error.endsCall { throw cause }
    do {
      guard case .opened = try open(with: password, isConfirmed: true) else { throw cause }
    } catch let error as VerifyError where !error.endsCall { throw cause }
    if let mapping { chip.chipAuthenticationMappings.append(mapping) }
  }

  private func authenticateChip(_ chip: inout LiveChip) throws {
    guard let bytes = files[.dataGroup(14)], let infos = try? SecurityInfos(bytes).infos, channel.messaging != nil,
      let variant = ChipAuthentication.Variant.preferred(of: infos)
    else { return }
    let result = try ChipAuthentication.perform(variant, channel, randomness) {
      // Any command under the new keys: EF.COM exists on every chip.
      _ = try reader.select(0x011E)
    }
    chip.chipAuthentication = result
    if channel.isBroken { try reopen(&chip, after: VerifyError(.damaged, result.text)) }
  }

  private func authenticateActively(_ chip: inout LiveChip) throws {
    guard let bytes = files[.dataGroup(15)], let key = try? DataGroup15(bytes).publicKey else { return }
    let (short, extended) = (ChipCommand.largestShortResponse, ChipCommand.largestExtended)
    let capacity = channel.messaging?.capacity(of: short) ?? short
    let size = (key.bits + 7) / 8 * (key.algorithm == "RSA" ? 1 : 2)
    // Some chips accept no length but the signature's. A longer one does not fit a short response: chips refuse, cut it,
    // or return nothing.
    var lengths = size > capacity ? [extended, short] : [short, size]
    if size > capacity, channel.hasExtendedLength != true { lengths.reverse() }
    if channel.hasExtendedLength == false { lengths.removeAll { $0 == extended } }
    let cause = VerifyError(.damaged, "the chip ended secure messaging in active authentication")
    for length in lengths {
      if channel.isBroken { try reopen(&chip, after: cause) }
      if length == extended { channel.hasExtendedLength = true }
      let result = try ActiveAuthentication.perform(channel, randomness, expected: length)
      if length == extended, result.signature.isEmpty { channel.hasExtendedLength = false }
      let isProof = result.verify(dataGroup15: bytes, dataGroup14: nil).status != .failed
      if isProof || result.signature.count > chip.activeAuthentication?.signature.count ?? -1 {
        chip.activeAuthentication = result
      }
      if isProof { break }
    }
    // A signature that was cut neither proves nor refutes anything: the protocol was not performed.
    if let count = chip.activeAuthentication?.signature.count, count < size, capacity...short ~= count {
      chip.activeAuthentication = nil
    }
    if channel.isBroken { try reopen(&chip, after: cause) }
  }
}
