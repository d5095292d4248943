import EngineTestSupport
import FaceVerify
import Testing

@Suite("Canonical JSON")
struct JSONValueTests {
  @Test("keys are sorted, slashes are not escaped, null is kept")
  func text() {
    let value: JSONValue = ["b": .null, "a": ["x/y", 1, true], "c": .number(0.25)]
    #expect(value.text == "{\n  \"a\" : [\n    \"x/y\",\n    1,\n    true\n  ],\n  \"b\" : null,\n  \"c\" : 0.25\n}\n")
  }

  @Test(
    "numbers are rounded to decimals without spurious digits",
    arguments: [
      (1.005, 2, "1"), (-0.0004, 3, "0"), (12.3456, 2, "12.35"), (-17.349, 1, "-17.3"), (0.1 + 0.2, 4, "0.3"),
    ])
  func rounded(value: Double, decimals: Int, text: String) {
    #expect(JSONValue.rounded(value, decimals).text == text + "\n")
  }

  @Test(
    "rates are rounded to significant digits",
    arguments: [
      (9.8612e-06, 3, "9.86e-06"), (0.00091512, 3, "0.000915"), (0.5639, 3, "0.564"), (123456, 3, "123000"),
      (0, 3, "0"), (-16.6849, 4, "-16.68"),
    ])
  func significant(value: Double, digits: Int, text: String) {
    #expect(JSONValue.significant(value, digits).text == text + "\n")
  }

  @Test("a non-finite number is null")
  func notFinite() {
    #expect(JSONValue.rounded(.nan, 2) == .null)
    #expect(JSONValue.significant(.infinity, 2) == .null)
    #expect(JSONValue.rounded(nil, 2) == .null)
  }

  @Test("an error has a code and a message")
  func error() {
    let error = VerifyError(.noFace, "no face in \"a\"")
    #expect(
      error.json
        == "{\n  \"error\" : {\n    \"code\" : \"no-face\",\n    \"message\" : \"no face in \\\"a\\\"\"\n  }\n}\n")
  }
}
