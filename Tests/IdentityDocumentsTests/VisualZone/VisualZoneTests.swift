import Testing

@testable import IdentityDocuments

@Suite("VisualZone")
struct VisualZoneTests {
  private static let day = CalendarDate("2026-11-21")!
  /// A page in the order of ICAO 9303-4, captions above their values.
  private static let page = [
    ("Passport No./No du passeport", "L898902C3"), ("Surname/Nom", "ERIKSSON"), ("Given names/Prénoms", "ANNA MARIA"),
    ("Nationality/Nationalité", "UTOPIAN"), ("Date of birth/Date de naissance", "12 AUG/AOÛT 74"), ("Sex/Sexe", "F"),
    ("Date of issue/Date de délivrance", "16 APR/AVR 20"), ("Date of expiry/Date d'expiration", "15 APR/AVR 30"),
  ]

  private static func lines(_ page: [(caption: String, value: String)], confidence: Double = 0.98) -> [VisualZone.Line]
  {
    page.enumerated().flatMap { number, field in
      let top = 10 * Double(number)
      func line(_ text: String, _ top: Double, _ height: Double) -> VisualZone.Line {
        VisualZone.Line(
          text: text, confidence: confidence, left: 30, top: top, right: 30 + 1.5 * Double(text.count),
          bottom: top + height)
      }
      return [line(field.caption, top, 2), line(field.value, top + 3, 3)].filter { !$0.text.isEmpty }
    }
  }

  /// The page with other values.
  private static func page(_ changed: [String: String]) -> [(caption: String, value: String)] {
    page.map { caption, value in (caption, changed.first { caption.hasPrefix($0.key) }?.value ?? value) }
  }

  private func report(_ lines: [[VisualZone.Line]], _ change: (inout MRZContent) -> Void = { _ in }) throws
    -> DocumentReport
  {
    var content = MRZContent.specimen
    change(&content)
    let zone = try MachineReadableZone(content.lines(.td3).joined(), on: Self.day)
    return DocumentReport(
      page: try PageZone(certain: zone), chip: nil, accepted: [.page], print: lines.map { VisualZone($0) }, on: Self.day
    )
  }

  private func check(_ report: DocumentReport) -> DocumentCheck? { report[.printMatches] }

  @Test("a page that states the same as its zone passes, and changes nothing else")
  func same() throws {
    let (without, with) = (try report([]), try report([Self.lines(Self.page)]))
    #expect(check(with) == DocumentCheck(.printMatches, .passed, nil) && with.mismatches.isEmpty)
    #expect(check(without) == DocumentCheck(.printMatches, .notChecked, .oneSource) && without.printData == nil)
    #expect(with.result == .passed && with.data == without.data && with.assurance == without.assurance)
    let printed = try #require(with.printData)
    for name in [DocumentFieldName.documentNumber, .surname, .givenNames, .dateOfBirth, .dateOfExpiry, .sex] {
      #expect(printed[name].status == .passed, "\(name)")
    }
  }

  @Test(
    "another value at a caption is named, fails the document, and nobody matches it",
    arguments: [
      ("Passport", "L898982C3", DocumentFieldName.documentNumber), ("Surname", "ERIKSEN", .surname),
      ("Surname", "JONES", .surname), ("Given", "ANNA MARTA", .givenNames), ("Given", "ANNA", .givenNames),
      ("Date of birth", "12 AUG/AOÛT 94", .dateOfBirth), ("Date of birth", "13.08.1974", .dateOfBirth),
      ("Date of birth", "1974-09-12", .dateOfBirth), ("Date of expiry", "15 APR/AVR 35", .dateOfExpiry),
      ("Sex", "M", .sex),
    ])
  func altered(caption: String, value: String, name: DocumentFieldName) throws {
    let report = try report([Self.lines(Self.page([caption: value]))])
    #expect(report.mismatches.map(\.name) == [name])
    #expect(report.mismatches.first?.print == .failed(value, .sourcesDiffer))
    #expect(check(report) == DocumentCheck(.printMatches, .failed, .sourcesDiffer))
    #expect(report.result == .failed && !report.mayMatch && report.assurance == DocumentAssurance.none)
    #expect(report.data[name].status == .failed)
  }

  @Test(
    "a value that may be misread, is elsewhere, or has no caption is not checked",
    arguments: [
      ("Passport", "L8989O2C3"), ("Surname", "ERIKS5ON"), ("Surname", ""), ("Date of birth", ""),
      ("Given", "ANNA MARI"),
    ])
  func unclear(caption: String, value: String) throws {
    let report = try report([Self.lines(Self.page([caption: value]))])
    #expect(report.mismatches.isEmpty && report.result == .passed, "\(report.mismatches)")
    #expect(check(report)?.status == (caption == "Given" ? .passed : .notChecked))
  }

  @Test("a doubtful reading of another value is not checked")
  func doubtful() throws {
    let report = try report([Self.lines(Self.page(["Surname": "JONES"]), confidence: 0.85)])
    #expect(check(report) == DocumentCheck(.printMatches, .notChecked, .lowConfidence) && report.mismatches.isEmpty)
  }

  @Test("the right value in another place, or in small print below, does not replace the one at the caption")
  func elsewhere() throws {
    let page = Self.lines(Self.page(["Date of birth": "12 AUG 94"]))
    let small = VisualZone.Line(text: "12 AUG 74", confidence: 0.98, left: 30, top: 46.2, right: 40, bottom: 47)
    for lines in [page + [small], Self.lines(Self.page(["Date of birth": "12 AUG 94"]) + [("", "12 AUG 74")])] {
      #expect(try check(report([lines])) == DocumentCheck(.printMatches, .notChecked, .unverified))
    }
    let without = Self.lines(Self.page.map { ($0.0.hasPrefix("Surname") ? "" : $0.0, $0.1) })
    #expect(try check(report([without])) == DocumentCheck(.printMatches, .notChecked, .unverified))
  }

  @Test("a field for both names is compared with both")
  func wholeName() throws {
    let lines = Self.lines(Self.page(["Surname": "ERIKSSON, ANNA MARIA", "Given": ""]))
    #expect(try check(report([lines]))?.status == .passed)
  }

  @Test("a field that the zone does not verify is not checked, and nothing passes without it")
  func unverified() throws {
    let zone = try MachineReadableZone(MRZContent.specimen.lines(.td3).joined(), on: Self.day)
    for (line, column, name) in [(0, 5, DocumentFieldName.surname), (1, 0, .documentNumber), (1, 13, .dateOfBirth)] {
      let page = try PageZone(certain: zone, doubtful: (line, column))
      let report = DocumentReport(
        page: page, chip: nil, accepted: [.page], print: [VisualZone(Self.lines(Self.page))], on: Self.day)
      #expect(check(report) == DocumentCheck(.printMatches, .notChecked, .lowConfidence))
      #expect(report.printData?[name] == .notChecked(nil, .lowConfidence))
    }
  }

  @Test("a long name of letters with several spellings is compared in little time")
  func hostile() throws {
    let name = String(repeating: "Ä", count: 2000)
    let report = try report([Self.lines(Self.page(["Surname": name]))]) {
      $0.surname = String(repeating: "A", count: 30)
    }
    #expect(check(report)?.status == .failed)
  }

  @Test("each page is compared: one altered page fails")
  func pages() throws {
    let (right, wrong) = (Self.lines(Self.page), Self.lines(Self.page(["Surname": "JONES"])))
    #expect(try report([right, wrong]).result == .failed && report([wrong, right]).result == .failed)
    #expect(try check(report([right, []]))?.status == .passed)
  }

  @Test(
    "national letters are compared in every transliteration of ICAO 9303-3, section 6",
    arguments: [
      ("MÜLLER", "MUELLER"), ("MÜLLER", "MULLER"), ("MÜLLER", "MUXXLLER"), ("Ævarsdóttir", "AEVARSDOTTIR"),
      ("ØSTERGÅRD", "OESTERGAARD"), ("ØSTERGÅRD", "OSTERGARD"), ("NÚÑEZ", "NUNEZ"), ("NÚÑEZ", "NUNXXEZ"),
      ("Weiß", "WEISS"), ("ÞURIÐUR", "THURIDUR"), ("D'ARC", "DARC"), ("SMITH-JONES", "SMITH JONES"),
      ("[a] MUSTERMANN", "MUSTERMANN"),
    ])
  func transliterated(printed: String, zone: String) throws {
    let report = try report([Self.lines(Self.page(["Surname": printed]))]) { $0.surname = zone }
    #expect(report.printData?[.surname].status == .passed)
  }

  @Test(
    "dates are read in the notations of travel documents and licences",
    arguments: [
      ("12.08.1964", "1964-08-12"), ("12 08 1964", nil), ("31 DES/DEC 66", nil), ("12 AUGUST/AOUT 1974", "1974-08-12"),
      ("1960-02-08", "1960-02-08"), ("25.12.1982.", "1982-12-25"), ("20 Juin/Jun 1978", "1978-06-20"),
      ("12AUG1974", "1974-08-12"), ("08/31/1977", "1977-08-31"), ("DOB 08/31/1977", "1977-08-31"),
    ] as [(String, String?)])
  func dates(text: String, iso: String?) throws {
    let date = try #require(PrintedDate(text))
    #expect(iso == nil || date.iso == iso || date.readings.count == 2)
    let expected = ["12 08 1964": "1964-08-12", "31 DES/DEC 66": "1966-12-31"][text] ?? iso
    #expect(date.isSame(as: try #require(expected.flatMap { PartialDate($0) })))
  }

  @Test("no date is read from other text", arguments: ["", "110101/111", "31.02.2001", "12 XYZ 1974", "1 2", "2001"])
  func noDate(text: String) { #expect(PrintedDate(text) == nil) }

  @Test("captions are found in either language, with a misread letter, and two in a line")
  func captions() {
    func names(_ text: String) -> [DocumentFieldName] {
      PrintedCaption.all(in: text, style: PrintedCaption.Style([])).compactMap(\.name)
    }
    #expect(names("Prezime/Surname (1)") == [.surname] && names("Date of bírth / Geburtsdatum") == [.dateOfBirth])
    #expect(names("Dale of expiry") == [] && names("Date of expirv") == [.dateOfExpiry])
    #expect(names("Sex/Sexe Place of birth/Lieu de naissance") == [.sex, .placeOfBirth])
    #expect(names("UNITED STATES DL") == [] && names("DL I1234568") == [.documentNumber])
    #expect(names("4b. 28.02.2027") == [] && names("") == [])
    #expect(names("Number of entries / Nombre d'entrées") == [])
    #expect(PrintedCaption.Style(["1. A", "4a. 01.01.2020", "4b. 01.01.2030"]).isNumbered)
  }

  @Test("a licence's front is compared with its code, and then its data and its picture are of one card")
  func licence() throws {
    let licence = try MadeLicence(
      version: 10, issuer: "636014",
      subfiles: [
        (
          "DL",
          [
            ("DCA", "C"), ("DCB", "NONE"), ("DCD", "NONE"), ("DBA", "08312029"), ("DCS", "CARDHOLDER"), ("DDE", "N"),
            ("DAC", "IMA"), ("DDF", "N"), ("DAD", "NONE"), ("DDG", "N"), ("DBD", "08312021"), ("DBB", "08311977"),
            ("DBC", "2"), ("DAY", "BRO"), ("DAU", "065 IN"), ("DAG", "2570 24TH STREET"), ("DAI", "ANYTOWN"),
            ("DAJ", "CA"), ("DAK", "958180000  "), ("DAQ", "I1234568"), ("DCF", "00000000NONE"), ("DCG", "USA"),
          ]
        )
      ]
    ).read()
    func report(_ birth: String) -> DocumentReport {
      let front = ["DLI1234568", "LN CARDHOLDER", "FNIMA", "DOB \(birth)", "EXP 08/31/2029"]
      return DocumentReport(
        licence: licence, isFrontGiven: true, print: [VisualZone(Self.lines(front.map { ($0, "") }))],
        accepted: [.licence], on: Self.day)
    }
    let (right, wrong) = (report("08/31/1977"), report("08/31/1997"))
    #expect(right[.printMatches]?.status == .passed && right[.pagesMatch]?.status == .passed)
    #expect(right.assurance == .pageConsistent)
    #expect(wrong.result == .failed && wrong.mismatches.map(\.name) == [.dateOfBirth])
  }
}
