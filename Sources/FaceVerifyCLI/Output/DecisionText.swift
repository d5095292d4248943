import FaceVerify

/// A decision in words.
enum DecisionText {
  static func title(_ decision: FaceDecision) -> String {
    let rate = "for a false-match rate of \(decision.threshold.rate)"
    return switch decision.result {
    case .match: "match: alike enough \(rate)"
    case .noMatch: "no match: not alike enough \(rate)"
    case .refused: "refused: a photo is not good enough to decide"
    }
  }

  /// What the decision rests on, as names and values.
  static func lines(_ decision: FaceDecision) -> [(String, String)] {
    var lines: [(String, String)] = []
    if let comparison = decision.comparison {
      lines.append(
        (
          "score",
          "\(Text.number(comparison.score, 2)), threshold \(Text.number(decision.threshold.score, 2)) (lower is closer)"
        ))
      lines.append(("similarity", "\(Text.number(comparison.similarity, 0)) of 100"))
      let rate = Text.oneIn(comparison.falseMatchRate)
      lines.append(
        (
          "strangers",
          comparison.falseMatchRate >= 0.5
            ? "most come this close"
            : "\(comparison.isBeyondCalibration ? "fewer than " : "")\(rate) come this close "
              + "(95 % bound: \(Text.oneIn(comparison.falseMatchRateUpperBound)))"
        ))
    }
    let missed = decision.threshold.falseNonMatchRate
    lines.append(
      (
        "threshold",
        (missed.map { "misses \(Text.number(100 * $0, 1)) % of true pairs" }
          ?? "how many true pairs it misses was not measured")
          + "; measured on \(Text.count(decision.calibration.nonMatedComparisons)) pairs of strangers of "
          + decision.calibration.dataset
      ))
    lines.append(("models", "\(decision.modelVersion.set)"))
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
