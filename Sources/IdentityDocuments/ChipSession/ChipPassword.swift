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
