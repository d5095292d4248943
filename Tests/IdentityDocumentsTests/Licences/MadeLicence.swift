import IdentityDocuments
import TestSupport

/// The code of a fictitious licence, encoded by the standard: reading it must return the encoded values.
struct MadeLicence {
  var version: Int
  var issuer: String
  var jurisdictionVersion = 0
  /// The first one is the card's; others are specific to the jurisdiction.
  var subfiles: [(type: String, elements: [(id: String, text: String)])]
  // Parts that tests make wrong.
  var mark = "@\n\u{1E}\r"
  var fileType = "ANSI "
  var separator = "\n"
  var terminator = "\r"
  var entryCount: Int?
  var offsetError = 0
  var lengthError = 0

  var payload: [UInt8] {
    let bodies = subfiles.map { subfile in
      subfile.type + subfile.elements.map { $0.id + $0.text }.joined(separator: separator) + terminator
    }
    let start = mark.unicodeScalars.count + fileType.count + (version < 2 ? 10 : 12) + 10 * subfiles.count
    var header = mark + fileType + issuer + Self.digits(version, 2)
    if version >= 2 { header += Self.digits(jurisdictionVersion, 2) }
    header += Self.digits(entryCount ?? subfiles.count, 2)
    var offset = start
    for (subfile, body) in zip(subfiles, bodies) {
      header +=
        subfile.type + Self.digits(offset + offsetError, 4) + Self.digits(body.unicodeScalars.count + lengthError, 4)
      offset += body.unicodeScalars.count
    }
    return (header + bodies.joined()).unicodeScalars.map { UInt8($0.value) }
  }

  subscript(id: String) -> String? {
    get { subfiles[0].elements.first { $0.id == id }?.text }
    set {
      guard let index = subfiles[0].elements.firstIndex(where: { $0.id == id }) else {
        if let newValue { subfiles[0].elements.append((id, newValue)) }
        return
      }
      if let newValue {
        subfiles[0].elements[index].text = newValue
      } else {
        subfiles[0].elements.remove(at: index)
      }
    }
  }

  func read(on day: String = "2026-11-21") throws -> DrivingLicence {
    try DrivingLicence(payload: payload, on: CalendarDate(day)!)
  }

  static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  // MARK: Made from a seed

  /// The encoded values, as expected in the report.
  struct Person {
    var surname: String
    var given: [String]
    var birth: CalendarDate
    var issue: CalendarDate
    var expiry: CalendarDate
    var sex: String
    var number: String
    var street: String
    var city: String
    var subdivision: String
    var postal: String
    var country: String
    var isCard: Bool
  }

  /// Every element of the version, mandatory and optional, with values that the standard permits.
  static func random(version: Int, by dice: inout SplitMix) -> (MadeLicence, Person) {
    let places = [
      ("636000", "VA", "USA", "V"), ("636014", "CA", "USA", "C"), ("636001", "NY", "USA", "N"),
      ("636015", "TX", "USA", "T"),
      ("636012", "ON", "CAN", "O"), ("604428", "QC", "CAN", "Q"), ("636028", "BC", "CAN", "B"),
      ("604432", "AB", "CAN", "A"),
      ("636043", "DC", "USA", "D"), ("604431", "PR", "USA", "P"),
    ]
    let (issuer, code, country, letter) = places.pick(&dice)
    let names = [
      "ANDERSON", "O'NEIL", "DE LA CRUZ", "SMITH-JONES", "NGUYEN", "CÔTÉ", "LI",
      "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMN",
    ]
    let given = ["MARIA", "JOHN", "JEAN PAUL", "ANNE-MARIE", "X", "RENÉ", "WOLFESCHLEGELSTEINHAUSEN"]
    let birth = CalendarDate(
      year: .random(in: 1930...2008, using: &dice), month: .random(in: 1...12, using: &dice),
      day: .random(in: 1...28, using: &dice))!
    let issue = CalendarDate(
      year: .random(in: 2024...2026, using: &dice), month: .random(in: 1...10, using: &dice),
      day: .random(in: 1...28, using: &dice))!
    let expiry = CalendarDate(year: issue.year + .random(in: 3...8, using: &dice), month: birth.month, day: birth.day)!
    let person = Person(
      surname: names.pick(&dice),
      given: Array([given.pick(&dice), given.pick(&dice)].prefix(.random(in: 1...2, using: &dice))),
      birth: birth, issue: issue, expiry: expiry,
      sex: (version < 9 ? ["1", "2"] : ["1", "2", "9"]).pick(&dice),
      number: (0..<Int.random(in: 7...13, using: &dice)).map { _ in String(Int.random(in: 0...9, using: &dice)) }
        .joined(),
      street: "\(Int.random(in: 1...9999, using: &dice)) MAIN ST. #\(Int.random(in: 1...99, using: &dice))",
      city: ["ANYTOWN", "ST. JOHN'S", "MONTRÉAL", "SAN JOSE"].pick(&dice), subdivision: code,
      postal: country == "USA" ? "123450000" : "A1A 1A1", country: country, isCard: .random(using: &dice))
    let isYearFirst = version < 2 || country == "CAN"
    func date(_ date: CalendarDate) -> String {
      let (year, rest) = (digits(date.year, 4), digits(date.month, 2) + digits(date.day, 2))
      return isYearFirst ? year + rest : rest + year
    }
    func padded(_ text: String, _ count: Int) -> String {
      text + String(repeating: " ", count: max(0, count - text.count))
    }
    /// Padding of variable-length values is optional.
    func free(_ text: String, _ count: Int) -> String { Bool.random(using: &dice) ? padded(text, count) : text }
    func has(_ versions: ClosedRange<Int>) -> Bool { versions.contains(version) }
    var elements: [(String, String)] = [
      ("DAQ", free(person.number, 25)), ("DAG", free(person.street, 35)), ("DAH", free("APT 7", 35)),
      ("DAI", free(person.city, 20)), ("DAJ", code),
      ("DAK", has(11...11) ? free(person.postal, 11) : padded(person.postal, 11)),
      ("DBA", date(expiry)), ("DBB", date(birth)), ("DBD", date(issue)),
    ]
    func add(_ versions: ClosedRange<Int>, _ pairs: (String, String)...) {
      if has(versions) { elements += pairs }
    }
    if version < 2 {
      elements.append(("DAA", ([person.surname] + person.given).joined(separator: ",")))
      elements += [
        ("DBC", person.sex == "1" ? "M" : "F"), ("DAU", "509"), ("DAW", "175"), ("DAY", "BL "), ("DAZ", "BR "),
        ("DAL", "1 OTHER ST"), ("DAN", "OTHERTOWN"), ("DBF", "2"), ("DBH", "Y"),
      ]
      if !person.isCard {
        elements += [("DAR", "DM  "), ("DAS", padded("", 10)), ("DAT", padded("", 5)), ("PAC", "7")]
      }
    } else {
      elements += [
        ("DCS", free(person.surname, 40)), ("DBC", person.sex), ("DCG", country), ("DCF", free("2424244747", 25)),
        ("DAY", ["BLK", "BLU", "BRO", "GRY", "GRN", "HAZ", "MAR", "PNK", "DIC", "UNK"].pick(&dice)),
        ("DAU", ["068 in", "181 cm"].pick(&dice)), ("DAZ", ["BLK", "RED/AUBURN", "brown", "SDY"].pick(&dice)),
        ("DCI", "US,CALIFORNIA"), ("DCJ", "AUDIT/7"), ("DCK", "ICN-1"), ("DCU", ["JR", "III", ""].pick(&dice)),
        ("DCE", String(Int.random(in: 0...9, using: &dice))),
      ]
      add(2...3, ("DCT", free(person.given.joined(separator: ","), 80)))
      add(2...2, ("DBN", "ALIAS"), ("DCL", "AI"))
      add(3...10, ("DBN", "ALIAS"), ("DBG", "GIVEN"), ("DBS", "SR"))
      add(4...10, ("DCL", "BK "), ("DDC", date(expiry)))
      add(
        4...11, ("DAC", free(person.given[0], 40)), ("DAD", person.given.count > 1 ? person.given[1] : "NONE"),
        ("DDE", "N"), ("DDF", "N"), ("DDG", "U"), ("DDA", "F"), ("DDB", date(issue)), ("DDD", "1"), ("DAW", "185"),
        ("DAX", "084"))
      for (id, years) in [("DDH", 18), ("DDI", 19), ("DDJ", 21)] {
        add(5...11, (id, date(CalendarDate(year: birth.year + years, month: birth.month, day: birth.day)!)))
      }
      add(6...11, ("DDK", "1"))
      add(7...11, ("DDL", "1"))
      add(11...11, ("DDO", "1"))
      if !person.isCard {
        elements += [
          ("DCA", free("D", 4)), ("DCB", free("K", 10)), ("DCD", "PH"), ("DCM", "C   "), ("DCN", "PH   "),
          ("DCP", "CARS"),
          ("DCQ", "BUSES"), ("DCR", "GLASSES"), ("DCO", padded("B", version == 2 ? 10 : 12)),
        ]
        add(2...3, ("DCH", "NONE"))
        add(11...11, ("DDM", "1"), ("DDN", "1"), ("DDP", "1"))
      } else {
        elements.removeAll { $0.0 == "DDC" }
      }
    }
    elements.shuffle(using: &dice)
    let type = person.isCard ? "ID" : version > 8 && .random(using: &dice) ? "EN" : "DL"
    var made = MadeLicence(
      version: version, issuer: issuer, jurisdictionVersion: version < 2 ? 0 : .random(in: 0...99, using: &dice),
      subfiles: [(type, elements)])
    if .random(using: &dice) { made.subfiles.append(("Z\(letter)", [("Z\(letter)A", "01"), ("Z\(letter)B", "")])) }
    return (made, person)
  }
}

extension Array {
  func pick(_ dice: inout SplitMix) -> Element { self[Int.random(in: indices, using: &dice)] }
}
