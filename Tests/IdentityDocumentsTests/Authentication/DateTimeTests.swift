import IdentityDocuments
import Testing

@Suite struct DateTimeTests {
  @Test func `times are ordered and written as ISO 8601`() throws {
    let early = try DateTime(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 59)
    let late = try DateTime(year: 2024, month: 3, day: 1)
    #expect(early < late)
    #expect(!(late < early))
    #expect(early.description == "2024-02-29T23:59:59Z")
    #expect(try DateTime(year: 987, month: 1, day: 2).description == "0987-01-02T00:00:00Z")
  }

  @Test(arguments: [
    [2023, 2, 29, 0, 0, 0], [1900, 2, 29, 0, 0, 0], [2024, 0, 1, 0, 0, 0], [2024, 13, 1, 0, 0, 0],
    [2024, 4, 31, 0, 0, 0], [2024, 1, 0, 0, 0, 0], [2024, 1, 1, 24, 0, 0], [2024, 1, 1, 0, 60, 0],
    [2024, 1, 1, 0, 0, 61], [0, 1, 1, 0, 0, 0], [10_000, 1, 1, 0, 0, 0],
  ])
  func `an invalid time is rejected`(_ p: [Int]) {
    #expect(
      code { _ = try DateTime(year: p[0], month: p[1], day: p[2], hour: p[3], minute: p[4], second: p[5]) }
        == .badArgument)
  }
}
