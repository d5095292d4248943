import Testing

@testable import IdentityDocuments

@Suite("Values of a document report")
struct DocumentReportValueTests {
  @Test("timeouts are 10 to 60 s, both ends included")
  func timeouts() throws {
    for seconds in [10, 30, 60.0] {
      let configuration = try DocumentReaderConfiguration(
        readRFID: true, mrzReadTimeout: seconds, rfidReadTimeout: seconds)
      #expect(configuration.mrzReadTimeout == seconds && configuration.rfidReadTimeout == seconds)
    }
    let defaults = try DocumentReaderConfiguration(readRFID: false)
    #expect(defaults.mrzReadTimeout == 30 && defaults.rfidReadTimeout == 30)
    for seconds in [9.999, 60.001, 0, -30, .nan, .infinity] {
      #expect(throws: VerifyError(.badArgument, "")) {
        try DocumentReaderConfiguration(readRFID: true, mrzReadTimeout: seconds)
      }
      #expect(throws: VerifyError(.badArgument, "")) {
        try DocumentReaderConfiguration(readRFID: true, rfidReadTimeout: seconds)
      }
    }
  }

  @Test("statuses are read by either platform's names, and written by one")
  func statuses() {
    for status in DocumentDataStatus.all { #expect(DocumentDataStatus(name: status.rawValue) == status) }
    #expect(Set(DocumentDataStatus.all).count == 12)
    for (name, status) in [
      ("ok", DocumentDataStatus.ok), ("validationError", .validationError), ("expiredDocument", .expiredDocument),
      ("rfidPassiveAuthentication", .rfidPassiveAuthentication), ("mrzRFIDMismatch", .mrzRFIDMismatch),
      ("rfidNFCNotSupported", .rfidNFCNotSupported), ("rfidGenericError", .rfidGenericError),
      ("rfidTimeoutError", .rfidTimeout), ("rfidTimeouError", .rfidTimeout), ("userSkipedRfid", .userSkippedRFID),
    ] {
      #expect(DocumentDataStatus(name: name) == status)
    }
    #expect(DocumentDataStatus.userSkippedRFID.rawValue == "USER_SKIPPED_RFID")
    #expect(DocumentDataStatus(name: "Ok") == nil && DocumentDataStatus(name: "") == nil)
  }

  @Test("canonical JSON escapes as RFC 8785 does")
  func json() {
    // RFC 8785, 3.2.2.2 and 3.2.4.
    #expect(
      CanonicalJSON.text("€$\u{f}\nA'B\"\\\"/") == #""€$\u000f\nA'B\"\\\"/""#)
    #expect(CanonicalJSON.text("\u{8}\t\u{c}\r\u{7f}\u{1F602}") == "\"\\b\\t\\f\\r\u{7f}\u{1F602}\"")
    #expect(CanonicalJSON.object([("b", "1"), ("a", "{}"), ("B", "null")]) == #"{"B":null,"a":{},"b":1}"#)
  }

  @Test("the canonical text of data has every field, in order")
  func canonicalData() throws {
    let day = try #require(CalendarDate("2026-11-21"))
    let zone = try MachineReadableZone(
      "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<L8988901C4XXX4009078F9612109<<<<<<<<", on: day)
    let report = DocumentReaderReport(
      optical: OpticalMRZ(text: zone), chip: nil, portrait: nil, on: day,
      configuration: try DocumentReaderConfiguration(readRFID: false))
    let text = report.documentData.canonicalJSON
    #expect(text.hasPrefix(#"{"age":{"status":"OK","value":"86"},"chipPage":null,"dateOfBirth":{"status":"OK","#))
    #expect(text.contains(#""finalCheckDigit":{"status":"NOT_CHECKED","value":null}"#))
    #expect(text.contains(#""documentType":"VISA""#) && text.contains(#""hasChip":false"#))
    #expect(text.contains(#""mrzStrings":{"status":"NOT_CHECKED","value":"V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nL8"#))
    // As Python's json and hashlib have it; must stay the same from version to version.
    #expect(report.documentDataHash == "7a4050977279973d66aeeca3772265fa500e223687e9f1735767154bae8cebad")
    #expect(!text.contains(" :") && report.documentDataHash == sha256(text.utf8))
  }

  @Test("names are those of the clients, each once")
  func names() {
    #expect(Set(DocumentFieldName.all).count == DocumentFieldName.all.count)
    for name in ["mrzStringsWithCorrectCheckSums", "remainderTerm", "dsCertificateValidFrom", "cardAccessNumber"] {
      #expect(DocumentFieldName.all.contains(.init(rawValue: name)))
    }
    #expect(DocumentFieldStatus.allCases.map(\.rawValue) == ["OK", "ERROR", "NOT_CHECKED"])
    #expect(RFIDStatus.allCases.map(\.rawValue) == ["UNDEFINED", "SUCCESS", "ERROR"])
  }

  @Test("dates: what the calendar has not is refused, what is unknown is kept")
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
    #expect(PartialDate("XXXX-12-24")?.latest == nil && PartialDate("XXXX-XX-XX")?.isUnknown == true)
    let first = try #require(CalendarDate("2026-01-31"))
    for (other, months) in [("2026-02-28", 0), ("2026-03-01", 1), ("2027-01-31", 12), ("2026-01-30", 0)] {
      #expect(first.months(to: try #require(CalendarDate(other))) == months)
    }
    let leap = try #require(CalendarDate("2004-02-29"))
    #expect(leap.years(to: try #require(CalendarDate("2022-02-28"))) == 17)
    #expect(leap.years(to: try #require(CalendarDate("2022-03-01"))) == 18)
  }
}
