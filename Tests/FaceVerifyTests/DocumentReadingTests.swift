import FaceVerify
import Testing

@Suite struct DocumentReadingTests {
  static let lines = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]

  @Test func `a typed zone is judged by its check digits alone`() throws {
    let day = try #require(CalendarDate("2010-01-01"))
    let zone = try MachineReadableZone(Self.lines.joined(separator: "\n"), on: day)
    let reading = DocumentReading(zone, on: day)
    #expect(reading.zone == zone && reading.date == day)
    #expect(reading.pages.isEmpty && reading.chip == nil && reading.portrait == nil && reading.portraitProblem == nil)
    #expect(reading.report.data[.documentNumber] == .passed("L898902C3"))
    #expect(reading.report[.chipRead]?.status == .notChecked && reading.report[.chipRead]?.reason == .noChip)
    #expect(Self.lines.allSatisfy { reading.json.contains("\"\($0)\"") })
  }
}
