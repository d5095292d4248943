/// Whether a person is the holder of a document: what the faces say, and how far the portrait is trusted.
public struct DocumentDecision: Sendable {
  /// What the comparison of the faces says by itself.
  public let comparison: FaceDecision
  public let document: DocumentReading

  /// As the comparison, but never a match with a portrait that was altered.
  public var result: FaceDecision.Result {
    document.portrait?.trust == .altered ? .refused : comparison.result
  }

  /// Those of the comparison, and what there is to know about the portrait.
  public var reasons: [FaceDecision.Reason] {
    guard let trust = document.portrait?.trust, trust != .authentic else { return comparison.reasons }
    return [.init(code: "document.portrait-\(trust)", text: trust.text)] + comparison.reasons
  }
}
