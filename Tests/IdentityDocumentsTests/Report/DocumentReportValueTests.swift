import Testing

@testable import IdentityDocuments

@Suite("Values of a document report")
struct DocumentReportValueTests {
  @Test("canonical JSON escapes as RFC 8785 does")
  func json() {
    // RFC 8785, 3.2.2.2 and 3.2.4.
    func canonical(_ value: JSONValue) -> String { String(decoding: value.canonical, as: UTF8.self) }
    #expect(canonical("€$\u{f}\nA'B\"\\\"/") == #""€$\u000f\nA'B\"\\\"/""#)
    #expect(canonical("\u{8}\t\u{c}\r\u{7f}\u{1F602}") == "\"\\b\\t\\f\\r\u{7f}\u{1F602}\"")
    #expect(canonical(["b": "1", "a": [:], "B": .null]) == #"{"B":null,"a":{},"b":"1"}"#)
  }

  // Rows: DR12
  @Test("the canonical text of data has every field, in order")
  func canonicalData() throws {
    let day = try #require(CalendarDate("2026-11-21"))
    let zone = try MachineReadableZone(
      "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<L8988901C4XXX4009078F9612109<<<<<<<<", on: day)
    let report = DocumentReport(page: PageZone(text: zone), chip: nil, on: day)
    let text = report.data.canonicalJSON
    #expect(
      text.hasPrefix(
        #"{"age":{"status":"passed","value":"86"},"compositeCheckDigit":{"status":"not-checked","value":null},"#))
    #expect(text.contains(#""dateOfBirth":{"status":"passed","value":"1940-09-07"}"#))
    #expect(text.contains(#""type":"visa""#) && text.contains(#""hasChip":false"#))
    #expect(text.contains(#""mrzLines":{"status":"not-checked","value":"V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nL8"#))
    // From Python's json and hashlib; must not change between versions.
    #expect(report.dataSHA256 == "b45511b5e2f293856740d9203e3077d641fdb762b3aa8fa0f50bb5807233bf02")
    #expect(!text.contains(" :") && report.dataSHA256 == sha256(text.utf8))
  }

  // Rows: DR20
  @Test("fields, checks and classes have unique names")
  func names() {
    #expect(Set(DocumentFieldName.allCases).count == DocumentFieldName.allCases.count)
    #expect(Set(DocumentCheckName.allCases).count == DocumentCheckName.allCases.count)
    let names = DocumentClass.allCases.map(\.name)
    #expect(Set(names).count == names.count && names.allSatisfy { $0.first?.isUppercase == true && !$0.contains("_") })
    #expect(DocumentClass.allCases.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
    #expect(DocumentClass(code: "PD") == .diplomaticPassport && DocumentClass(code: "PX") == .passport)
    #expect(DocumentClass(code: "X") == nil && DocumentClass(code: "") == nil)
  }

  // Rows: NV42 NV45 NV46 NV48 NV52 NV53 ID-limits
  @Test(
    "values longer than clients reserve are neither truncated nor refused",
    arguments: [
      (DocumentFieldName.documentNumber, 100), (.surname, 100), (.givenNames, 100), (.issuingStateCode, 3),
      (.nationalityCode, 3), (.placeOfBirth, 255), (.address, 64), (.optionalData, 50), (.optionalData2, 50),
    ])
  func limits(name: DocumentFieldName, limit: Int) {
    let value = String(repeating: "é", count: limit + 1)
    let data = DocumentData(hasChip: false, type: .unknown, documentClass: nil, fields: [name: .passed(value)])
    #expect(name.limit == limit && data[name] == .passed(value))
  }

  // Rows: NV44
  @Test("dates: impossible ones are rejected, unknown parts are kept")
  func dates() throws {
    for text in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01T", "X026-01-01", ""] {
      #expect(PartialDate(text) == nil && CalendarDate(text) == nil)
    }
    #expect(PartialDate("XXXX-02-29") != nil && PartialDate("XXXX-02-30") == nil && PartialDate("2026-XX-31") != nil)
    #expect(CalendarDate("2024-02-29") != nil && CalendarDate("2026-XX-01") == nil)
    let month = try #require(PartialDate("2023-02-XX"))
    #expect(month.earliest?.description == "2023-02-01" && month.latest?.description == "2023-02-28")
    let day = try #require(PartialDate("2026-XX-31"))
    #expect(day.earliest?.description == "2026-01-31" && day.latest?.description == "2026-12-31")
    #expect(PartialDate("XXXX-12-24")?.latest == nil && PartialDate("XXXX-XX-XX")?.earliest == nil)
    let first = try #require(CalendarDate("2026-01-31"))
    for (other, months) in [("2026-02-28", 0), ("2026-03-01", 1), ("2027-01-31", 12), ("2026-01-30", 0)] {
      #expect(first.months(to: try #require(CalendarDate(other))) == months)
    }
    let leap = try #require(CalendarDate("2004-02-29"))
    #expect(leap.years(to: try #require(CalendarDate("2022-02-28"))) == 17)
    #expect(leap.years(to: try #require(CalendarDate("2022-03-01"))) == 18)
  }
}
