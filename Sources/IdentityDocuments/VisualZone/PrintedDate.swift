/// A date as printed: several days if the order of day and month is open.
struct PrintedDate: Equatable {
  struct Reading: Equatable {
    /// Modulo 100 if two digits are printed.
    let year: Int
    let month: Int
    let day: Int
    let hasCentury: Bool

    init?(_ year: Part, _ month: Int, _ day: Int) {
      guard [2, 4].contains(year.digits) else { return nil }
      (self.year, self.month, self.day, hasCentury) = (year.number, month, day, year.digits == 4)
      // 2000 was a leap year.
      guard CalendarDate(year: hasCentury ? self.year : 2000 + self.year, month: month, day: day) != nil else {
        return nil
      }
    }
  }

  /// The day first, if its order is open.
  let readings: [Reading]
  /// Whether the separators are those of cards of the United States, which have the month first.
  private let mayHaveMonthFirst: Bool

  /// Parses the first date of a text, such as `12.08.1964`, `12 AUG/AOÛT 74`, `1960-02-08`, `08/31/1977`; nil if there
  /// is none.
  ///
  /// Travel documents have the day first (ICAO 9303-3, 3.8), as licences of the EU (Directive 2006/126/EC, Annex I); on
  /// cards of the United States the month is first (AAMVA DL/ID Card Design Standard, A.7).
  init?(_ text: String) {
    let parts = Self.parts(text)
    let dates = parts.indices.lazy.map { Self.readings(Array(parts[$0...].prefix(3))) }
    guard let first = dates.first(where: { !$0.isEmpty }) else { return nil }
    readings = first
    mayHaveMonthFirst = text.contains { "/-".contains($0) }
  }

  /// A number, or adjacent words, of which one may be a month: `31 DES/DEC 66`.
  struct Part {
    var (number, digits) = (0, 0)
    var month: Int?
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    for piece in VisualZone.folded(text).split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      // 12AUG1974 has no separators.
      var rest = piece[...]
      while let first = rest.first {
        let run = rest.prefix { $0.isNumber == first.isNumber }
        rest = rest.dropFirst(run.count)
        if first.isNumber {
          parts.append(Part(number: Int(run.prefix(9)) ?? 0, digits: run.count))
        } else {
          if parts.last?.digits != 0 { parts.append(Part()) }
          let month = months.firstIndex { names in names.contains { run.hasPrefix($0) } }
          parts[parts.count - 1].month = month.map { $0 + 1 } ?? parts[parts.count - 1].month
        }
      }
    }
    return parts
  }

  private static func readings(_ parts: [Part]) -> [Reading] {
    guard parts.count == 3, parts[0].digits > 0, parts[2].digits > 0 else { return [] }
    let (first, middle, last) = (parts[0], parts[1], parts[2])
    if middle.digits == 0 {
      return [middle.month.flatMap { Reading(last, $0, first.number) }].compactMap(\.self)
    }
    guard middle.digits <= 2 else { return [] }
    if first.digits == 4 { return [Reading(first, middle.number, last.number)].compactMap(\.self) }
    guard first.digits <= 2 else { return [] }
    let orders = [Reading(last, middle.number, first.number), Reading(last, first.number, middle.number)].compactMap(
      \.self)
    return orders.count == 2 && orders[0] == orders[1] ? [orders[0]] : orders
  }

  /// Beginnings of the names of the months in English, French, Spanish, German, Italian and Portuguese.
  private static let months = [
    ["JAN", "ENE", "GEN"], ["FEB", "FEV"], ["MAR", "MRZ"], ["APR", "AVR", "ABR"], ["MAY", "MAI", "MAG"],
    ["JUN", "JUIN", "GIU"], ["JUL", "JUIL", "LUG"], ["AUG", "AOU", "AGO"], ["SEP", "SET"],
    ["OCT", "OKT", "OTT", "OUT"], ["NOV"], ["DEC", "DIC", "DEZ", "DES"],
  ]

  /// Whether one of the readings is this date, but for its century, which a machine-readable zone does not state, or its
  /// year, if unknown.
  func isSame(as date: PartialDate) -> Bool {
    readings.contains { reading in
      reading.month == date.month && reading.day == date.day
        && date.year.map { reading.year % 100 == $0 % 100 } ?? true
    }
  }

  /// Returns the date in ISO 8601, if it is unambiguous and its century is printed. With dots or spaces, the day is first.
  ///
  /// - Parameter latest: Two digits are completed to the latest year that makes the date not later.
  func iso(notAfter latest: CalendarDate? = nil) -> String? {
    guard readings.count == 1 || !mayHaveMonthFirst, let reading = readings.first else { return nil }
    func date(_ year: Int) -> CalendarDate? { CalendarDate(year: year, month: reading.month, day: reading.day) }
    if reading.hasCentury { return date(reading.year)?.description }
    return latest.flatMap { latest in [2000, 1900].lazy.compactMap { date($0 + reading.year) }.first { $0 <= latest } }?
      .description
  }
}
