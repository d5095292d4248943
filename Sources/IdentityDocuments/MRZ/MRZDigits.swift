struct MRZDigits {
  /// One digit. The composite is written last, because it covers the others.
  private struct Place {
    let digit: MRZSpan?
    let covered: [UInt8]
    /// Another form that a right digit may cover.
    var other: [UInt8]?
    /// Whether the field may be empty, with a filler as its check digit.
    var mayBeAbsent = false
  }

  private static let fields: [MRZField] = [.documentNumber, .dateOfBirth, .dateOfExpiry, .optionalData, .composite]

  private static func place(_ field: MRZField, _ text: MRZText, _ layout: MRZLayout) -> Place {
    switch field {
    case .documentNumber:
      let number = MRZNumber(text, layout)
      return Place(digit: number.digit, covered: number.covered, other: number.coveredWithFiller)
    case .dateOfBirth:
      return Place(digit: layout.dateOfBirthDigit, covered: text[layout.dateOfBirth], mayBeAbsent: true)
    case .dateOfExpiry:
      return Place(
        digit: layout.dateOfExpiryDigit, covered: layout.dateOfExpiry.map { text[$0] } ?? [], mayBeAbsent: true)
    case .optionalData:
      return Place(digit: layout.optionalDataDigit, covered: text[layout.optionalData], mayBeAbsent: true)
    default: return Place(digit: layout.compositeDigit, covered: layout.composite.flatMap { text[$0] })
    }
  }

  static func judge(_ text: MRZText, _ layout: MRZLayout) -> [MRZCheckDigit] {
    fields.map { field in
      let place = place(field, text, layout)
      guard let digit = place.digit, let printed = text[digit].first else {
        return MRZCheckDigit(field: field, printed: nil, expected: nil, status: .notChecked)
      }
      let expected = MRZCheckDigit.value(of: place.covered)
      return MRZCheckDigit(
        field: field, printed: Character(UnicodeScalar(printed)), expected: expected,
        status: isRight(printed, expected, place) ? .passed : .failed)
    }
  }

  static func corrected(_ text: MRZText, _ layout: MRZLayout) -> MRZText {
    var text = text
    for field in fields {
      let place = place(field, text, layout)
      guard let digit = place.digit, let printed = text[digit].first else { continue }
      let expected = MRZCheckDigit.value(of: place.covered)
      if !isRight(printed, expected, place) { text.put([UInt8(48 + expected)], at: digit) }
    }
    return text
  }

  private static func isRight(_ printed: UInt8, _ expected: Int, _ place: Place) -> Bool {
    printed == UInt8(48 + expected) || place.other.map { printed == UInt8(48 + MRZCheckDigit.value(of: $0)) } == true
      || printed == MRZText.filler && place.mayBeAbsent && place.covered.allSatisfy { $0 == MRZText.filler }
  }
}

/// A check digit of a machine-readable zone (ICAO 9303-3, 4.9).
public struct MRZCheckDigit: Sendable, Hashable, JSONConvertible {
  public let field: MRZField
  /// The printed character, which may be a filler; nil if the format has no such digit.
  public let printed: Character?
  /// 0...9, calculated from the characters as printed; nil if the format has no such digit.
  public let expected: Int?
  /// A filler passes, as 0 does, if the field itself is empty and may be. ``CheckStatus/notChecked`` if the format has
  /// no such digit.
  public let status: CheckStatus

  /// False if the format has no such digit: visas have no composite, and only passports have one for optional data.
  public var isApplicable: Bool { expected != nil }

  /// Returns the check digit of some characters: weights 7, 3, 1; letters count 10 to 35, fillers 0.
  static func value(of characters: some Sequence<UInt8>) -> Int {
    var sum = 0
    for (i, character) in characters.enumerated() {
      let value =
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 48
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 55
        default: 0
        }
      sum += value * [7, 3, 1][i % 3]
    }
    return sum % 10
  }

  public var jsonValue: JSONValue {
    [
      "field": .string(field.rawValue), "printed": .optional(printed.map { String($0) }),
      "expected": .optional(expected), "status": .string(status.rawValue), "applicable": .bool(isApplicable),
    ]
  }
}
