import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

/// The backslash, which avoids escaping both for JSON and for Swift.
private let backslash = "\u{5C}"

@Suite("Canonical JSON and parsing")
struct JSONCanonicalTests {
  @Test(
    "numbers are written as in RFC 8785, appendix B",
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
      (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func numbers(bits: UInt64, text: String) throws {
    let number = Double(bitPattern: bits)
    #expect(String(decoding: JSONValue.number(number).canonical, as: UTF8.self) == text)
    #expect(try JSONValue(parsing: Array(text.utf8)).double == number)
  }

  @Test("a non-finite number becomes null")
  func notFinite() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(JSONValue.number(number).canonical == Array("null".utf8))
    }
  }

  @Test("the example of RFC 8785, 3.2.2, gives its bytes")
  func example() throws {
    let text = """
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "#u20ac$#u000F#u000aA'#u0042#u0022#u005c###"#/",
        "literals": [null, true, false]
      }
      """.replacing("#", with: backslash)
    let canonical = String(decoding: try JSONValue(parsing: Array(text.utf8)).canonical, as: UTF8.self)
    let string = "€$#u000f#nA'B#\"#####\"/".replacing("#", with: backslash)
    #expect(
      canonical
        == "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"\(string)\"}"
    )
  }

  @Test("members are sorted by UTF-16 code units, as in RFC 8785, 3.2.3")
  func order() throws {
    let names = ["\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"]
    let value = JSONValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) }))
    let text = String(decoding: value.canonical, as: UTF8.self)
    let expected = names.map { $0 == "\r" ? "\"\(backslash)r\":null" : "\"\($0)\":null" }.joined(separator: ",")
    #expect(text.unicodeScalars.elementsEqual("{\(expected)}".unicodeScalars))
  }

  @Test("2000 random values survive a round trip with equal bytes")
  func roundTrip() throws {
    var random = SplitMix(state: 8785)
    func value(_ depth: Int) -> JSONValue {
      switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
      case 0: return .null
      case 1: return .bool(.random(using: &random))
      case 2: return .integer(.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random))
      case 3:
        let number = Double(bitPattern: random.next())
        return .number(number.isFinite ? number : 0.5)
      case 4:
        return .string(
          String(
            String.UnicodeScalarView(
              (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))
              })))
      case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth + 1) })
      default:
        return .object(
          Dictionary((0..<Int.random(in: 0...4, using: &random)).map { ("\($0)", value(depth + 1)) }) { a, _ in a })
      }
    }
    for _ in 0..<2000 {
      let bytes = value(0).canonical
      #expect(try JSONValue(parsing: bytes).canonical == bytes)
    }
  }

  @Test(
    "input that is not I-JSON is rejected",
    arguments: [
      "", " ", "nul", "tru", "[", "]", "{", "[1,]", "[1 2]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
      "{'a':1}",
      "{\"a\":1,\"a\":1}", "{\"a\":1,\"#u0061\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}", "\"", "\"#", "\"#x\"", "\"#u12\"",
      "\"#u12G4\"", "\"#uD800\"", "\"#uDC00\"", "\"#uD800#u0041\"", "\"#uDC00#uD800\"", "\"#uFFFF\"",
      "\"\t\"",
      "01", "-01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "-Infinity", "1e309", "1 1", "null,",
      "\u{FEFF}1",
      "[1]]", "// 1\n1", "True", "\u{A0}1",
    ])
  func refused(text: String) {
    let error = #expect(throws: VerifyError.self) {
      try JSONValue(parsing: Array(text.replacing("#", with: backslash).utf8))
    }
    #expect(error?.code == .damaged && error?.message.contains("byte") == true, "\(text)")
  }

  @Test(
    "invalid UTF-8 and noncharacters are rejected",
    arguments: [[0x22, 0xC0, 0x80, 0x22], [0x22, 0xEF, 0xB7, 0x90, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF]])
  func notUTF8(bytes: [UInt8]) {
    #expect(throws: VerifyError(.damaged, "")) { try JSONValue(parsing: bytes) }
  }

  @Test("a text too deep or too long is rejected immediately")
  func limits() throws {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)
    let time = seconds {
      #expect(throws: VerifyError(.tooLarge, "")) { try JSONValue(parsing: deep) }
    }
    #expect(time < 1)
    #expect(throws: VerifyError(.tooLarge, "")) {
      try JSONValue(parsing: Array("[1]".utf8), limits: .init(maximumBytes: 2))
    }
    let nested = Array((String(repeating: "[", count: 32) + String(repeating: "]", count: 32)).utf8)
    #expect(try JSONValue(parsing: nested).canonical == nested)
  }

  @Test("a whole number is an integer, any other is not")
  func integers() throws {
    #expect(try JSONValue(parsing: Array("-12".utf8)) == .integer(-12))
    #expect(try JSONValue(parsing: Array("12.0".utf8)) == .number(12))
    #expect(try JSONValue(parsing: Array("-0".utf8)).canonical == [0x30])
    #expect(try JSONValue(parsing: Array("9007199254740993".utf8)).canonical == Array("9007199254740992".utf8))
  }
}
