/// The answer, with everything it rests on.
public struct FaceDecision: Sendable {
  public enum Result: String, Sendable, Codable {
    case match
    case noMatch = "no-match"
    /// A photo is not good enough to decide; ``FaceDecision/reasons`` say which and why.
    case refused
  }

  /// Why a decision is not a match, or what to know about one that is.
  public struct Reason: Sendable, Codable {
    /// From a fixed list: "score-beyond-threshold", or "selfie." or "portrait." and the name of a quality measure.
    public let code: String
    /// One sentence for people.
    public let text: String
  }

  public let result: Result
  /// Never empty unless the result is a match; then it holds the warnings.
  public let reasons: [Reason]
  /// Nil if the decision was refused.
  public let comparison: Comparison?
  /// The rate that was decided at, and what was measured there.
  public let falseMatchRate: FalseMatchRate
  public let threshold: Calibration.Threshold
  public let selfie: FaceEvidence
  public let portrait: FaceEvidence
  public let modelVersion: ModelVersion
  /// The data that the threshold and the rates were measured on.
  public let calibration: Calibration.Source?

  init(
    selfie: FaceEvidence, portrait: FaceEvidence, comparison: Comparison?, threshold: Calibration.Threshold,
    falseMatchRate: FalseMatchRate, engine: FaceEngine
  ) {
    self.selfie = selfie
    self.portrait = portrait
    self.comparison = comparison
    self.threshold = threshold
    self.falseMatchRate = falseMatchRate
    modelVersion = engine.modelVersion
    calibration = engine.calibration?.source
    var reasons: [Reason] = []
    if let comparison {
      result = comparison.isMatch ? .match : .noMatch
      if !comparison.isMatch {
        reasons.append(
          Reason(
            code: "score-beyond-threshold",
            text: "The faces are less alike than a false-match rate of \(falseMatchRate) asks for."))
      }
    } else {
      result = .refused
    }
    for (role, evidence) in [("selfie", selfie), ("portrait", portrait)] {
      guard let quality = evidence.sample?.quality else { continue }
      for check in quality.refusals + quality.warnings {
        reasons.append(Reason(code: "\(role).\(check.measure.rawValue)", text: "\(role): \(check.advice)"))
      }
    }
    self.reasons = reasons
  }
}
