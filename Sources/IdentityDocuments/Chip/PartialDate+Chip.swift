/// A date of EF.DG11 or EF.DG12, whose month and day may be unknown (zeros or fillers, Doc 9303-3, 4.8).
extension PartialDate {
  /// Eight digits: as characters (Doc 9303-10) or packed two a byte (as some states do).
  init(chip value: ArraySlice<UInt8>) throws {
    // "<<" stands for an unknown part.
    let text = value.map { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "0") : $0 }[...]
    guard let digits = Self.digits(text, count: 8) else {
      throw VerifyError(.damaged, "a date is not eight digits")
    }
    let (month, day) = (10 * digits[4] + digits[5], 10 * digits[6] + digits[7])
    let year = digits[..<4].reduce(0) { 10 * $0 + $1 }
    guard let date = PartialDate(year: year, month: month == 0 ? nil : month, day: day == 0 ? nil : day) else {
      throw VerifyError(.damaged, "a date is none of the calendar's")
    }
    self = date
  }

  /// The digits of a number that is stored as characters, or packed two a byte.
  static func digits(_ value: ArraySlice<UInt8>, count: Int) -> [Int]? {
    if value.count == count { return TLV.digits(value) }
    guard 2 * value.count == count else { return nil }
    let digits = value.flatMap { [Int($0 >> 4), Int($0 & 15)] }
    return digits.allSatisfy { $0 < 10 } ? digits : nil
  }
}
