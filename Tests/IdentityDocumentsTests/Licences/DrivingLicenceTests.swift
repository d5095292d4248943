import IdentityDocuments
import TestSupport
import Testing

@Suite struct DrivingLicenceTests {
  private static let day = CalendarDate("2026-11-21")!

  private func read(_ text: String, on day: CalendarDate = day) throws -> DrivingLicence {
    try DrivingLicence(payload: text.unicodeScalars.map { UInt8($0.value) }, on: day)
  }

  /// The examples of the editions of 2000, 2009, 2016 and 2020 (annex D), as quoted in public.
  private static let example2000 =
    "@\n\u{1E}\rANSI 6360000102DL00390187ZV02260032DLDAQ0123456789ABC\nDAAPUBLIC,JOHN,Q\nDAG123 MAIN STREET\nDAIANYTOWN\n"
    + "DAJVA\nDAK123459999  \nDARDM  \nDAS          \nDAT     \nDAU509\nDAW175\nDAYBL \nDAZBR \nDBA20011201\nDBB19761123\n"
    + "DBCM\nDBD19961201\rZVZVAJURISDICTIONDEFINEDELEMENT\r"
  private static func example(
    _ header: String, issue: String, expiry: String, revision: String, compliance: String, hazardous: String
  ) -> String {
    "@\n\u{1E}\rANSI 636000\(header)02DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
      + "DCUJR\nDCAD\nDCBK\nDCDPH\nDBD\(issue)\nDBB06061986\nDBA\(expiry)\nDBC1\nDAU068 in\nDAYBRO\n"
      + "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\n"
      + "DDA\(compliance)\nDDB\(revision)\nDDC\(hazardous)\nDDD1\rZVZVA01\r"
  }
  private static let example2009 = example(
    "0400", issue: "06062008", expiry: "12102012", revision: "06062008", compliance: "M", hazardous: "06062009")
  private static let example2016 = example(
    "0900", issue: "06062016", expiry: "12102024", revision: "06062008", compliance: "F", hazardous: "06062009")
  private static let example2020 = example(
    "1001", issue: "06062019", expiry: "12102024", revision: "06062018", compliance: "F", hazardous: "06062020")

  @Test func `the example of the standard of 2000 is read completely`() throws {
    let licence = try read(Self.example2000, on: CalendarDate("2000-06-01")!)
    #expect(licence.version == 1 && licence.issuerNumber == "636000" && licence.jurisdictionVersion == nil)
    #expect(licence.issuer?.code == "VA" && licence.documentType == .drivingLicence)
    #expect(licence.subfiles.map(\.type) == ["DL", "ZV"])
    #expect(licence.subfiles.map(\.offset) == [39, 226] && licence.subfiles.map(\.length) == [187, 32])
    #expect(licence.findings == [])
    let report = DocumentReport(licence: licence, accepted: [.licence], on: CalendarDate("2000-06-01")!)
    #expect(report.result == .passed)
    let expected: [DocumentFieldName: String] = [
      .documentNumber: "0123456789ABC", .surname: "PUBLIC", .givenNames: "JOHN Q", .address: "123 MAIN STREET",
      .city: "ANYTOWN", .subdivision: "VA", .postalCode: "123459999", .dateOfExpiry: "2001-12-01",
      .dateOfBirth: "1976-11-23", .dateOfIssue: "1996-12-01", .sex: "M", .issuingStateCode: "USA",
      .issuingState: "United States of America", .issuingJurisdiction: "VA", .age: "23", .monthsToExpiry: "18",
    ]
    for (name, value) in expected { #expect(report.data[name] == .passed(value), "\(name)") }
    #expect(licence.elements.last?.value == "JURISDICTIONDEFINEDELEMENT")
    #expect(licence.elements.last?.reason == .jurisdictionSpecific)
  }

  @Test(arguments: [
    (example2009, 4, 0, "2010-01-01"), (example2016, 9, 0, "2020-01-01"), (example2020, 10, 1, "2020-01-01"),
  ])
  func `the examples of the later editions are read completely`(_ example: (String, Int, Int, String)) throws {
    let day = CalendarDate(example.3)!
    let licence = try read(example.0, on: day)
    #expect(licence.version == example.1 && licence.jurisdictionVersion == example.2)
    #expect(licence.findings == [])
    #expect(licence.elements.count == 29)
    let report = DocumentReport(licence: licence, accepted: [.licence], on: day)
    #expect(report.result == .passed)
    #expect(report.data[.surnameAndGivenNames] == .passed("SAMPLE MICHAEL JOHN"))
    #expect(report.data[.documentNumber] == .passed("T64235789"))
    #expect(report.data[.dateOfBirth] == .passed("1986-06-06"))
    #expect(report.data[.address] == .passed("2300 WEST BROAD STREET"))
    #expect(report.data[.postalCode] == .passed("232690000"))
    #expect(licence["DAU"]?.value == "068 in" && licence["DCU"]?.value == "JR")
  }

  /// Seed 0x11CE2CE; 2400 licences, 200 per version.
  @Test(arguments: 0...11)
  func `two hundred licences of each version are read exactly`(_ version: Int) throws {
    var dice = SplitMix(state: 0x11C_E2CE + UInt64(version))
    for _ in 0..<200 {
      let (made, person) = MadeLicence.random(version: version, by: &dice)
      let licence = try made.read()
      let unverified = version == 0
      // The elements of the card, in order, without surrounding spaces.
      let written = made.subfiles.flatMap(\.elements)
      #expect(licence.elements.map(\.id) == written.map(\.id))
      for (element, (_, text)) in zip(licence.elements, written) {
        let value = text.split(separator: " ").joined(separator: " ")
        #expect((element.value ?? "") == (value == "NONE" ? "" : value))
        let isOwn = element.subfile.hasPrefix("Z")
        let isOpen = isOwn || unverified && element.value != nil
        #expect(element.status == (isOpen ? .notChecked : .passed), "\(element)")
      }
      // In version 1 a card without a class omits it.
      #expect(unverified || licence.findings == [], "\(licence.findings)")
      let report = DocumentReport(licence: licence, accepted: [.licence], on: Self.day)
      #expect(report.result == (unverified ? .notChecked : .passed), "\(report.checks)")
      #expect(report.data.type == (person.isCard ? .idCard : .drivingLicence))
      let expected: [DocumentFieldName: String] = [
        .documentNumber: person.number, .surname: person.surname.split(separator: " ").joined(separator: " "),
        .givenNames: person.given.joined(separator: " "), .address: "\(person.street), APT 7", .city: person.city,
        .subdivision: person.subdivision, .postalCode: person.postal, .dateOfBirth: person.birth.description,
        .dateOfIssue: person.issue.description, .dateOfExpiry: person.expiry.description,
        .sex: version < 2 ? (person.sex == "1" ? "M" : "F") : ["1": "M", "2": "F", "9": "X"][person.sex]!,
        .issuingStateCode: person.country, .issuingJurisdiction: person.subdivision,
      ]
      for (name, value) in expected { #expect(report.data[name].value == value, "\(name) \(version)") }
    }
  }

  @Test func `those licences have every mandatory element of their version`() {
    for version in 1...11 {
      var seen: Set<String> = []
      var dice = SplitMix(state: 7)
      for _ in 0..<40 {
        seen.formUnion(MadeLicence.random(version: version, by: &dice).0.subfiles[0].elements.map(\.id))
      }
      for first in ["DA", "DB", "DC", "DD", "PA"] {
        for last in UInt8(ascii: "A")...UInt8(ascii: "Z") {
          let id = first + String(UnicodeScalar(last))
          guard LicenceElement.named(id, version: version)?.isMandatory == true else { continue }
          #expect(seen.contains(id), "\(version) \(id)")
        }
      }
    }
  }
}
