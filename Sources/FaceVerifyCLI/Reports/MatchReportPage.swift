import FaceVerifyEvaluation
import Glibc

final class MatchPictures {
  private let paths: [String]
  private let engine: FaceEngine
  private let limits: ImageLimits
  private var kept: [Int: [UInt8]] = [:]

  private static let width = 112

  init(_ paths: [String], engine: FaceEngine, limits: ImageLimits) {
    (self.paths, self.engine, self.limits) = (paths, engine, limits)
  }

  /// The face as a PNG file; nil if the photo no longer exists.
  func png(_ photo: Int) -> [UInt8]? {
    if let known = kept[photo] { return known }
    kept[photo] = try? face(paths[photo]).encodedAsPNG()
    return kept[photo]
  }

  private func face(_ path: String) throws -> PixelBuffer {
    let photo = try Photo(path: path, limits: limits)
    let pixels = try photo.pixels()
    let face = try engine.detect(photo, smallFaces: false).first
    return (face.map { pixels.portrait(of: $0.landmarks, angle: 0) } ?? pixels)
      .resized(width: Self.width, height: Self.width * 45 / 35)
  }
}

struct MatchReportPage {
  let report: MatchReport
  let pictures: MatchPictures
  private var evaluation: MatchEvaluation { report.evaluation }

  var text: String {
    let e = evaluation
    return HTML.page(
      "Matching evaluation", models: report.models,
      about: "Photos judged by the policy “\(report.policy.name)”. \(Text.count(e.photos.count)) photos of "
        + "\(Text.count(e.subjects)) subjects; \(Text.count(e.mated)) mated and \(Text.count(e.nonMated)) non-mated "
        + "comparisons.",
      legend: [
        ("FMR", "False-match rate: share of non-mated comparisons that match."),
        ("FNMR", "False non-match rate: share of mated comparisons that do not match."),
        (
          "As shipped, on these photos",
          "The threshold of the calibration for a rate, which holds for the demographic "
            + "group with the highest FMR; and the threshold at which these photos have at most that rate. Do not report "
            + "rates on photos that the threshold was chosen on."
        ), ("Bounds", "\(MatchReport.method); of the groups' FNMR, exact binomial."),
        (
          "Worst 5 % of photos",
          "Share of all false matches that involve one of the 5 % of photos with the most; 5 to "
            + "10 % is the share without such photos."
        ),
      ], standards: "ISO/IEC 19795-1",
      [rates] + e.groupings.map(groups) + [
        quality, pairs("Closest non-mated pairs", e.closest), pairs("Farthest mated pairs", e.farthest), suspected,
        failures,
      ])
  }

  private var rates: String {
    let e = evaluation
    let rows = e.points.map { point in
      [
        HTML.escaped(MatchReport.name(point)), Text.number(point.threshold, 3),
        cell(point.falseMatches, Text.scientific, Text.scientific),
        cell(point.falseNonMatches, { $0.map(Text.percent) ?? "–" }, Text.percent),
        point.falseNonMatchRateOfPeople.map(Text.percent) ?? "–",
        point.shareOfWorstPhotos.map { Text.number(100 * $0, 0) + " %" } ?? "–",
      ]
    }
    var figures = "Failure to acquire: \(report.failureToAcquire.counts) photos."
    if let rate = e.equalErrorRate { figures += " Equal error rate: \(Text.percent(rate))." }
    if let folds = e.folds {
      figures +=
        " Accuracy in \(folds.count) folds: \(Text.number(100 * folds.accuracy, 2)) ± "
        + "\(Text.number(100 * folds.standardError, 2)) %."
    }
    let curves = e.curve.isEmpty ? "" : charts([report.det, roc])
    return HTML.section(
      "Error rates", HTML.notes(report.notes),
      HTML.table(
        ["Threshold for", "Score", "FMR", "FNMR", "FNMR, mean of subjects", "Of the worst 5 % of photos"], rows),
      "<p>\(figures)</p>", curves)
  }

  private func charts(_ charts: [Chart]) -> String {
    "<div class=\"charts\">\(charts.map { "<div>\($0.element)</div>" }.joined())</div>"
  }

  private func cell(
    _ rate: MatchEvaluation.Rate, _ value: (Double?) -> String, _ bounds: (ClosedRange<Double>?) -> String
  ) -> String {
    HTML.value(value(rate.value), "\(Text.count(rate.count)) of \(Text.count(rate.of))", bounds(rate.bounds))
  }

  /// Receiver operating characteristic.
  private var roc: Chart {
    let least = evaluation.curve.map { 1 - $0.falseNonMatchRate }.min() ?? 0
    return Chart.plot(
      "ROC curve: true match rate by false-match rate", report.falseMatches,
      .init(from: min(0.9, max(0, (least * 10).rounded(.down) / 10)), to: 1, title: "TMR = 1 - FNMR"),
      .init(curve: evaluation.curve.map { ($0.falseMatchRate, 1 - $0.falseNonMatchRate) }))
  }

  private func groups(_ grouping: MatchEvaluation.Grouping) -> String {
    guard let main = report.mainPoint else { return "" }
    let point = evaluation.points[main]
    let worst = grouping.worst(at: main)?.name
    let rows = grouping.groups.map { group in
      [
        HTML.escaped(group.name) + (group.name == worst ? HTML.mark("worst") : ""),
        "\(Text.count(group.photos))<small>\(Text.counted(group.subjects, "subject"))</small>", "\(group.notEmbedded)",
        cell(group.falseMatches[main], Text.scientific, Text.scientific),
        cell(group.falseNonMatches[main], { $0.map(Text.percent) ?? "–" }, Text.percent),
      ]
    }
    return HTML.section(
      "By \(grouping.name), at \(MatchReport.name(point))",
      "<p class=\"worst\">\(HTML.escaped(MatchReport.verdict(grouping, main, point)))</p>",
      worst == nil ? "" : "<div class=\"wide\">\(chart(grouping, at: main).element)</div>",
      HTML.table(["Group", "Photos", "Without template", "FMR within the group", "FNMR"], rows))
  }

  /// The false-match rate of each group with its bounds, worst first, and the rate of the shipped calibration.
  private func chart(_ grouping: MatchEvaluation.Grouping, at point: Int) -> Chart {
    let groups = grouping.groups.filter { $0.falseMatches[point].of >= MatchEvaluation.fewestComparisons }
      .sorted { ($0.falseMatches[point].value ?? 0) > ($1.falseMatches[point].value ?? 0) }
    let target = evaluation.points[point].target
    let tops = groups.compactMap { $0.falseMatches[point].bounds?.upperBound }
    return Chart.intervals(
      "False-match rates of groups",
      .init(
        from: pow(10, log10(min(target, tops.min() ?? target) / 10).rounded(.down)),
        to: pow(10, log10(max(target, tops.max() ?? target)).rounded(.up)), isLogarithmic: true),
      target: target,
      groups.map { group in
        let rate = group.falseMatches[point]
        return Chart.Row(
          name: group.name, kind: (rate.value ?? 0) > target ? .attack : .live, value: rate.value, bounds: rate.bounds,
          text: Text.scientific(rate.value))
      })
  }

  /// The remaining errors after discarding the worst photos.
  private var quality: String {
    guard let main = report.mainPoint, evaluation.discard.count > 1 else { return "" }
    let most = evaluation.discard.map { $0.falseNonMatchRates[main] }.max() ?? 0
    let chart = Chart.plot(
      "False non-match rate by the share of comparisons left out",
      .init(from: 0, to: 0.5, title: "mated comparisons left out, worst quality first"),
      .init(from: 0, to: max(0.001, most * 1.1), title: "FNMR"),
      .init(curve: evaluation.discard.map { ($0.share, $0.falseNonMatchRates[main]) }, hasDots: true))
    return HTML.section(
      "Errors and quality",
      "<p>FNMR at \(HTML.escaped(MatchReport.name(evaluation.points[main]))) without the mated comparisons of the worst "
        + "quality. The steeper the curve falls, the better quality predicts errors.</p>", charts([chart]))
  }

  private func pairs(_ title: String, _ comparisons: [MatchEvaluation.Comparison]) -> String {
    guard !comparisons.isEmpty else { return "" }
    return HTML.section(
      title,
      HTML.grid(
        comparisons.prefix(24).map { comparison in
          let photos = [comparison.first, comparison.second]
          return HTML.figure(
            photos.map { (pictures.png($0), report.path($0)) },
            "score \(Text.number(comparison.score, 2))" + HTML.list(photos.map { HTML.code(report.path($0)) }))
        }))
  }

  private var suspected: String {
    let e = evaluation
    let strangers = e.strangersToTheirName.prefix(24).map { photo in
      HTML.figure([(pictures.png(photo), report.path(photo))], HTML.code(report.path(photo)))
    }
    return pairs("Probably one person under two names: \(e.sameUnderTwoNames.count)", e.sameUnderTwoNames)
      + (strangers.isEmpty
        ? ""
        : HTML.section(
          "Probably mislabelled: \(e.strangersToTheirName.count)", "<p>No other photo of the name comes close.</p>",
          HTML.grid(strangers)))
  }

  private var failures: String {
    let failures = report.failures
    guard !failures.isEmpty else { return "" }
    let rows = failures.prefix(500).map { path, failure in
      [HTML.code(path), HTML.escaped(failure.code), HTML.escaped(MatchReport.reason(path, failure))]
    }
    return HTML.section(
      "Without a template: \(failures.count)", HTML.table(["Photo", "Code", "Reason"], rows),
      failures.count > 500 ? "<p>and \(failures.count - 500) more</p>" : "")
  }
}
