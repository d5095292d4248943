/// The result of comparing two templates.
public struct Comparison: Sendable {
  /// The distance, normalised by the nearest cohort of both sides: smaller is closer; a person's nearest non-mated
  /// comparisons are around 0, mated comparisons below about -3.
  public let score: Double
  /// 0 to 100: 25 points per factor of ten in the upper bound of the false-match rate at this score, so 75 is the
  /// threshold for one in a thousand; 100 is one in ten thousand or less.
  public let similarity: Double
  /// The false-match rate at this score: the share of non-mated comparisons with a score at most this, in the group
  /// with the highest rate (``Calibration``).
  public let falseMatchRate: Double
  /// Upper 95 % confidence bound of ``falseMatchRate``.
  public let falseMatchRateUpperBound: Double
  /// The false-match rate at this score over all non-mated comparisons.
  public let overallFalseMatchRate: Double
  /// Upper 95 % confidence bound of ``overallFalseMatchRate``.
  public let overallFalseMatchRateUpperBound: Double
  /// Whether the score is lower than that of every false match in the calibration data: the rate is at most
  /// ``falseMatchRate``.
  public let isBeyondCalibration: Bool
  /// The operating point of the decision.
  public let threshold: Calibration.Threshold
  /// Whether ``score`` is at most the threshold's.
  public var isMatch: Bool { score <= threshold.score }

  /// - Parameter threshold: An operating point of the calibration.
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
    overallFalseMatchRateUpperBound = point.overallFalseMatchRateBounds[1]
    isBeyondCalibration = isBeyond
    similarity = calibration.similarity(of: score, portrait: threshold.portrait)
  }

  /// Returns the mean over both sides of the distance's z-score: its difference from the mean of that side's nearest
  /// cohort, in units of their deviation.
  package static func score(_ a: FaceTemplate, _ b: FaceTemplate) throws -> Double {
    let distance = try a.distance(to: b)
    func normalised(_ s: ScoreNormalisation.Statistics) -> Double { (distance - Double(s.mean)) / Double(s.deviation) }
    return (normalised(a.cohort) + normalised(b.cohort)) / 2
  }
}

extension Comparison: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "score": .rounded(score, 4), "similarity": .rounded(similarity, 1), "match": .bool(isMatch),
      "falseMatchRate": .significant(falseMatchRate, 3),
      "falseMatchRateUpperBound": .significant(falseMatchRateUpperBound, 3),
      "overallFalseMatchRate": .significant(overallFalseMatchRate, 3),
      "overallFalseMatchRateUpperBound": .significant(overallFalseMatchRateUpperBound, 3),
      "beyondCalibration": .bool(isBeyondCalibration),
    ]
  }
}
