import TestSupport
import Testing

@testable import DocumentImaging

@Suite("CodePayload")
struct CodePayloadTests {
  private func elements(_ text: String) -> [String]? {
    CodePayload.gs1(Array(text.utf8))?.map { "(\($0.identifier))\($0.value)" }
  }

  @Test("GS1 elements end by their length or by FNC1")
  func gs1() throws {
    // GS1 General Specifications: GTIN, expiry date, batch, serial number.
    #expect(
      elements("01095011015300031725010110AB-123\u{1D}2177") == [
        "(01)09501101530003", "(17)250101", "(10)AB-123", "(21)77",
      ])
    #expect(
      elements("010950110153000331030001238008250101120000") == [
        "(01)09501101530003", "(3103)000123", "(8008)250101120000",
      ])
    #expect(elements("0109501101530003\u{1D}10A\u{1D}") == ["(01)09501101530003", "(10)A"])
    let reading = try #require(codeReader().read(DrawnCode.named("data-matrix-gs1").photo).readings.first)
    #expect(reading.gs1?.map(\.identifier) == ["01", "17", "10", "21"])
    #expect(reading.identifier == "]d2")
  }

  @Test(
    "violations of the GS1 rules yield no elements",
    arguments: [
      "", "0", "01", "0109501101530", "0A09501101530003", "10", "10\u{1D}", "10A B", "85123", "10A\u{1D}9", "310",
      "31031",
    ])
  func wrongGS1(_ text: String) { #expect(elements(text) == nil) }

  @Test("interpretations are found, doubled backslashes are not")
  func interpretations() {
    func found(_ text: String) -> [Int] { CodePayload.interpretations(Array(text.utf8)) }
    #expect(found("]Q2\\000026abc") == [26])
    #expect(found("]Q2\\000026a\\\\000003b\\000009") == [26, 9])
    #expect(found("]Q1abc") == [])
    #expect(found("\\") == [] && found("\\00002") == [] && found("\\\\\\000003") == [3])
  }

  @Test("the character set is the encoded one")
  func encodings() {
    func name(_ bytes: [UInt8], _ text: String, _ marks: [Int] = []) -> String? {
      CodePayload.encoding(of: bytes, as: text, interpretations: marks)
    }
    #expect(name(Array("abc".utf8), "abc") == "ASCII")
    #expect(name(Array("é".utf8), "é") == "UTF-8")
    #expect(name([0xE9], "é") == "ISO-8859-1")
    #expect(name([0x93, 0xFA], "日") == nil)
    #expect(name([0x93, 0xFA], "日", [20]) == "Shift_JIS")
    #expect(name([0xE9], "é", [3, 26]) == nil)
    #expect(name([0xE9], "é", [899]) == "ISO-8859-1")
  }

  @Test(
    "each kind of payload has its purpose",
    arguments: [
      ("mdoc:abc", CodePurpose.mobileLicence), ("MDOC:abc", .mobileLicence), ("https://example.org", .link),
      ("HTTP://EXAMPLE.ORG", .link), ("@\n\u{1E}\rANSI 636000", .licence),
    ])
  func purposes(_ text: String, _ purpose: CodePurpose) {
    #expect(CodePurpose(text: text) == purpose)
    #expect(CodePurpose(text: " " + text) == nil)
  }

  @Test("every file of the fuzz corpus is handled")
  func corpus() throws {
    let folder = Installed.root + "/Tests/fuzz/corpus/payload/"
    let files = names(in: folder)
    #expect(files.count > 4)
    for file in files {
      let bytes = try RegularFile.read(path: folder + file, maximumBytes: 1 << 16)
      _ = CodePayload.gs1(bytes)
      _ = CodePayload.interpretations(bytes)
    }
  }
}
