import IdentityDocuments
import TestSupport
import Testing

@Suite("MachineReadableZone")
struct MachineReadableZoneTests {
  /// The worked examples are of documents that expired in 1996 or 2012.
  static let day = CalendarDate(year: 2026, month: 11, day: 21)!

  private func read(_ text: String, on day: CalendarDate = day) throws -> MachineReadableZone {
    try MachineReadableZone(text, on: day)
  }

  // ICAO 9303-4, appendix A; 9303-5, appendix A; 9303-6, appendix A; 9303-7, appendices A and B.
  private static let td3 = """
    P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
    L898902C36UTO7408122F1204159ZE184226B<<<<<10
    """
  private static let td2 = """
    I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
    D231458907UTO7408122F1204159<<<<<<<6
    """
  private static let td1 = """
    I<UTOD231458907<<<<<<<<<<<<<<<
    7408122F1204159UTO<<<<<<<<<<<6
    ERIKSSON<<ANNA<MARIA<<<<<<<<<<
    """
  private static let mrvA = """
    V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
    L8988901C4XXX4009078F96121096ZE184226B<<<<<<
    """
  private static let mrvB = """
    V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
    L8988901C4XXX4009078F9612109<<<<<<<<
    """

  // Rows: NV51 NV55 V4.9-c NV41
  @Test("the standard's passport is read completely")
  func passport() throws {
    let zone = try read(Self.td3)
    #expect(zone.format == .td3 && zone.documentType == .passport)
    #expect(zone.documentCode == "P" && zone.issuingState == "UTO" && zone.nationality == "UTO")
    #expect(zone.surname == "ERIKSSON" && zone.givenNames == "ANNA MARIA" && !zone.isNameTruncated)
    #expect(zone.documentNumber == "L898902C3" && zone.sex == .female)
    #expect(zone.dateOfBirth.date?.description == "1974-08-12")
    #expect(zone.dateOfExpiry.date?.description == "2012-04-15")
    #expect(zone.personalNumber == "ZE184226B" && zone.optionalData == "ZE184226B" && zone.optionalData2 == nil)
    #expect(zone.checkDigits.map(\.printed) == ["6", "2", "9", "1", "0"])
    #expect(zone.checkDigits.map(\.expected) == [6, 2, 9, 1, 0])
    #expect(zone.checkDigits.allSatisfy { $0.status == .passed } && zone.findings.isEmpty)
    #expect(zone.linesWithCorrectCheckDigits == zone.lines)
  }

  // Rows: NV55 V4.9-c NV41
  @Test("the standard's cards are read completely")
  func cards() throws {
    for (text, format) in [(Self.td1, MRZFormat.td1), (Self.td2, .td2)] {
      let zone = try read(text)
      #expect(zone.format == format && zone.documentType == .idCard)
      #expect(zone.surname == "ERIKSSON" && zone.givenNames == "ANNA MARIA" && zone.documentNumber == "D23145890")
      #expect(zone.dateOfBirth.date?.description == "1974-08-12" && zone.dateOfExpiry.printed == "120415")
      #expect(zone.checkDigits.map(\.expected) == [7, 2, 9, nil, 6] && zone.findings.isEmpty)
      #expect(zone.status(of: .optionalData) == .notChecked && zone.personalNumber == nil)
      #expect(zone.optionalData2 == (format == .td1 ? "" : nil))
    }
  }

  // Rows: NV55 NV58 V4.9-c NV41
  @Test("visas have no composite check digit: it is not applicable, never passed")
  func visas() throws {
    for (text, format, optional) in [(Self.mrvA, MRZFormat.mrvA, "6ZE184226B"), (Self.mrvB, .mrvB, "")] {
      let zone = try read(text)
      #expect(zone.format == format && zone.documentType == .visa)
      #expect(zone.nationality == "XXX" && zone.optionalData == optional)
      #expect(zone.dateOfBirth.date?.description == "1940-09-07" && zone.dateOfExpiry.date?.description == "XXXX-12-10")
      let composite = try #require(zone.checkDigit(of: .composite))
      #expect(!composite.isApplicable && composite.status == .notChecked && composite.printed == nil)
      #expect(zone.findings.isEmpty)
    }
  }

  @Test("line breaks are ignored", arguments: [td1, td2, td3, mrvA, mrvB])
  func lineEnds(_ text: String) throws {
    let zone = try read(text)
    let lines = zone.lines
    #expect(try read(lines.joined()) == zone)
    #expect(try read(lines.joined(separator: "\r\n") + "\r\n") == zone)
    #expect(text.split(separator: "\n").map(String.init) == lines)
  }

  // Rows: NV56 NV58 DR15
  @Test("any changed character covered by a check digit is detected, and the digits are recomputed")
  func changed() throws {
    let composite = Array(0..<10) + Array(13..<20) + Array(21..<43)
    let lines = try read(Self.td3).lines
    for column in composite {
      var line = Array(lines[1].utf8)
      // One more or less, or 9: every weight is coprime to ten.
      line[column] =
        switch line[column] {
        case UInt8(ascii: "<"): UInt8(ascii: "1")
        case UInt8(ascii: "9"): UInt8(ascii: "0")
        case UInt8(ascii: "Z"): UInt8(ascii: "Y")
        default: line[column] + 1
        }
      let zone = try read(lines[0] + String(decoding: line, as: UTF8.self))
      #expect(zone.status(of: .composite) == .failed || zone.checkDigits.dropLast().contains { $0.status == .failed })
      let corrected = try read(zone.linesWithCorrectCheckDigits.joined())
      #expect(corrected.checkDigits.allSatisfy { $0.status == .passed })
      #expect(zone.lines[1] == String(decoding: line, as: UTF8.self))
    }
  }

  // Rows: NV57
  @Test("without a personal number, a passport's check digit may be 0 or a filler, and nothing else")
  func emptyPersonalNumber() throws {
    func passport(_ digit: String, _ composite: String) throws -> MachineReadableZone {
      try read(
        "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159<<<<<<<<<<<<<<" + digit + composite)
    }
    for digit in ["<", "0"] {
      let zone = try passport(digit, "8")
      #expect(zone.status(of: .optionalData) == .passed && zone.personalNumber == nil)
      #expect(zone.linesWithCorrectCheckDigits[1].hasSuffix("<" + digit + "8"))
    }
    #expect(try passport("1", "8").findings.contains(MRZFinding(field: .optionalData, reason: .checkDigitWrong)))
    let filled = try read(Self.td3.replacing("<<<<<10", with: "<<<<<<0"))
    #expect(filled.findings.first == MRZFinding(field: .optionalData, reason: .checkDigitMissing))
  }

  // Rows: NV57
  @Test("an absent date of expiry is valid")
  func noExpiry() throws {
    let content = MRZContent(
      documentCode: "I", issuingState: "UTO", surname: "ERIKSSON", givenNames: "ANNA", documentNumber: "D23145890",
      nationality: "UTO", dateOfBirth: PartialDate("1974-08-12")!, sex: .female, dateOfExpiry: nil)
    for format in [MRZFormat.td1, .td2, .td3] {
      var content = content
      if format == .td3 { content.documentCode = "P" }
      let zone = try read(content.lines(format).joined())
      #expect(zone.dateOfExpiry.isAbsent && zone.dateOfExpiry.date == nil && zone.findings.isEmpty)
      #expect(zone.status(of: .dateOfExpiry) == .passed)
    }
  }

  @Test("a document number of more than nine characters continues in the optional data")
  func longNumber() throws {
    // ICAO 9303-5, 4.2.2.3 note j.
    let zone = try read("I<UTOD23145890<7349<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN<<<<<<<<<")
    #expect(zone.documentNumber == "D23145890734" && zone.optionalData.isEmpty && zone.findings.isEmpty)
    #expect(zone.checkDigit(of: .documentNumber)?.printed == "9")
    let wrong = try read(zone.lines.joined().replacing("7349", with: "7348"))
    #expect(wrong.documentNumber == "D23145890734")
    #expect(wrong.findings.map(\.field) == [.documentNumber, .composite])
    let two = try read("I<UTOSTEVENSON<<PETER<JOHN<<<<<<<<<<D23145890<UTO3407127M95071227349<<<8")
    #expect(two.documentNumber == "D23145890734" && two.findings.isEmpty)
    // A passport has no space for it: the filler is a missing digit.
    let passport = try read(Self.td3.replacing("C36UTO", with: "C3<UTO"))
    #expect(passport.findings.contains(MRZFinding(field: .documentNumber, reason: .checkDigitMissing)))
    #expect(passport.linesWithCorrectCheckDigits == (try read(Self.td3).lines))
    // No continuation: missing as well.
    let none = try read("I<UTOD23145890<<<<<<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN<<<<<<<<<")
    #expect(none.findings.contains(MRZFinding(field: .documentNumber, reason: .checkDigitMissing)))
  }

  // Rows: NV44
  @Test("parts of a date of birth may be unknown")
  func partialDates() throws {
    for (printed, text) in [
      ("7408<<", "1974-08-XX"), ("74<<<<", "1974-XX-XX"), ("<<0812", "XXXX-08-12"), ("740800", "1974-08-XX"),
      ("740000", "1974-XX-XX"), ("74<<12", "1974-XX-12"),
    ] {
      let zone = try read(read(Self.td2.replacing("740812", with: printed)).linesWithCorrectCheckDigits.joined())
      #expect(zone.dateOfBirth.date?.description == text && zone.dateOfBirth.printed == printed)
      #expect(zone.findings.isEmpty, "\(printed)")
    }
    let unknown = try read(Self.td2.replacing("7408122", with: "<<<<<<0"))
    #expect(unknown.dateOfBirth.isAbsent && unknown.status(of: .dateOfBirth) == .passed)
    for printed in ["741301", "740732", "750229", "7A0812", "7<0812", "74081<"] {
      let zone = try read(Self.td2.replacing("740812", with: printed))
      #expect(zone.dateOfBirth.date == nil && !zone.dateOfBirth.isValid)
      #expect(zone.findings.contains(MRZFinding(field: .dateOfBirth, reason: .invalidDate)))
    }
  }

  @Test("births are not in the future or after the expiry; expiries are at most 50 years ahead, or of an unknown year")
  func centuries() throws {
    func dates(_ birth: String, _ expiry: String, on day: String) throws -> [Int?] {
      let day = try #require(CalendarDate(day))
      let printed = try read(Self.td2.replacing("740812", with: birth).replacing("120415", with: expiry), on: day)
      let zone = try read(printed.linesWithCorrectCheckDigits.joined(), on: day)
      return [zone.dateOfBirth.date?.year, zone.dateOfExpiry.date?.year]
    }
    #expect(try dates("261121", "301121", on: "2026-11-21") == [2026, 2030])
    #expect(try dates("261122", "301121", on: "2026-11-21") == [1926, 2030])
    #expect(try dates("26<<<<", "301121", on: "2026-11-21") == [2026, 2030])
    #expect(try dates("2612<<", "301121", on: "2026-11-21") == [1926, 2030])
    #expect(try dates("120414", "120415", on: "2026-11-21") == [2012, 2012])
    #expect(try dates("120416", "120415", on: "2026-11-21") == [1912, 2012])
    #expect(try dates("740812", "761121", on: "2026-11-21") == [1974, 2076])
    #expect(try dates("740812", "771121", on: "2026-11-21") == [1974, nil])
    #expect(try dates("740812", "120415", on: "1999-12-31") == [1974, 2012])
    #expect(try dates("740812", "120415", on: "2096-01-01") == [2074, 2112])
    // An expiry with a wrong check digit is no evidence about the birth.
    let doubtful = try read(Self.td2.replacing("7408122", with: "1204165").replacing("1204159", with: "1204150"))
    #expect(doubtful.status(of: .dateOfExpiry) == .failed && doubtful.dateOfBirth.date?.year == 2012)
    // Of the two years only 2000 has the day.
    #expect(try dates("000229", "301121", on: "2026-11-21") == [2000, 2030])
  }

  // Rows: NV45 DR14
  @Test("ICAO codes outside of ISO 3166-1 are known, and unknown ones are reported")
  func codes() throws {
    for code in [
      "D<<", "EUE", "UNO", "UNA", "UNK", "XBA", "XIM", "XXA", "XXB", "XXC", "XXX", "XPO", "XOM", "XES", "XCE", "XCC",
      "XMP", "XCT", "XDC", "XCO", "XEC", "GBD", "GBN", "GBO", "GBP", "GBS", "UTO", "RKS", "ZIM", "GBR", "CHE",
    ] {
      let zone = try read(Self.td3.replacing("UTO", with: code))
      // Persons without a nationality are no issuer.
      let isOfPersons = ["XXA", "XXB", "XXC", "XXX"].contains(code)
      #expect(
        zone.findings == (isOfPersons ? [MRZFinding(field: .issuingState, reason: .unknownCode)] : []), "\(code)")
      #expect(CountryName.english(zone.issuingState)?.isEmpty == false)
    }
    for code in ["SI<", "AAA", "ZZZ", "132", "U<O"] {
      let zone = try read(Self.td3.replacing("UTO", with: code))
      #expect(zone.findings.first == MRZFinding(field: .issuingState, reason: .unknownCode))
      // A nationality of letters is not judged.
      #expect((zone.findings + zone.remarks).last == MRZFinding(field: .nationality, reason: .unknownCode))
      #expect(zone.remarks.isEmpty == ["132", "U<O"].contains(code))
    }
    #expect(try read(Self.td3.replacing("UTO", with: "<<<")).findings.map(\.reason) == [.empty, .empty])
    #expect(CountryName.english("D") == "Germany" && CountryName.english("") == nil && CountryName.english("de") == nil)
    #expect(CountryName.english("BES") == "Bonaire, Sint Eustatius and Saba")
  }

  @Test("a document code has a letter first, and those that its format allows")
  func documentCodes() throws {
    func isRight(_ text: String, _ old: String, _ code: String) throws -> Bool {
      let zone = try read(text.replacing(old + "UTO", with: code + "UTO"))
      #expect(zone.findings.isEmpty || zone.findings == [MRZFinding(field: .documentCode, reason: .invalidCharacters)])
      return zone.findings.isEmpty
    }
    for code in ["P<", "PP", "PD", "PX"] { #expect(try isRight(Self.td3, "P<", code), "\(code)") }
    for code in ["P1", "99", "X<", "<P", "C<"] { #expect(try !isRight(Self.td3, "P<", code), "\(code)") }
    for (text, codes) in [(Self.td1, ["P<", "V<", "IV", "9<", "<I"]), (Self.td2, ["P<", "IV", "9<", "<I"])] {
      for code in ["I<", "AC", "C1", "ID", "T<"] { #expect(try isRight(text, "I<", code), "\(code)") }
      for code in codes { #expect(try !isRight(text, "I<", code), "\(code)") }
    }
    for code in ["V<", "VC", "V2"] { #expect(try isRight(Self.mrvA, "V<", code), "\(code)") }
  }

  // Rows: NV47 ID-gender
  @Test("sex is F, M, or unspecified; other characters are reported as wrong")
  func sexes() throws {
    for (character, sex) in [("F", MRZSex.female), ("M", .male), ("<", .unspecified), ("X", .unspecified)] {
      #expect(try read(Self.td3.replacing("2F1", with: "2\(character)1")).sex == sex)
    }
    let zone = try read(Self.td3.replacing("2F1", with: "2N1"))
    #expect(zone.sex == nil && zone.findings == [MRZFinding(field: .sex, reason: .invalidCharacters)])
  }

  @Test("names: no secondary identifier, empty, with digits, with odd fillers")
  func names() throws {
    func name(_ field: String) throws -> MachineReadableZone {
      try read(
        "P<UTO" + field + String(repeating: "<", count: 39 - field.count)
          + "L898902C36UTO7408122F1204159ZE184226B<<<<<10")
    }
    let single = try name("ARKFREITH")
    #expect(single.surname == "ARKFREITH" && single.givenNames.isEmpty && single.findings.isEmpty)
    let empty = try name("")
    #expect(empty.surname.isEmpty && empty.findings == [MRZFinding(field: .name, reason: .empty)])
    let onlyGiven = try name("<<ANNA")
    #expect(onlyGiven.surname.isEmpty && onlyGiven.givenNames == "ANNA")
    #expect(try name("ER1KSSON<<ANNA").findings == [MRZFinding(field: .name, reason: .invalidCharacters)])
    let odd = try name("VAN<DER<MUELLEN<<MARTIN<<JAN<<<X")
    #expect(odd.surname == "VAN DER MUELLEN" && odd.givenNames == "MARTIN JAN X" && !odd.isNameTruncated)
    for field in ["<ERIKSSON<<ANNA", "ERIKSSON<<ANNA<<MARIA", "ERIKSSON<<<ANNA", "ERIKSSON<<ANNA<<<<<<<<<EVIL"] {
      let zone = try name(field)
      #expect(zone.findings.isEmpty && zone.status(of: .name) == .notChecked)
      let data = DocumentReport(page: PageZone(text: zone), chip: nil, on: Self.day).data
      #expect(data[.surname].status == .notChecked && data[.surname].reason?.rawValue == "invalid-characters")
    }
    #expect(try name("PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR").isNameTruncated)
  }

  // Rows: V4.9-c
  @Test("the old French identity card is read with its own layout")
  func frenchCard() throws {
    let zone = try read("IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<8806923102858CORINNE<<<<<<<6512068F6")
    #expect(zone.format == .td2 && zone.documentType == .idCard)
    #expect(zone.surname == "BERTHIER" && zone.givenNames == "CORINNE" && zone.nationality == "FRA")
    #expect(zone.documentNumber == "880692310285" && zone.sex == .female && zone.dateOfExpiry.isAbsent)
    #expect(zone.dateOfBirth.date?.description == "1965-12-06" && zone.findings.isEmpty)
    #expect(zone.checkDigits.map(\.status) == [.passed, .passed, .notChecked, .notChecked, .passed])
  }

  @Test("a Belgian number of twelve digits continues at the position of its check digit")
  func belgianCard() throws {
    let zone = try read("IDBEL590330101085020100200<<<<8502016F0901015BEL<<<<<<<<<<<8VAN<DER<VELDEN<<GREET<HILDE<<<")
    #expect(zone.surname == "VAN DER VELDEN" && zone.documentNumber == "590330101")
    #expect(zone.optionalData == "85020100200")
  }

  @Test("text that is not a zone is rejected, with position and reason")
  func refusals() throws {
    func failure(_ text: String) -> VerifyError? {
      do { _ = try read(text) } catch { return error as? VerifyError }
      return nil
    }
    for text in ["", "\n", "P<UTO", String(repeating: "<", count: 30), Self.td3 + "\n" + Self.td3] {
      #expect(failure(text)?.code == .unknownFormat)
    }
    #expect(failure(String(repeating: "<", count: 1 << 26))?.code == .unknownFormat)
    #expect(failure(String(repeating: "\n", count: 200))?.code == .unknownFormat)
    #expect(failure(Self.td3.replacing("<<<\n", with: "<<\n"))?.code == .unknownFormat)
    let lower = failure(Self.td3.replacing("ANNA", with: "aNNA"))
    #expect(lower?.code == .damaged)
    #expect(lower?.message == "line 1, column 16: \"a\" is not in the alphabet A-Z, 0-9 and <")
    let spaces = failure(Self.td3.replacing("<<ANNA", with: "  ANNA"))
    #expect(spaces?.code == .damaged && spaces?.message.hasPrefix("line 1, column 14: a space is") == true)
    #expect(failure(Self.td3.replacing("<<ANNA", with: "\u{0}\u{7f}ANNA"))?.code == .damaged)
    #expect(failure(Self.td3.replacing("ERIKSSON", with: "ERIKSSÖN"))?.code == .damaged)
    // A visa differs from a passport by its first letter; no visa has three lines.
    #expect(try read(Self.mrvA.replacing("V<", with: "P<")).format == .td3)
    #expect(try read(Self.td1.replacing("I<", with: "V<")).format == .td1)
  }

  @Test("a truncated zone is rejected")
  func truncation() {
    for text in [Self.td1, Self.td2, Self.td3, Self.mrvA, Self.mrvB] {
      for count in 0..<text.utf8.count {
        #expect(throws: VerifyError.self) { try read(String(text.prefix(count))) }
      }
    }
  }

  @Test("any text of the right length and alphabet is a zone, unchanged; other bytes are rejected")
  func noise() throws {
    var random = SplitMix(state: 1)
    let alphabet = Array("<<<<0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for count in [72, 88, 90] {
      for _ in 0..<500 {
        var bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 60 }
        let zone = try read(String(decoding: bytes, as: UTF8.self))
        #expect(zone.lines.joined().utf8.elementsEqual(bytes))
        #expect(try read(zone.linesWithCorrectCheckDigits.joined()).checkDigits.allSatisfy { $0.status != .failed })
        bytes[Int.random(in: 0..<count, using: &random)] = UInt8.random(in: 97...255, using: &random)
        #expect(throws: VerifyError.self) { try read(String(decoding: bytes, as: UTF8.self)) }
      }
    }
  }

  @Test("every file of the fuzz corpus yields a zone or a VerifyError")
  func corpus() throws {
    let folder = Installed.root + "/Tests/fuzz/corpus/mrz/"
    var zones = 0
    for name in ["empty", "french", "lower", "mrva", "mrvb", "td1", "td1-long", "td2", "td3", "unknown"] {
      let bytes = try RegularFile.read(path: folder + name, maximumBytes: 1 << 20)
      do {
        _ = try read(String(decoding: bytes, as: UTF8.self))
        zones += 1
      } catch is VerifyError {}
    }
    #expect(zones == 8)
  }

  @Test(
    "specimen documents: printed check digits are judged as by a human reader",
    .needsShared("testdata/mrz.csv"),
    arguments: SpecimenZones.rows)
  func specimens(_ row: SpecimenZones.Row) throws {
    let zone = try read(row.lines.joined(separator: "\n"))
    #expect(zone.lines == row.lines)
    #expect(zone.checkDigits.contains { $0.status == .failed } != row.digitsAreRight)
    #expect((zone.linesWithCorrectCheckDigits == row.lines) == row.digitsAreRight)
  }
}
