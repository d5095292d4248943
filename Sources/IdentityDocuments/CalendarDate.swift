/// A day of the Gregorian calendar, without time and time zone.
///
/// Dates are given by the caller; nothing here asks the clock.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 1...9999.
  public let year: Int
  /// 1...12.
  public let month: Int
  /// 1...31, as many as the month has.
  public let day: Int

  /// - Returns: nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(of: month, in: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// - Parameters: of a day that the calendar has.
  init(validYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// A day as ISO 8601 writes it, `2026-11-21`.
  public init?(_ text: String) {
    guard let date = PartialDate(text), let year = date.year, let month = date.month, let day = date.day else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// ISO 8601, `2026-11-21`.
  public var description: String { PartialDate(self).description }

  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Whole months from this day to a later one: the 31st of January and the 28th of February are none apart.
  /// Negative if the other day is earlier.
  func months(to other: CalendarDate) -> Int {
    guard other >= self else { return -other.months(to: self) }
    return (other.year - year) * 12 + other.month - month - (other.day < day ? 1 : 0)
  }

  /// Whole years from this day to a later one, as ages are counted.
  func years(to other: CalendarDate) -> Int {
    other.year - year - ((other.month, other.day) < (month, day) ? 1 : 0)
  }

  static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
