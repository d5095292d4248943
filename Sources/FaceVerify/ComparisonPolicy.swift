/// What a decision is made by.
public struct ComparisonPolicy: Sendable {
  /// How good the selfie must be.
  public var selfie: QualityPolicy = .selfie
  /// How good the portrait must be, depending on where it comes from.
  public var portrait: QualityPolicy = .documentPortrait
  /// The share of strangers that may be called a match.
  public var falseMatchRate: FalseMatchRate = .oneIn1000

  public init() {}
}
