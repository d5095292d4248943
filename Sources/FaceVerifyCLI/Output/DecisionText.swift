import FaceVerify

/// A decision as text.
enum DecisionText {
  static func title(_ decision: FaceDecision) -> String {
    let rate = "for a false-match rate of \(decision.threshold.rate)"
    return switch decision.result {
    case .match: "match: alike enough \(rate)"
    case .noMatch: "no match: not alike enough \(rate)"
    case .refused:
      decision.comparison == nil
        ? "refused: a photo is not good enough to decide" : "refused: both pictures are copies of one"
    }
  }

  /// Scores and the basis of the decision, as names and values.
  static func lines(_ decision: FaceDecision) -> [(String, String)] {
    let missed = Text.number(100 * decision.threshold.point.falseNonMatchRate, 1)
    return scores(decision) + [
      (
        "threshold",
        "misses \(missed) % of true pairs; measured on \(Text.count(decision.calibration.nonMatedComparisons)) pairs of "
          + "strangers, \(Text.count(decision.calibration.groupComparisons)) of them alike, of "
          + decision.calibration.dataset
      ), ("models", "\(decision.modelVersion.set)"),
    ]
  }

  /// Score, similarity and false-match rate as names and values; empty if nothing was compared.
  static func scores(_ decision: FaceDecision) -> [(String, String)] {
    var lines: [(String, String)] = []
    if let comparison = decision.comparison {
      lines.append(
        (
          "score",
          "\(Text.number(comparison.score, 2)), threshold \(Text.number(decision.threshold.score, 2)) (lower is closer)"
        ))
      lines.append(("similarity", "\(Text.number(comparison.similarity, 0)) of 100"))
      let bound = Text.oneIn(comparison.falseMatchRateUpperBound)
      lines.append(
        (
          "strangers",
          comparison.falseMatchRate >= 0.5
            ? "most come this close"
            : comparison.isBeyondCalibration
              ? "fewer than \(bound) of those who look most alike come this close; none of them was seen to"
              : "up to \(bound) of those who look most alike come this close (95 % bound, which decides; measured "
                + "\(Text.oneIn(comparison.falseMatchRate))), \(Text.oneIn(comparison.overallFalseMatchRate)) of all"
        ))
    }
    return lines
  }

  static func describe(_ side: FaceDecision.Side) -> String {
    let quality = side.quality.map { ", quality \($0) of 100" } ?? ""
    guard let sample = side.sample else { return "template\(quality)" }
    return size(sample) + quality
  }

  static func size(_ sample: FaceSample) -> String {
    "\(sample.width)×\(sample.height), \(sample.faces.count) face\(sample.faces.count == 1 ? "" : "s")"
  }

  static func style(_ result: FaceDecision.Result) -> Style {
    switch result {
    case .match: .good
    case .noMatch: .bad
    case .refused: .caution
    }
  }

  static func colour(_ result: FaceDecision.Result) -> UInt32 {
    switch result {
    case .match: FaceMarks.Colour.taken
    case .noMatch: FaceMarks.Colour.refused
    case .refused: FaceMarks.Colour.caution
    }
  }
}
