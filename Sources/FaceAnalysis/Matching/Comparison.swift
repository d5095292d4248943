/// How two templates compare.
public struct Comparison: Sendable {
  /// The distance, normalised by both sides' nearest cohort: smaller is closer; around 0 lie a person's nearest
  /// strangers, mated comparisons below about -3.
  public let score: Double
  /// 0 to 100: 25 points for each factor of ten in the upper bound of the false-match rate that the score stands for, so
  /// 75 is the threshold for one in a thousand; 100 is one in ten thousand or less.
  public let similarity: Double
  /// The false-match rate that this very score stands for: the share of strangers who come at least as close, in the
  /// group in which they look most alike (``Calibration``).
  public let falseMatchRate: Double
  /// Upper 95 % confidence bound of ``falseMatchRate``.
  public let falseMatchRateUpperBound: Double
  /// The same share among all strangers.
  public let overallFalseMatchRate: Double
  /// The score is beyond what the calibration data can tell: the rate is at most ``falseMatchRate``.
  public let isBeyondCalibration: Bool
  /// What was decided at.
  public let threshold: Calibration.Threshold
  /// ``score`` is at most the threshold's.
  public var isMatch: Bool { score <= threshold.score }

  /// - Parameter threshold: of the calibration.
  package init(
    _ a: FaceTemplate, _ b: FaceTemplate, _ threshold: Calibration.Threshold, calibration: Calibration
  ) throws {
    let score = try Self.score(a, b)
    let (point, isBeyond) = calibration.point(at: score, portrait: threshold.portrait)
    self.score = score
    self.threshold = threshold
    falseMatchRate = point.falseMatchRate
    falseMatchRateUpperBound = point.falseMatchRateBounds[1]
    overallFalseMatchRate = point.overallFalseMatchRate
    isBeyondCalibration = isBeyond
    similarity = calibration.similarity(of: score, portrait: threshold.portrait)
  }

  /// The mean, over both sides, of the distance in units of the deviation of that side's nearest strangers, counted
  /// from their mean.
  package static func score(_ a: FaceTemplate, _ b: FaceTemplate) throws -> Double {
    let distance = try a.distance(to: b)
    func normalised(_ s: ScoreNormalisation.Statistics) -> Double {
      (distance - Double(s.mean)) / Double(s.deviation)
    }
    return (normalised(a.cohort) + normalised(b.cohort)) / 2
  }
}
