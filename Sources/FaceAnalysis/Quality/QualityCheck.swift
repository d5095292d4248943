/// What was found for one measure of one face.
public struct QualityCheck: Sendable, Hashable {
  /// What failing means to the policy.
  public enum Consequence: String, Sendable, Hashable, Codable {
    /// The picture must not be used.
    case refuse
    /// The picture may be used; results are less certain.
    case warn
  }

  public let measure: QualityMeasure
  public let status: CheckStatus
  /// Only of a failed check.
  public let consequence: Consequence?
  /// The native value in ``unit``, or nil if it could not be determined.
  public let value: Double?
  public let unit: String
  /// The value as 0 to 100, higher is better, or nil without a value.
  public let score: Int?
  /// The range in which the check passes; nil is no limit.
  public let minimum: Double?
  public let maximum: Double?
  /// What the person can do if the check failed, why it was not checked, or empty if it passed.
  public let advice: String
}
