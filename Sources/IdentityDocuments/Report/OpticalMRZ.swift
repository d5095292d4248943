/// A machine readable zone as it was read from a picture, or typed.
public struct OpticalMRZ: Sendable {
  public let zone: MachineReadableZone
  /// Of each character, by line and column, 0...1; nil if the text was not read from a picture.
  public let confidences: [[Double]]?
  /// The confidence below which a character may be another.
  public let minimumConfidence: Double

  /// - Throws: ``VerifyError/Code/badArgument`` if there are not as many confidences as characters, or one is not in
  ///   0...1.
  public init(_ zone: MachineReadableZone, confidences: [[Double]], minimumConfidence: Double) throws {
    guard confidences.map(\.count) == zone.lines.map(\.utf8.count),
      confidences.joined().allSatisfy({ (0...1).contains($0) }), (0...1).contains(minimumConfidence)
    else { throw VerifyError(.badArgument, "each character of the zone has one confidence, from 0 to 1") }
    self.zone = zone
    self.confidences = confidences
    self.minimumConfidence = minimumConfidence
  }

  /// A zone that was given as text: nothing but its check digits vouches for it.
  public init(text zone: MachineReadableZone) {
    self.zone = zone
    confidences = nil
    minimumConfidence = 1
  }

  /// Whether each of some characters was read surely; nil if that is not known.
  func isSure(_ spans: [MRZSpan]) -> Bool? {
    confidences.map { confidences in
      spans.allSatisfy { span in confidences[span.line][span.columns].allSatisfy { $0 >= minimumConfidence } }
    }
  }
}
