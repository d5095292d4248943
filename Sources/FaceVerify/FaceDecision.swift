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
  public let selfie: FaceSample
  public let portrait: FaceSample
  /// SHA-256 of the files (or pixels) that were compared.
  public let selfieHash: String
  public let portraitHash: String
  public let modelSet: ModelSet
  public let modelIdentifier: String
  public let calibration: Calibration.Source?

  init(
    selfie: FaceSample, portrait: FaceSample, selfieHash: String, portraitHash: String, comparison: Comparison?,
    engine: FaceEngine
  ) {
    self.selfie = selfie
    self.portrait = portrait
    self.selfieHash = selfieHash
    self.portraitHash = portraitHash
    self.comparison = comparison
    modelSet = engine.configuration.modelSet
    modelIdentifier = engine.modelIdentifier
    calibration = engine.calibration?.source
    var reasons: [Reason] = []
    if let comparison {
      result = comparison.isMatch ? .match : .noMatch
      if !comparison.isMatch {
        reasons.append(
          Reason(
            code: "score-beyond-threshold",
            text: "the faces are less alike than the threshold for a false-match rate of \(comparison.decidedAt) asks"))
      }
    } else {
      result = .refused
    }
    for (role, sample) in [("selfie", selfie), ("portrait", portrait)] {
      for check in sample.quality.refusals + sample.quality.warnings {
        reasons.append(Reason(code: "\(role).\(check.measure.rawValue)", text: "\(role): \(check.advice)"))
      }
    }
    self.reasons = reasons
  }
}
