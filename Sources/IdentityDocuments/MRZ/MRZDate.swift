/// A date of a machine-readable zone: two digits per part, some of which may be unknown (ICAO 9303-3, 4.8).
public struct MRZDate: Sendable, Hashable {
  /// The six characters, YYMMDD.
  public let printed: String
  /// The date with its century; nil if the characters are not a date, or all fillers.
  public let date: PartialDate?
  /// Only fillers: the date is unknown, or there is none.
  public let isAbsent: Bool
  /// A date, or absent.
  public var isValid: Bool { date != nil || isAbsent }

  init(_ characters: [UInt8], choosing year: (_ candidates: [PartialDate]) -> PartialDate?, around century: Int) {
    printed = String(decoding: characters, as: UTF8.self)
    isAbsent = characters.allSatisfy { $0 == MRZText.filler }
    date = isAbsent ? nil : Self.date(characters, choosing: year, around: century)
  }

  private static func date(
    _ characters: [UInt8], choosing choice: ([PartialDate]) -> PartialDate?, around century: Int
  ) -> PartialDate? {
    /// The number in two characters; `.some(nil)` if they are fillers, nil if they are no digits.
    func number(at start: Int) -> Int?? {
      let part = characters[start..<start + 2]
      if part.allSatisfy({ $0 == MRZText.filler }) { return .some(nil) }
      guard let digits = TLV.digits(part) else { return nil }
      return 10 * digits[0] + digits[1]
    }
    guard characters.count == 6, let year = number(at: 0), var month = number(at: 2), var day = number(at: 4) else {
      return nil
    }
    // 00 denotes an unknown month or day in documents that avoid fillers.
    if month == 0 { month = nil }
    if day == 0 { day = nil }
    guard let year else { return PartialDate(year: nil, month: month, day: day) }
    return choice([100, 0, -100].compactMap { PartialDate(year: century + $0 + year, month: month, day: day) })
  }

  /// A date of birth: the latest that is not after `limit`, so that no birth is in the future or after the expiry of
  /// the document itself. The standard leaves the century to the reader; a holder older than 99 years cannot be
  /// distinguished from a child.
  static func birth(_ characters: [UInt8], notAfter limit: CalendarDate) -> MRZDate {
    MRZDate(
      characters, choosing: { $0.first { date in date.earliest.map { $0 <= limit } ?? true } },
      around: limit.year / 100 * 100)
  }

  /// A date of expiry, in the hundred years that end 50 years after `reference`. Most documents are valid for ten
  /// years, a few cards for some decades; the rest of the hundred is for expired ones.
  static func expiry(_ characters: [UInt8], around reference: CalendarDate) -> MRZDate {
    MRZDate(
      characters, choosing: { $0.first { ($0.year ?? 0) <= reference.year + 50 } }, around: reference.year / 100 * 100)
  }
}
