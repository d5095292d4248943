import FaceVerifyBase
import IdentityDocuments
import Testing

/// Zones of documents in circulation that deviate from ICAO 9303, or use its options. People and numbers are fictitious.
@Suite("Zones of national documents")
struct NationalZoneTests {
  private static let day = CalendarDate(year: 2026, month: 11, day: 28)!

  private func read(_ lines: String...) throws -> MachineReadableZone {
    try MachineReadableZone(lines.joined(separator: "\n"), on: Self.day)
  }

  /// Reads a zone after recalculating its check digits.
  private func right(_ lines: String...) throws -> MachineReadableZone {
    let zone = try MachineReadableZone(lines.joined(separator: "\n"), on: Self.day)
    return try MachineReadableZone(zone.linesWithCorrectCheckDigits.joined(separator: "\n"), on: Self.day)
  }

  private func data(_ zone: MachineReadableZone) throws -> DocumentData { try report(zone).data }

  /// The report of a page on which each character was read with certainty.
  private func report(_ zone: MachineReadableZone) throws -> DocumentReport {
    DocumentReport(page: try PageZone(certain: zone), pageGiven: true, chip: nil, accepted: [.page], on: Self.day)
  }

  private func td1(_ first: String, sex: Character, _ expiry: String = "3012316", state: String = "MEX") throws
    -> MachineReadableZone
  {
    try right(
      first.padded(to: 30), "8001014\(sex)\(expiry)\(state)".padded(to: 29) + "0", "PEREZ<GARCIA<<MARIA".padded(to: 30))
  }

  @Test("Mexican voter's cards have H for men and M for women; on other Mexican cards M is not judged")
  func mexicanSexes() throws {
    for (letter, sex) in [("H", MRZSex.male), ("M", .female), ("X", .unspecified), ("<", .unspecified)] {
      let zone = try td1("IDMEX1548723936<<1234567890123", sex: Character(letter))
      #expect(zone.sex == sex && zone.findings.isEmpty && zone.remarks.isEmpty, "\(letter)")
      #expect(try data(zone)[.sex] == .passed(sex.rawValue))
    }
    let other = try td1("IRMEX1548723936", sex: "M")
    #expect(other.sex == nil && other.findings.isEmpty)
    #expect(try data(other)[.sex] == .notChecked(nil, .unverified))
    #expect(try td1("IRMEX1548723936", sex: "F").sex == .female)
    // Passports have the letters of the standard, and so have cards of other states.
    let passport = try right("P<MEXPEREZ<<JUAN".padded(to: 44), "G123456780MEX8001014M3012316".padded(to: 43) + "0")
    #expect(passport.sex == .male && passport.remarks.isEmpty)
    #expect(try td1("I<UTO1548723936", sex: "M", state: "UTO").sex == .male)
    // Another letter on a card is of its language; in a passport, and another character anywhere, it is wrong.
    let card = try td1("I<UTO1548723936", sex: "K", state: "UTO")
    #expect(card.sex == nil && card.remarks == [MRZFinding(field: .sex, reason: .unverified)])
    #expect(try td1("I<UTO1548723936", sex: "7", state: "UTO").findings.map(\.field) == [.sex])
  }

  @Test("the only name may follow fillers, and is the given name")
  func onlyNames() throws {
    func name(_ field: String) throws -> MachineReadableZone {
      try right("P<IND\(field)".padded(to: 44), "K2578285<7IND5601240M3202285".padded(to: 43) + "0")
    }
    for (field, given) in [
      ("<<RAMESH<KUMAR", "RAMESH KUMAR"), ("<RAMESH", "RAMESH"), ("<<<RAMESH", "RAMESH"),
      ("<<<<<<<KEIKO<INOUE", "KEIKO INOUE"), ("<<A", "A"),
    ] {
      let zone = try name(field)
      #expect(zone.surname.isEmpty && zone.givenNames == given, "\(field)")
      #expect(zone.findings.isEmpty && zone.remarks.isEmpty && !zone.isNameTruncated, "\(field)")
      let report = try report(zone)
      #expect(report.data[.surname] == .passed(nil) && report.data[.givenNames] == .passed(given))
      #expect(report.data[.surnameAndGivenNames] == .passed(given) && report.checks[0].status == .passed)
    }
    #expect(try name("ZAHRA").surname == "ZAHRA")
    #expect(try name("").findings.contains(MRZFinding(field: .name, reason: .empty)))
    // Fillers before one of several names, or within the rest, hide what is the surname.
    for field in ["<ERIKSSON<<ANNA", "<<RAMESH<<KUMAR", "<<RAMESH<<<<<<<<<KUMAR"] {
      let zone = try name(field)
      #expect(zone.remarks == [MRZFinding(field: .name, reason: .invalidCharacters)], "\(field)")
      #expect(try data(zone)[.givenNames].status == .notChecked)
    }
    let card = try right(
      "I<CHED231458907".padded(to: 30), "7408122F3204159CHE".padded(to: 29) + "0", "<<ANNA<MARIA".padded(to: 30))
    #expect(card.givenNames == "ANNA MARIA" && card.findings.isEmpty && card.remarks.isEmpty)
  }

  @Test("codes of Kosovo and Interpol are known; an unknown nationality is not judged, an unknown issuer fails")
  func codes() throws {
    func passport(_ issuer: String, _ nationality: String) throws -> MachineReadableZone {
      try right(
        "P<\(issuer.padded(to: 3))PUBLIC<<JOHN".padded(to: 44),
        "K2578285<7\(nationality.padded(to: 3))5601240M3202285".padded(to: 43) + "0")
    }
    for (issuer, nationality) in [("D", "XXK"), ("RKS", "RKS"), ("UNK", "UNK"), ("INP", "FRA"), ("XPO", "XPO")] {
      let zone = try passport(issuer, nationality)
      #expect(zone.findings.isEmpty && zone.remarks.isEmpty, "\(issuer)")
      #expect(try report(zone).checks[0].status == .passed)
    }
    let odd = try passport("D", "QQQ")
    #expect(odd.findings.isEmpty && odd.remarks == [MRZFinding(field: .nationality, reason: .unknownCode)])
    let report = try report(odd)
    #expect(report.data[.nationalityCode] == .notChecked("QQQ", .unknownCode) && report.result == .notChecked)
    for issuer in ["QQQ", "WSA", "XXA", "XXX"] {
      let zone = try passport(issuer, "FRA")
      #expect(zone.findings == [MRZFinding(field: .issuingState, reason: .unknownCode)], "\(issuer)")
      #expect(try self.report(zone).result == .failed)
    }
    #expect(try passport("D", "Q1Q").findings.map(\.field) == [.nationality])
  }

  @Test("the digit of a long number may include the filler in the place of the digit, and nothing else")
  func longNumbers() throws {
    for (first, number, isRight) in [
      // Portugal and Sweden with the filler, Belgium without it.
      ("I<PRT007666667<ZZ79", "007666667ZZ7", true), ("I<PRT007666667<ZZ77", "007666667ZZ7", true),
      ("I<SWEHVC8N3QW7<ZE17422", "HVC8N3QW7ZE1742", true), ("I<SWEHVC8N3QW7<ZE17428", "HVC8N3QW7ZE1742", true),
      ("IDBEL000590696<1015", "000590696101", true), ("I<PRT007666667<ZZ78", "007666667ZZ7", false),
    ] {
      let card = try read(
        first.padded(to: 30), "9401013F3010017BEL".padded(to: 29) + "0", "SPECIMEN<<MARIA".padded(to: 30))
      #expect(card.documentNumber == number)
      #expect(card.status(of: .documentNumber) == (isRight ? .passed : .failed), "\(first)")
      if isRight { #expect(card.linesWithCorrectCheckDigits[0] == card.lines[0]) }
    }
  }

  @Test("no card is expired by a guess of the century; Spanish and Portuguese ones are valid until 9999")
  func permanent() throws {
    func expiry(_ date: String, _ state: String, birth: String = "400101") throws -> (String?, DocumentReport) {
      let zone = try right(
        "ID\(state.padded(to: 3))BAA0000012".padded(to: 30), "\(birth)0F\(date)0\(state)".padded(to: 29) + "0",
        "ESPANOLA<<CARMEN".padded(to: 30))
      return (zone.dateOfExpiry.date?.description, try report(zone))
    }
    for (state, date, day) in [
      ("ESP", "990101", "9999-01-01"), ("ESP", "991231", "9999-12-31"), ("PRT", "991231", "9999-12-31"),
    ] {
      for birth in ["400101", "990203", "100101"] {
        let (found, report) = try expiry(date, state, birth: birth)
        #expect(found == day && report[.expiry]?.status == .passed && report.data[.dateOfExpiry] == .passed(day))
        #expect(report.result == .passed && report.data[.dateOfBirth].status == .passed)
      }
    }
    for (date, day) in [("991231", "XXXX-12-31"), ("990101", "XXXX-01-01"), ("770630", "XXXX-06-30")] {
      let (found, report) = try expiry(date, "UTO")
      #expect(found == day && report[.expiry] == DocumentCheck(.expiry, .notChecked, .expiryUnknown))
      #expect(report.result == .notChecked)
    }
    #expect(try expiry("261127", "ESP").1[.expiry]?.status == .failed)
    #expect(try expiry("000229", "ESP").0 == "2000-02-29")
    #expect(try expiry("980101", "ESP").0 == "XXXX-01-01" && expiry("990512", "ESP").0 == "XXXX-05-12")
    let passport = try right(
      "P<ESPESPANOLA<<CARMEN".padded(to: 44), "AAA0000007ESP4001011F991231".padded(to: 43) + "0")
    #expect(passport.dateOfExpiry.date?.description == "XXXX-12-31")
    #expect(try report(passport)[.expiry]?.status == .notChecked)
  }

  @Test(
    "dates of zeros or fillers are unknown, and verify nothing", arguments: ["000000", "<<<<<<", "<<0000", "0000<<"])
  func unknownDates(date: String) throws {
    func card(_ birth: String, _ expiry: String) throws -> MachineReadableZone {
      try right(
        "I<UTOD231458907".padded(to: 30), "\(birth)0F\(expiry)0UTO".padded(to: 29) + "0",
        "ERIKSSON<<ANNA".padded(to: 30))
    }
    let born = try card(date, "320415")
    #expect(born.dateOfBirth.isAbsent && born.dateOfBirth.date == nil && born.findings.isEmpty)
    let report = try report(born)
    #expect(report.data[.dateOfBirth] == .notChecked(nil, .empty) && report.data[.age].value == nil)
    #expect(report.checks[0] == DocumentCheck(.validation, .notChecked, .empty, "dateOfBirth (empty)"))
    let endless = try card("740812", date)
    #expect(endless.dateOfExpiry.isAbsent && endless.findings.isEmpty)
    // Fillers are the standard's notation for a card that does not expire.
    #expect(try self.report(endless)[.expiry]?.status == (date.contains("0") ? .notChecked : .passed))
  }

  @Test("with fillers, 00 is the year 2000")
  func year2000() throws {
    let zone = try right(
      "I<UTOD231458907".padded(to: 30), "00<<<<0F3204150UTO".padded(to: 29) + "0", "ERIKSSON<<ANNA".padded(to: 30))
    #expect(zone.dateOfBirth.date?.description == "2000-XX-XX")
  }

  @Test("a Russian internal passport is named, and digits in its names are letters")
  func russian() throws {
    let zone = try read(
      "PNRUSZDRIL7K<<SERGEQ<ANATOL9EVI3<<<<<<<<<<<<", "3919353498RUS7207233M<<<<<<<4151218910003<50")
    #expect(zone.format == .td3 && zone.documentType == .passport && zone.documentClass == .internalPassport)
    #expect(zone.surname == "ZDRILIUK" && zone.givenNames == "SERGEI ANATOLEVICH")
    #expect(zone.findings.isEmpty && zone.remarks == [MRZFinding(field: .dateOfExpiry, reason: .empty)])
    let report = try report(zone)
    #expect(report.data.documentClass?.name == "Internal passport")
    #expect(report.data[.surname] == .passed("ZDRILIUK") && report.result == .notChecked)
    // 0, 1 and 5 are no letters, and digits in names of other passports are wrong.
    for (old, new) in [("ZDRIL7K", "ZDRIL1K"), ("PNRUS", "P<RUS"), ("PNRUS", "PNUKR")] {
      let other = try read(zone.lines[0].replacing(old, with: new), zone.lines[1])
      #expect(other.findings.contains(MRZFinding(field: .name, reason: .invalidCharacters)), "\(new)")
      #expect(other.documentClass == (new == "ZDRIL1K" ? .internalPassport : .passport))
    }
    #expect(try read(zone.lines[0].replacing("PNRUS", with: "PNAGO"), zone.lines[1]).documentClass == .passport)
  }

  @Test("zones of driving licences are named, and not supported")
  func licences() throws {
    func message(_ text: String) -> String? {
      do { _ = try MachineReadableZone(text, on: Self.day) } catch { return (error as? VerifyError)?.message }
      return nil
    }
    #expect(
      message("D1FRA13AA000026181231MARTIN<<9")
        == "the one-line zone of a driving licence of France is not supported")
    #expect(message("D1NLD15094962111659VW87Z78NB84")?.contains("one-line zone of a driving licence of Neth") == true)
    let swiss = "AAA123D<<\nFACHE001234567<<600101<<<<<<<<\nMUSTER<<HANS<PETER<<<<<<<<<<<<"
    for text in [swiss, swiss.replacing("\n", with: "")] {
      #expect(message(text) == "the three-line zone of a driving licence of Switzerland is not supported")
    }
    #expect(message(swiss.replacing("CHE", with: "LIE"))?.contains("Liechtenstein") == true)
    for text in ["I<UTOD231458907<<<<<<<<<<<<<<<", "D1QQQ13AA000026181231MARTIN<<9", "D<FRA"] {
      #expect(message(text)?.contains("licence") == false, "\(text)")
    }
    for text in ["D1NLD15094962111659VW87Z78NB84", swiss] { #expect(MachineReadableZone.isText(text)) }
    for text in ["passport.jpg", "PASSPORT", "", "/photos/ABCDEFGHIJKLMNOPQRSTUVWXYZ"] {
      #expect(!MachineReadableZone.isText(text))
    }
  }

  @Test("no field passes by a zone whose lines are shifted, cut off, or changed in length")
  func shifted() throws {
    let passport = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F3204153ZE184226B<<<<<16"]
    let card = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F3204153UTO<<<<<<<<<<<2", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    func isRefuted(_ lines: [String]) throws -> Bool {
      let zone = try MachineReadableZone(lines.joined(separator: "\n"), on: Self.day)
      let data = try data(zone)
      guard zone.isMisaligned else { return false }
      for (name, field) in data.fields where field.value != nil && name != .mrzLinesWithCorrectCheckDigits {
        #expect(field.status != .passed, "\(name): \(lines)")
      }
      return true
    }
    #expect(try !isRefuted(passport))
    // Both lines cut at one side and completed at the other; the passport becomes a visa.
    for count in 1...3 {
      let fill = String(repeating: "<", count: count)
      for lines in [passport, card] {
        #expect(try isRefuted(lines.map { $0.dropFirst(count) + fill }), "left \(count)")
        #expect(try isRefuted(lines.map { fill + $0.dropLast(count) }), "right \(count)")
      }
      #expect(try isRefuted(passport.map { "V" + fill.dropLast() + $0.dropLast(count) }))
    }
    // A character more or less in the middle of the line with the check digits.
    for column in 0..<13 {
      var line = Array(passport[1])
      line.remove(at: column)
      #expect(try isRefuted([passport[0], String(line) + "<"]), "without \(column)")
      line = Array(passport[1])
      line.insert("7", at: column)
      #expect(try isRefuted([passport[0], String(line.dropLast())]), "with \(column)")
    }
    // Lines of two cards, each with right digits.
    #expect(try isRefuted(["I<UTOX234567891<<<<<<<<<<<<<<<"] + card.dropFirst()))
    // One wrong field is not a shift: the others keep their status.
    let altered = try MachineReadableZone(
      passport.joined(separator: "\n").replacing("7408122", with: "7408132"), on: Self.day)
    #expect(!altered.isMisaligned)
    #expect(try data(altered)[.surname] == .passed("ERIKSSON"))
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String { self + String(repeating: "<", count: max(0, count - self.count)) }
}
