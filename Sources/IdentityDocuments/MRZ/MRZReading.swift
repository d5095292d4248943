/// A machine readable zone that was read from a picture.
public struct MRZReading: Sendable, Hashable {
  /// One character of the zone.
  public struct Character: Sendable, Hashable {
    /// 0...1: how likely this character is, by what was seen and by what may stand there.
    public let confidence: Double
    /// Another character looked likelier, but with it a check digit would be wrong.
    public let isDecidedByCheckDigit: Bool

    /// The confidence below which a character that was read from a picture may be another one. (Chosen; of 22
    /// pages that were misread, of 400 made ones, none had all characters above and all check digits right.)
    package static let sureConfidence = 0.9

    public var isSure: Bool { confidence >= Self.sureConfidence }
  }

  public var isSure: Bool { characters.joined().allSatisfy(\.isSure) }

  public let zone: MachineReadableZone
  /// Line by line, place by place.
  public let characters: [[Character]]
  /// Mean of -log(likelihood) over the places, wrong check digits included: 0 is sure.
  package let cost: Double
}

/// One line of a machine readable zone that was read from a picture which shows no more of it.
public struct MRZLineReading: Sendable, Hashable {
  public let text: String
  /// Place by place.
  public let characters: [MRZReading.Character]
  /// Mean of -log(likelihood) over the places, as ``MRZReading/cost``.
  package let cost: Double
}
