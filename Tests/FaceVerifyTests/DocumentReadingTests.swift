import FaceVerify
import Testing

@Suite struct DocumentReadingTests {
  static let lines = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]

  @Test func `a typed zone is judged by its check digits alone`() throws {
    let day = try #require(CalendarDate("2010-01-01"))
    let zone = try MachineReadableZone(Self.lines.joined(separator: "\n"), on: day)
    let reading = try DocumentReading(zone, on: day)
    #expect(reading.zone == zone && reading.date == day)
    #expect(reading.pages.isEmpty && reading.chip == nil && reading.portrait == nil && reading.portraitProblem == nil)
    #expect(reading.report.documentData[.documentNumber] == .ok("L898902C3"))
    #expect(reading.report.rfidStatus == .undefined && !reading.report.statuses.contains(.rfidTagNotFound))
    #expect(Self.lines.allSatisfy { reading.json.contains("\"\($0)\"") })
  }
}
