/// What is wrong with a field of a machine readable zone.
public struct MRZFinding: Sendable, Hashable {
  public let field: MRZField
  public let reason: MRZReason

  public init(field: MRZField, reason: MRZReason) {
    self.field = field
    self.reason = reason
  }
}
