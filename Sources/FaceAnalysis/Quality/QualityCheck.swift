/// The result of one quality measure for one face.
public struct QualityCheck: Sendable, Hashable {
  /// The effect of a failed check under the policy.
  public enum Consequence: String, Sendable, Hashable, Codable, CaseIterable {
    /// The picture must not be used.
    case refuse
    /// The picture may be used; results are less certain.
    case warn
  }

  public let measure: QualityMeasure
  public let status: CheckStatus
  /// Set only for a failed check.
  public let consequence: Consequence?
  /// The native value in ``unit``, or nil if it could not be determined.
  public let value: Double?
  public let unit: String
  /// The value mapped to 0 to 100, higher is better; nil without a value.
  public let score: Int?
  /// The range in which the check passes; nil means no limit.
  public let minimum: Double?
  public let maximum: Double?
  /// What the person can do if the check failed, why it was not checked, or empty if it passed.
  public let advice: String
}
