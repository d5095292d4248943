/// The password printed on a document that opens its chip (ICAO Doc 9303-11, 4.2 and 9.7.3). Wiped when freed.
public struct ChipPassword: Sendable {
  enum Kind: UInt8, Sendable {
    // The password references of PACE (4.4.4.1).
    case mrz = 1
    case can
  }

  let kind: Kind
  /// For PACE: SHA-1 of the document number and dates, or the characters of the card access number (9.7.3).
  let secret: SecretBytes

  /// The document number and dates of a machine-readable zone, with its own check digits.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if the zone, as that of a visa, has none of these.
  public init(_ zone: MachineReadableZone) throws {
    func text(_ span: MRZSpan) -> String {
      let line = Array(zone.lines[span.line].utf8)
      return String(decoding: line[span.columns], as: UTF8.self)
    }
    guard let expiry = zone.layout.dateOfExpiry else {
      throw VerifyError(.badArgument, "the zone has no date of expiry, which a chip's password contains")
    }
    try self.init(
      documentNumber: zone.documentNumber, dateOfBirth: text(zone.layout.dateOfBirth), dateOfExpiry: text(expiry))
  }

  /// The text of a machine-readable zone, with or without line ends; or the three values of it that the password has,
  /// separated by commas: document number, date of birth and date of expiry, as in `L898902C3,740812,120415`.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if a check digit of these values is wrong, so that a misread zone costs
  ///   no attempt; what ``MachineReadableZone/init(_:on:)`` and the initialisers below throw.
  public init(mrz text: String) throws {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 3 {
      try self.init(documentNumber: parts[0], dateOfBirth: parts[1], dateOfExpiry: parts[2])
      return
    }
    // The day only determines centuries, which the password does not have.
    guard parts.count == 1, let day = CalendarDate(year: 2026, month: 1, day: 1) else {
      throw VerifyError(
        .badArgument,
        "give the lines of the zone, or document number, date of birth and date of expiry, as in "
          + "L898902C3,740812,120415")
    }
    try self.init(checked: MachineReadableZone(text, on: day))
  }

  /// The document number and dates of a machine-readable zone whose check digits of these are right.
  ///
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(checked zone: MachineReadableZone) throws {
    let names: [(MRZField, String)] = [
      (.documentNumber, "document number"), (.dateOfBirth, "date of birth"), (.dateOfExpiry, "date of expiry"),
    ]
    for (field, name) in names where zone.checkDigit(of: field)?.status == .failed {
      throw VerifyError(.badArgument, "the check digit of the \(name) is wrong: the zone was misread; read it again")
    }
    try self.init(zone)
  }

  /// - Parameters:
  ///   - documentNumber: as in the zone, complete if it continues in the optional data; trailing fillers may be
  ///     missing.
  ///   - dateOfBirth: six characters, YYMMDD; likewise the expiry. Unknown parts are fillers.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(documentNumber: String, dateOfBirth: String, dateOfExpiry: String) throws {
    func isZoneText(_ text: String) -> Bool {
      text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || $0 == MRZText.filler }
    }
    let number = documentNumber + String(repeating: "<", count: max(0, 9 - documentNumber.utf8.count))
    guard [documentNumber, dateOfBirth, dateOfExpiry].allSatisfy(isZoneText), !documentNumber.isEmpty,
      number.utf8.count <= 22, dateOfBirth.utf8.count == 6, dateOfExpiry.utf8.count == 6
    else {
      throw VerifyError(
        .badArgument, "give the document number and both dates as in the machine-readable zone, dates as YYMMDD")
    }
    // The number of a document, and then each date, are followed by their check digit (9.7.3).
    var information: [UInt8] = []
    defer { wipe(&information) }
    for part in [number, dateOfBirth, dateOfExpiry] {
      information += Array(part.utf8) + [UInt8(48 + MRZCheckDigit.value(of: part.utf8))]
    }
    guard var hash = DigestAlgorithm.hash(of: information, by: "SHA1") else { throw ChipCipher.failure }
    (kind, secret) = (.mrz, SecretBytes(moving: &hash))
  }

  /// - Parameter cardAccessNumber: the digits printed on the front.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(cardAccessNumber: String) throws {
    var digits = Array(cardAccessNumber.utf8)
    guard TLV.digits(digits) != nil, (4...16).contains(digits.count) else {
      throw VerifyError(.badArgument, "a card access number has only digits, usually six")
    }
    (kind, secret) = (.can, SecretBytes(moving: &digits))
  }
}

/// The result of opening a chip.
public enum ChipAccess: Sendable, Hashable {
  /// Opened by a protocol: a name of ``SecurityInfo``, such as `id-PACE-ECDH-GM-AES-CBC-CMAC-128`, or `BAC`.
  case opened(String)
  /// The password is wrong; nil if the chip does not state how many attempts are left.
  case passwordRefused(attemptsLeft: Int?)
  /// Nothing was tried: a wrong password would block the chip, or the previous card access number was wrong. Ask the
  /// person, and confirm the attempt.
  case confirmationNeeded(attemptsLeft: Int?)
}
