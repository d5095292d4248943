/// One line of a machine readable zone that was read from a picture which shows no more of it.
public struct MRZLineReading: Sendable, Hashable {
  public let text: String
  /// Place by place.
  public let characters: [MRZReading.Character]
  /// As ``MRZReading/cost``.
  package let cost: Double
}
