/// A date of which parts may be unknown, as that of a birth in a passport (ICAO 9303-3, 3.8 and 4.8).
///
/// Its text is that of ISO 8601-2 with `X` for what is unknown, as in the passport's visual zone: `1964-08-12`,
/// `1964-08-XX`, `1964-XX-XX`, `XXXX-08-12`. It is never mistaken for a whole date.
public struct PartialDate: Sendable, Hashable, CustomStringConvertible {
  /// 1...9999, or nil if unknown.
  public let year: Int?
  /// 1...12, or nil if unknown.
  public let month: Int?
  /// 1...31, or nil if unknown.
  public let day: Int?

  /// - Returns: nil if no day of the calendar fits.
  public init?(year: Int?, month: Int?, day: Int?) {
    // A leap year, and a month of 31 days, stand in for those that are unknown.
    guard CalendarDate(year: year ?? 2000, month: month ?? 1, day: day ?? 1) != nil else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  public init(_ date: CalendarDate) {
    year = date.year
    month = date.month
    day = date.day
  }

  /// A date as ``description`` writes it.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.count) == [4, 2, 2] else { return nil }
    var values: [Int?] = []
    for part in parts {
      if part.allSatisfy({ $0 == UInt8(ascii: "X") }) {
        values.append(nil)
      } else if part.allSatisfy({ 48...57 ~= $0 }) {
        values.append(part.reduce(0) { $0 * 10 + Int($1 - 48) })
      } else {
        return nil
      }
    }
    self.init(year: values[0], month: values[1], day: values[2])
  }

  /// Nothing of it is known.
  public var isUnknown: Bool { year == nil && month == nil && day == nil }

  /// Whether two digits of the year, as a machine readable zone has them, would make the dates equal.
  func isSameButForCentury(_ other: PartialDate) -> Bool {
    month == other.month && day == other.day && year.map { $0 % 100 } == other.year.map { $0 % 100 }
  }

  /// The day, if all of it is known.
  public var whole: CalendarDate? {
    guard let year, let month, let day else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// The first day that it may be; nil if the year is unknown.
  public var earliest: CalendarDate? {
    guard let year else { return nil }
    // A day that not every month has needs a month that has it.
    return (month.map { [$0] } ?? Array(1...12)).lazy
      .compactMap { CalendarDate(year: year, month: $0, day: day ?? 1) }.first
  }

  /// The last day that it may be; nil if the year is unknown.
  public var latest: CalendarDate? {
    guard let year else { return nil }
    return (month.map { [$0] } ?? (1...12).reversed()).lazy
      .compactMap { CalendarDate(year: year, month: $0, day: day ?? CalendarDate.days(of: $0, in: year)) }.first
  }

  public var description: String {
    func digits(_ value: Int?, _ count: Int) -> String {
      guard let value else { return String(repeating: "X", count: count) }
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}
