/// A second of the proleptic Gregorian calendar in UTC. Certificates are checked against one that the caller gives;
/// the wall clock is never read.
public struct DateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  public let hour: Int
  public let minute: Int
  /// 0 to 59; 60 in a leap second.
  public let second: Int

  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such date or time. Years go from 1 to 9999.
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) throws {
    guard CalendarDate(year: year, month: month, day: day) != nil, (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else {
      throw VerifyError(.badArgument, "there is no time \(year)-\(month)-\(day) \(hour):\(minute):\(second)")
    }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The first second of a day.
  public init(_ date: CalendarDate) {
    (year, month, day, hour, minute, second) = (date.year, date.month, date.day, 0, 0, 0)
  }

  public var calendarDate: CalendarDate { CalendarDate(validYear: year, month: month, day: day) }

  /// ISO 8601, such as `2024-08-07T07:38:24Z`.
  public var description: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let padded = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
    return "\(padded)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))Z"
  }

  private var parts: [Int] { [year, month, day, hour, minute, second] }

  public static func < (left: Self, right: Self) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}
