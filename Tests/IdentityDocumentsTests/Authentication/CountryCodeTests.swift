import Testing

@testable import IdentityDocuments

@Suite struct CountryCodeTests {
  @Test(arguments: [
    ("D<<", "DE"), ("D", "DE"), ("UTO", "UT"), ("USA", "US"), ("GBR", "GB"), ("GBD", "GB"), ("RKS", "KS"),
    ("UNO", "UN"),
    ("EUE", "EU"), ("CHE", "CH"), ("ZWE", "ZW"), ("AFG", "AF"), ("de", "DE"), ("TWN", "TW"),
  ])
  func `a document's code is matched with that of a certificate`(_ code: String, _ country: String) {
    #expect(CountryName.twoLetters(code) == country)
  }

  @Test(arguments: ["", "<<<", "XYZ", "E", "DEUT", "é", "U<T", "<UT"])
  func `other codes are unknown`(_ code: String) {
    #expect(CountryName.twoLetters(code) == nil)
  }
}
