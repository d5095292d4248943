/// A machine readable zone that was read from a picture.
public struct MRZReading: Sendable, Hashable {
  /// One character of the zone.
  public struct Character: Sendable, Hashable {
    /// 0...1: how likely this character is, by what was seen and by what may stand there.
    public let confidence: Double
    /// Another character looked likelier, but with it a check digit would be wrong.
    public let isDecidedByCheckDigit: Bool
  }

  public let zone: MachineReadableZone
  /// Line by line, place by place.
  public let characters: [[Character]]
  /// Mean of -log(likelihood) over the places, wrong check digits included: 0 is sure.
  package let cost: Double
}
