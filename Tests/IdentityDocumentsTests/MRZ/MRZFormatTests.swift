import IdentityDocuments
import Testing

@Suite("MRZFormat")
struct MRZFormatTests {
  @Test(
    "a zone has the number of characters of its standard", arguments: zip(MRZFormat.allCases, [90, 72, 88, 88, 72]))
  func size(_ format: MRZFormat, _ characters: Int) {
    #expect(format.lineCount * format.lineLength == characters)
  }
}
