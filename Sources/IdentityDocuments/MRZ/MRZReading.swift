/// A machine-readable zone that was read from a picture.
public struct MRZReading: Sendable, Hashable, JSONConvertible {
  /// One character of the zone.
  public struct Character: Sendable, Hashable {
    /// 0...1: the probability of this character, by what was observed and what is allowed there.
    public let confidence: Double
    /// Whether another character was more likely, but would make a check digit wrong.
    public let isDecidedByCheckDigit: Bool

    /// The confidence below which a character read from a picture may be wrong. (Chosen; of 22 misread pages among 400
    /// synthetic ones, none had all characters above it and all check digits right.)
    package static let sureConfidence = 0.9

    public var isSure: Bool { confidence >= Self.sureConfidence }
  }

  public var isSure: Bool { characters.joined().allSatisfy(\.isSure) }

  public let zone: MachineReadableZone
  /// By line and column.
  public let characters: [[Character]]
  /// Mean of -log(likelihood) per character, including wrong check digits; 0 is certain.
  package let cost: Double

  public var jsonValue: JSONValue {
    let decided = characters.enumerated().flatMap { line, row in
      row.enumerated().filter { $0.element.isDecidedByCheckDigit }.map { column, _ in
        ["line": .integer(line + 1), "column": .integer(column + 1)] as JSONValue
      }
    }
    return [
      "zone": zone.jsonValue, "confidences": .array(characters.map { .array($0.map { .rounded($0.confidence, 3) }) }),
      "decidedByCheckDigit": .array(decided),
    ]
  }
}

/// One line of a machine-readable zone, read from a picture that shows no more of it.
public struct MRZLineReading: Sendable, Hashable, JSONConvertible {
  public let text: String
  /// By column.
  public let characters: [MRZReading.Character]
  /// Check digits whose fields are entirely on the line; nothing else verifies it.
  public let checkDigits: [MRZCheckDigit]
  /// Mean of -log(likelihood) per character, as ``MRZReading/cost``.
  package let cost: Double

  public var jsonValue: JSONValue {
    [
      "text": .string(text), "confidences": .array(characters.map { .rounded($0.confidence, 3) }),
      "checkDigits": checkDigits.jsonValue, "unsupported": .optional(unsupported),
    ]
  }

  /// The name of the zone that the line is of, if that is not supported: "the one-line zone of a driving licence of
  /// France". Its characters are read, but not judged.
  public var unsupported: String? { MRZText.unsupported(Array(text.utf8)) }
}
