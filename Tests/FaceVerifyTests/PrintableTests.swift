import EngineTestSupport
import FaceVerify
import Foundation
import Testing

@Suite("Untrusted text")
struct PrintableTests {
  @Test("visible characters of any script are kept")
  func seen() {
    for text in ["", "EF.DG1: <<", "ÅNNA", "Ελλάδα", "北京", "שלום", "عربي", "e\u{301}", "🙂", "\u{FFFD}", "\\u{1B}"] {
      #expect(text.printable == text)
    }
  }

  @Test("invisible characters, terminal controls and direction overrides are escaped")
  func escaped() {
    let all: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x180E...0x180E,
      0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
      0xFFA0...0xFFA0, 0xFFF9...0xFFFB, 0xE0001...0xE0001, 0xE0020...0xE007F,
    ]
    for scalar in all.joined().compactMap(Unicode.Scalar.init) {
      let text = "a\(Character(scalar))b".printable
      #expect(text == "a\\u{\(String(scalar.value, radix: 16, uppercase: true))}b")
      #expect(text.printable == text)
    }
    // A line break of two characters, and a joiner within one Swift Character.
    #expect("\r\n".printable == "\\u{D}\\u{A}" && "a\u{200D}b".printable == "a\\u{200D}b")
  }

  @Test("messages and log lines are printable")
  func messages() {
    #expect(VerifyError(.damaged, "\u{9B}2J\nmatch").message == "\\u{9B}2J\\u{A}match")
    #expect(code { _ = try Photo(path: "/no\u{1B}where") } == .unreadable)
  }

  @Test("JSON has the exact text, with terminal controls escaped")
  func json() throws {
    let text = "\u{0}\n\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2028}\u{E0041}\"\\é🙂"
    let json = JSONValue.object([text: .string(text)]).text
    #expect(json.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" } && json.contains("\\udb40\\udc41"))
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
    #expect(read == [text: text])
    #expect(JSONValue.string("é🙂").text == "\"é🙂\"\n")
  }
}
