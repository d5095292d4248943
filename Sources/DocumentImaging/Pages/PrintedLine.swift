/// A line of printed text on a page.
public struct PrintedLine: Sendable, Equatable {
  /// At least one character, composed (NFC).
  public let text: String
  /// The mean probability of its characters, 0 to 1.
  public let confidence: Double
  /// In pixels of the photo, clockwise from the upper left in reading direction.
  public let corners: [Point]
  /// The script of most of its letters.
  public let script: Script

  /// A script, by its name in Unicode.
  public struct Script: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let latin = Script(rawValue: "latin")
    public static let greek = Script(rawValue: "greek")
    /// Digits and punctuation only.
    public static let common = Script(rawValue: "common")
  }

  init(text: String, confidence: Double, corners: [Point]) {
    (self.text, self.confidence, self.corners) = (Self.withGreekWords(text), confidence, corners)
    let letters = self.text.filter(\.isLetter)
    let greek = letters.count(where: Self.isGreek)
    script = letters.isEmpty ? .common : 2 * greek > letters.count ? .greek : .latin
  }

  private static func isGreek(_ letter: Character) -> Bool {
    letter.unicodeScalars.allSatisfy { (0x370..<0x400).contains($0.value) }
  }

  /// Greek letters by the Latin ones of the same shape.
  private static let greekTwins = Dictionary(uniqueKeysWithValues: zip("ABEHIKMNOPTXYZo", "ΑΒΕΗΙΚΜΝΟΡΤΧΥΖο"))

  /// Replaces Latin letters by Greek ones in words that have Greek letters, and otherwise only letters of both shapes:
  /// which of two equal shapes the network chooses is random.
  private static func withGreekWords(_ text: String) -> String {
    var all = ""
    var rest = text[...]
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter == first.isLetter }
      let isOfGreek = word.contains(where: isGreek) && word.allSatisfy { isGreek($0) || greekTwins[$0] != nil }
      all += isOfGreek ? String(word.map { greekTwins[$0] ?? $0 }) : String(word)
      rest = rest.dropFirst(word.count)
    }
    return all
  }

  /// Returns the line in pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> PrintedLine {
    PrintedLine(text: text, confidence: confidence, corners: corners.map { $0.scaled(by: factor) })
  }
}

extension PrintedLine: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "text": .string(text), "confidence": .rounded(confidence, 3), "script": .string(script.rawValue),
      "corners": .array(corners.map { .array([.rounded($0.x, 1), .rounded($0.y, 1)]) }),
    ]
  }
}
