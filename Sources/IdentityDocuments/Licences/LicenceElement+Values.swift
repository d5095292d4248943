extension LicenceElement {
  /// Returns the problem with a printable value in a version of the standard; nil if there is none. Dates are not read.
  ///
  /// - Parameters:
  ///   - text: the value with its padding.
  ///   - isMexican: whether a jurisdiction of Mexico issued the card.
  func problem(with text: String, _ trimmed: String, version: Int, isMexican: Bool) -> DocumentReason? {
    if let wrong = illegal(trimmed, version, isMexican) { return wrong }
    guard let format else { return nil }
    if trimmed.unicodeScalars.count > format.length { return .valueTooLong }
    if !format.allows(trimmed) { return .invalidCharacters }
    let length = text.unicodeScalars.count
    return length > format.length || format.isFixed && length != format.length ? .paddingWrong : nil
  }

  private func illegal(_ value: String, _ version: Int, _ isMexican: Bool) -> DocumentReason? {
    let upper = value.uppercased()
    let unusual = DocumentReason.illegalValue
    func isNumber(_ text: some StringProtocol) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { 48...57 ~= $0 } && text.utf8.contains { $0 != 48 }
    }
    switch rule {
    case .text, .date, .birth, .issue, .expiry, .under18, .under19, .under21: return nil
    case .name: return id == "DAA" && !value.contains(",") ? .nameUndivided : nil
    case .sex:
      // ANSI D20; 9, not specified, since the edition of 2016.
      let known = version < 2 ? ["M", "F", "1", "2"] : version < 9 ? ["1", "2"] : ["1", "2", "9"]
      return known.contains(upper) ? nil : unusual
    case .eyes: return Self.eyes.contains(value) ? nil : unusual
    case .hair: return Self.hair.contains(upper) || Self.hairInWords.contains(upper) ? nil : unusual
    case .race: return Self.races.contains(upper) ? nil : unusual
    case .height:
      let number = value.prefix { $0.isNumber }
      let unit = value.dropFirst(number.count)
      // Feet and two digits of inches, "509".
      guard version >= 2 else {
        return unit.isEmpty && number.count == 3 && isNumber(number) && (Int(number.suffix(2)) ?? 99) < 12
          ? nil : unusual
      }
      return isNumber(number) && number.count <= 3 && [" in", " cm"].contains(String(unit)) ? nil : unusual
    case .pounds, .kilograms: return isNumber(value) && value.count <= 3 ? nil : unusual
    case .range: return value.count == 1 && value.utf8.allSatisfy { 48...57 ~= $0 } ? nil : unusual
    case .jurisdiction: return LicenceIssuer.addressCodes.contains(value) ? nil : .unknownCode
    case .country: return ["USA", "CAN"].contains(value) || value == "MEX" && isMexican ? nil : unusual
    case .postal: return isPostalCode(value) ? nil : unusual
    case .cut: return ["T", "N", "U"].contains(value) ? nil : unusual
    // Materially compliant was dropped by the edition of 2016.
    case .compliance: return (version < 9 ? ["M", "F", "N"] : ["F", "N"]).contains(value) ? nil : unusual
    // 1, or the element is absent.
    case .yes: return value == "1" ? nil : unusual
    case .suffix: return version < 2 || Self.suffixes.contains(upper) ? nil : unusual
    }
  }

  /// ANSI D20, as the standard adopts it.
  private static let eyes: Set = ["BLK", "BLU", "BRO", "GRY", "GRN", "HAZ", "MAR", "PNK", "DIC", "UNK"]
  private static let hair: Set = ["BAL", "BLK", "BLN", "BRO", "GRY", "RED", "SDY", "WHI", "UNK"]
  private static let hairInWords: Set = [
    "BALD", "BLACK", "BLONDE", "BLOND", "BROWN", "GRAY", "GREY", "RED/AUBURN", "SANDY", "WHITE", "UNKNOWN",
  ]
  private static let races: Set = ["AI", "AP", "BK", "H", "O", "U", "W"]
  /// Table D.4, name suffix.
  private static let suffixes: Set = [
    "JR", "SR", "1ST", "2ND", "3RD", "4TH", "5TH", "6TH", "7TH", "8TH", "9TH", "I", "II", "III", "IV", "V", "VI", "VII",
    "VIII", "IX",
  ]

  /// ZIP or ZIP+4 of the United States, or a Canadian code; any of them, because an address may be abroad.
  private func isPostalCode(_ value: String) -> Bool {
    let characters = value.utf8.filter { $0 != 32 && $0 != UInt8(ascii: "-") }
    if characters.allSatisfy({ 48...57 ~= $0 }) { return characters.count == 5 || characters.count == 9 }
    return characters.count == 6 && characters.enumerated().allSatisfy { $0 % 2 == 0 ? 65...90 ~= $1 : 48...57 ~= $1 }
  }
}
