import FaceVerify

enum DecisionText {
  /// - Parameter result: that of the faces and a document.
  static func title(_ decision: FaceDecision, with result: FaceDecision.Result) -> String {
    result == decision.result ? title(decision) : "refused: the document is not trusted"
  }

  static func title(_ decision: FaceDecision) -> String {
    decision.result == decision.faceResult ? faceTitle(decision) : "refused: the document is not trusted"
  }

  /// The result of the faces alone.
  static func faceTitle(_ decision: FaceDecision) -> String {
    let rate = "at a false-match rate of \(decision.threshold.rate)"
    return switch decision.faceResult {
    case .match: "match \(rate)"
    case .noMatch: "no match \(rate)"
    case .refused:
      decision.comparison == nil
        ? "refused: a photo is not good enough to decide" : "refused: both pictures are copies of one"
    }
  }

  /// Scores and the basis of the decision, as names and values.
  static func lines(_ decision: FaceDecision) -> [(String, String)] {
    let point = decision.threshold.point
    let (missed, bounds) = (
      Text.number(100 * point.falseNonMatchRate, 1),
      point.falseNonMatchRateBounds.map { Text.number(100 * $0, 1) }.joined(separator: "-")
    )
    let pictures =
      switch decision.threshold.portrait {
      case .photo: "photos"
      case .chip: "simulated chip portraits"
      case .page: "simulated page portraits"
      }
    return scores(decision) + [
      (
        "calibration",
        "FNMR \(missed) % (\(bounds)) for \(pictures) at this threshold; \(Text.count(decision.calibration.nonMatedComparisons)) non-mated comparisons "
          + "of \(decision.calibration.dataset), \(Text.count(decision.calibration.groupComparisons)) within groups"
      ), ("models", "\(decision.modelVersion.set)"),
    ]
  }

  /// Score, similarity and false-match rate as names and values; empty if nothing was compared.
  static func scores(_ decision: FaceDecision) -> [(String, String)] {
    guard let comparison = decision.comparison else { return [] }
    return [
      (
        "score",
        "\(Text.number(comparison.score, 2)), threshold \(Text.number(decision.threshold.score, 2)) (lower is closer)"
      ),
      ("similarity", "\(Text.number(comparison.similarity, 0)) of 100"),
      ("false-match rate", rate(comparison)),
    ]
  }

  private static func rate(_ comparison: Comparison) -> String {
    guard comparison.falseMatchRate < 0.5 else { return "more than 1 in 2" }
    let (worst, overall) = (comparison.falseMatchRateUpperBound, comparison.overallFalseMatchRateUpperBound)
    guard !comparison.isBeyondCalibration else {
      return "below \(Text.oneIn(worst)) in the worst group; no such match was observed"
    }
    return switch comparison.threshold.rate.population {
    case .worstGroup:
      "at most \(Text.oneIn(worst)) in the worst group (95 % bound, which decides; measured "
        + "\(Text.oneIn(comparison.falseMatchRate))), \(Text.oneIn(comparison.overallFalseMatchRate)) overall"
    case .all:
      "at most \(Text.oneIn(overall)) overall (95 % bound, which decides; measured "
        + "\(Text.oneIn(comparison.overallFalseMatchRate))), \(Text.oneIn(comparison.falseMatchRate)) in the worst group"
    }
  }

  static func describe(_ side: FaceDecision.Side) -> String {
    let quality = side.quality.map { ", quality \($0) of 100" } ?? ""
    guard let sample = side.sample else { return "template\(quality)" }
    return size(sample) + quality
  }

  static func size(_ sample: FaceSample) -> String {
    "\(sample.width)×\(sample.height), \(Text.counted(sample.faces.count, "face"))"
  }
}

extension FaceDecision.Result {
  var style: Style { self == .match ? .good : self == .noMatch ? .bad : .caution }
  var status: ExitStatus { self == .match ? .done : self == .noMatch ? .noMatch : .refused }
  var check: CheckStatus { self == .match ? .passed : self == .noMatch ? .failed : .notChecked }
}

enum QualityText {
  static func title(_ quality: QualityReport) -> String {
    let score = quality.score.map { ", quality \($0) of 100" } ?? ""
    return "\(quality.isAccepted ? "accepted" : "refused") as \(quality.policy)\(score)"
  }

  static func word(_ check: QualityCheck) -> (String, Style) {
    switch (check.status, check.consequence) {
    case (.passed, _): ("passed", .good)
    case (.failed, .refuse): ("refused", .bad)
    case (.failed, _): ("warning", .caution)
    case (.notChecked, _): ("not checked", .faint)
    }
  }

  static func value(_ check: QualityCheck) -> String {
    guard let value = check.value else { return "-" }
    // A ratio needs no unit.
    return Text.short(value) + (check.unit == "ratio" || check.unit == "share" ? "" : " \(check.unit)")
  }

  static func refusal(_ photo: String, _ quality: QualityReport, on console: Console) -> String {
    console.styled("\(Input.name(photo)): \(title(quality))", .caution) + "\n"
      + quality.refusals.map { "  \($0.text)\n" }.joined()
  }
}

extension FaceSample {
  var notes: [String] { warnings.map(\.text) + [choice].compactMap(\.self) }
}
