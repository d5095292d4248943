/// A day of the Gregorian calendar, without time and time zone.
///
/// Dates are supplied by the caller; the system clock is never read.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible, JSONMemberValue {
  /// 1...9999.
  public let year: Int
  /// 1...12.
  public let month: Int
  /// 1...31, up to the length of the month.
  public let day: Int

  /// - Returns: nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(of: month, in: year) ~= day else { return nil }
    self.init(validYear: year, month: month, day: day)
  }

  /// - Precondition: the calendar has this day (not checked).
  init(validYear year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// Parses ISO 8601, `2026-11-21`.
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

  /// Returns the whole months from this day to a later one: 0 from 31 January to 28 February. Negative if the other day
  /// is earlier.
  func months(to other: CalendarDate) -> Int {
    guard other >= self else { return -other.months(to: self) }
    return (other.year - year) * 12 + other.month - month - (other.day < day ? 1 : 0)
  }

  /// Returns the whole years from this day to a later one, as ages are counted.
  func years(to other: CalendarDate) -> Int { other.year - year - ((other.month, other.day) < (month, day) ? 1 : 0) }

  /// Whole days since 1 January of the year 1.
  var dayNumber: Int {
    let (past, months) = (year - 1, (1..<month).reduce(0) { $0 + Self.days(of: $1, in: year) })
    return 365 * past + past / 4 - past / 100 + past / 400 + months + day - 1
  }

  /// - Returns: nil outside the years 1 to 9999.
  init?(dayNumber: Int) {
    guard 0..<3_652_059 ~= dayNumber else { return nil }
    var (year, month) = (dayNumber / 366 + 1, 1)
    while Self(validYear: year + 1, month: 1, day: 1).dayNumber <= dayNumber { year += 1 }
    var left = dayNumber - Self(validYear: year, month: 1, day: 1).dayNumber
    while left >= Self.days(of: month, in: year) {
      left -= Self.days(of: month, in: year)
      month += 1
    }
    self.init(validYear: year, month: month, day: left + 1)
  }

  static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package var memberJSON: JSONValue { .string(description) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard let day = json.string.flatMap({ CalendarDate($0) }) else { throw reader.wrong(name, "a day, YYYY-MM-DD") }
    self = day
  }
}

/// A date with possibly unknown parts, such as a date of birth in a passport (ICAO 9303-3, 3.8 and 4.8).
///
/// Its text is ISO 8601-2 with `X` for unknown digits, as in the visual inspection zone: `1964-08-12`, `1964-08-XX`,
/// `1964-XX-XX`, `XXXX-08-12`. It is never mistaken for a complete date.
public struct PartialDate: Sendable, Hashable, CustomStringConvertible {
  /// 1...9999, or nil if unknown.
  public let year: Int?
  /// 1...12, or nil if unknown.
  public let month: Int?
  /// 1...31, or nil if unknown.
  public let day: Int?

  /// - Returns: nil if no day of the calendar matches.
  public init?(year: Int?, month: Int?, day: Int?) {
    // A leap year and a 31-day month replace unknown ones.
    guard CalendarDate(year: year ?? 2000, month: month ?? 1, day: day ?? 1) != nil else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  public init(_ date: CalendarDate) { (year, month, day) = (date.year, date.month, date.day) }

  /// Parses a date formatted by ``description``.
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

  /// Returns the date with the parts that are unknown here and known in a machine-readable zone; nil if the dates differ in
  /// a part that both know, but for the century, which a zone does not state.
  func completed(by zone: PartialDate?) -> PartialDate? {
    guard let zone else { return self }
    func differ(_ part: Int?, _ other: Int?) -> Bool { part != nil && other != nil && part != other }
    if differ(month, zone.month) || differ(day, zone.day) || differ(year.map { $0 % 100 }, zone.year.map { $0 % 100 }) {
      return nil
    }
    return PartialDate(year: year ?? zone.year, month: month ?? zone.month, day: day ?? zone.day)
  }

  /// Whether a living person can have been born on the date: it is not in the future, and no more than 122 years ago, the
  /// highest verified age (Robine and Allard, Jeanne Calment: validation of the duration of her life, 1999).
  func isBirth(before day: CalendarDate) -> Bool {
    guard let earliest, let latest else { return true }
    return earliest <= day && latest.years(to: day) <= 122
  }

  /// The day, if it is fully known.
  public var whole: CalendarDate? {
    guard let year, let month, let day else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// The earliest possible day; nil if the year is unknown.
  public var earliest: CalendarDate? { days { _, _ in 1 }.first }

  /// The latest possible day; nil if the year is unknown.
  public var latest: CalendarDate? { days(CalendarDate.days).last }

  /// Returns a day in each possible month that is long enough for the known day.
  private func days(_ unknownDay: (_ month: Int, _ year: Int) -> Int) -> [CalendarDate] {
    guard let year else { return [] }
    return (month.map { $0...$0 } ?? 1...12).compactMap {
      CalendarDate(year: year, month: $0, day: day ?? unknownDay($0, year))
    }
  }

  public var description: String {
    func digits(_ value: Int?, _ count: Int) -> String {
      value.map { padded($0, to: count) } ?? String(repeating: "X", count: count)
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}

/// Returns a number with leading zeros.
func padded(_ number: Int, to count: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

/// A second of the proleptic Gregorian calendar in UTC. Certificates are checked at a time that the caller supplies;
/// the system clock is never read.
public struct DateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let calendarDate: CalendarDate
  public let hour: Int
  public let minute: Int
  /// 0 to 59; 60 in a leap second.
  public let second: Int
  /// Whether only the day is known. A check for a whole day passes if it passes at any moment of it, so a certificate
  /// whose validity begins or ends on that day is valid.
  public let isWholeDay: Bool

  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such date or time. Years range from 1 to 9999.
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) throws {
    guard let date = CalendarDate(year: year, month: month, day: day), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { throw VerifyError(.badArgument, "there is no time \(year)-\(month)-\(day) \(hour):\(minute):\(second)") }
    self.init(date, hour: hour, minute: minute, second: second, isWholeDay: false)
  }

  /// A time in seconds since 1970-01-01 00:00 UTC.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` outside the years 1 to 9999.
  public init(secondsSince1970 seconds: Double) throws {
    // 1970-01-01 is day 719,162.
    guard seconds >= -719_162 * 86_400, seconds < 2_932_897 * 86_400,
      case let whole = Int(seconds.rounded(.down)) + 719_162 * 86_400, let day = CalendarDate(dayNumber: whole / 86_400)
    else { throw VerifyError(.badArgument, "\(seconds) seconds since 1970 are outside of the years 1 to 9999") }
    self.init(day, hour: whole / 3600 % 24, minute: whole / 60 % 60, second: whole % 60, isWholeDay: false)
  }

  /// A day without a time; ordered by its first second.
  public init(_ date: CalendarDate) { self.init(date, hour: 0, minute: 0, second: 0, isWholeDay: true) }

  static let distantPast = DateTime(CalendarDate(validYear: 1, month: 1, day: 1))

  private init(_ date: CalendarDate, hour: Int, minute: Int, second: Int, isWholeDay: Bool) {
    calendarDate = date
    (self.hour, self.minute, self.second, self.isWholeDay) = (hour, minute, second, isWholeDay)
  }

  /// The last second covered: that of the day, or this one.
  var latest: DateTime {
    isWholeDay ? DateTime(calendarDate, hour: 23, minute: 59, second: 59, isWholeDay: false) : self
  }

  /// - Returns: nil beyond the range of the calendar.
  func adding(minutes: Int) -> DateTime? {
    let sum = 1440 * calendarDate.dayNumber + 60 * hour + minute + minutes
    guard sum >= 0, let day = CalendarDate(dayNumber: sum / 1440) else { return nil }
    return DateTime(day, hour: sum / 60 % 24, minute: sum % 60, second: second, isWholeDay: false)
  }

  /// ISO 8601, such as `2024-08-07T07:38:24Z`.
  public var description: String {
    "\(calendarDate)T" + [hour, minute, second].map { padded($0, to: 2) }.joined(separator: ":") + "Z"
  }

  private var parts: [Int] { [calendarDate.year, calendarDate.month, calendarDate.day, hour, minute, second] }

  public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }
  public static func < (left: Self, right: Self) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}
