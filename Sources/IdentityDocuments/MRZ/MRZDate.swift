/// A date of a machine-readable zone: two digits per part, some of which may be unknown (ICAO 9303-3, 4.8).
public struct MRZDate: Sendable, Hashable {
  /// The six characters, YYMMDD.
  public let printed: String
  /// The date with its century; nil if the characters are not a date, or all fillers.
  public let date: PartialDate?
  /// Only fillers or zeros: the date is unknown, or there is none.
  public let isAbsent: Bool
  /// A date, or absent.
  public var isValid: Bool { date != nil || isAbsent }

  init(_ characters: [UInt8], choosing year: (_ candidates: [PartialDate]) -> PartialDate?, around century: Int) {
    printed = String(decoding: characters, as: UTF8.self)
    let parts = Self.parts(characters)
    // Documents that avoid fillers have 00 for what is unknown. With fillers after it, 00 is the year 2000.
    isAbsent =
      characters.allSatisfy { $0 == MRZText.filler }
      || parts?.allSatisfy { $0 ?? 0 == 0 } == true && !printed.hasSuffix("<<<<")
    date = isAbsent ? nil : parts.flatMap { Self.date($0, choosing: year, around: century) }
  }

  /// The numbers in each two characters, nil for fillers; nil if they are not digits.
  private static func parts(_ characters: [UInt8]) -> [Int?]? {
    guard characters.count == 6 else { return nil }
    var parts: [Int?] = []
    for part in [characters[0..<2], characters[2..<4], characters[4..<6]] {
      let digits = TLV.digits(part)
      guard digits != nil || part.allSatisfy({ $0 == MRZText.filler }) else { return nil }
      parts.append(digits.map { 10 * $0[0] + $0[1] })
    }
    return parts
  }

  private static func date(
    _ parts: [Int?], choosing choice: ([PartialDate]) -> PartialDate?, around century: Int
  ) -> PartialDate? {
    let (month, day) = (parts[1] == 0 ? nil : parts[1], parts[2] == 0 ? nil : parts[2])
    guard let year = parts[0] else { return PartialDate(year: nil, month: month, day: day) }
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
  /// years, a few cards for some decades; the rest of the hundred is for expired ones. If it would be in the last
  /// century, the year is unknown: some cards are valid until 9999, and no chip is from before 2004.
  ///
  /// - Parameter isPermanent: whether the first or last day of 99 is that of 9999 on documents of this kind.
  static func expiry(_ characters: [UInt8], around reference: CalendarDate, isPermanent: Bool) -> MRZDate {
    MRZDate(
      characters,
      choosing: { candidates in
        guard let date = candidates.first(where: { $0.year ?? 0 <= reference.year + 50 }) else { return nil }
        guard date.year ?? 0 < 2000 else { return date }
        let isEndless = isPermanent && ["1999-01-01", "1999-12-31"].contains(date.description)
        return PartialDate(year: isEndless ? 9999 : nil, month: date.month, day: date.day)
      }, around: reference.year / 100 * 100)
  }
}
