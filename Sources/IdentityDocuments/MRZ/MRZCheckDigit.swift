/// A check digit of a machine readable zone (ICAO 9303-3, 4.9).
public struct MRZCheckDigit: Sendable, Hashable {
  public let field: MRZField
  /// As printed, a filler included; nil if the format has no such digit.
  public let printed: Character?
  /// 0...9, calculated from the characters as printed; nil if the format has no such digit.
  public let expected: Int?
  /// A filler is right, as 0 is, where the field itself is empty and may be. ``CheckStatus/notChecked`` if the format
  /// has no such digit.
  public let status: CheckStatus

  /// False if the format has no such digit: visas have no composite, only passports have one for optional data.
  public var isApplicable: Bool { expected != nil }

  /// The digit of some characters: weights 7, 3, 1; letters count 10 to 35, fillers 0.
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
}
