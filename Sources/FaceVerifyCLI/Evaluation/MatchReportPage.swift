import FaceVerify

/// Face thumbnails for the page.
final class MatchPictures {
  private let paths: [String]
  private let engine: FaceEngine
  private let limits: ImageLimits
  private var kept: [Int: String] = [:]

  private static let width = 112

  init(_ paths: [String], engine: FaceEngine, limits: ImageLimits) {
    self.paths = paths
    self.engine = engine
    self.limits = limits
  }

  /// The face as a data URL; nil if the photo no longer exists.
  func address(_ photo: Int) -> String? {
    if let known = kept[photo] { return known }
    guard let picture = try? face(paths[photo]), let png = try? picture.encodedAsPNG() else { return nil }
    let address = HTML.dataAddress(png: png)
    kept[photo] = address
    return address
  }

  private func face(_ path: String) throws -> PixelBuffer {
    let photo = try Photo(path: path, limits: limits)
    let pixels = try photo.pixels()
    let face = try engine.detect(photo, smallFaces: false).first
    return (face.map { pixels.portrait(of: $0.landmarks, angle: 0) } ?? pixels)
      .resized(width: Self.width, height: Self.width * 45 / 35)
  }
}

/// The report as one self-contained page.
struct MatchReportPage {
  private let report: MatchReport
  private let chart: MatchChart
  private let pictures: MatchPictures

  init(_ report: MatchReport, pictures: MatchPictures) {
    self.report = report
    self.pictures = pictures
    chart = MatchChart(report.evaluation)
  }

  var text: String {
    let e = report.evaluation
    return ReportPage.text(
      title: "Matching evaluation",
      about: """
        faceverify \(HTML.escaped(FaceVerifyVersion.string)), models \(HTML.escaped(report.models.set.rawValue))
        <code>\(HTML.escaped(report.models.revision))</code>, photos of policy “\(HTML.escaped(report.policy.name))”.
        \(Text.count(e.photos.count)) photos of \(Text.count(e.subjects)) people; \(Text.count(e.mated)) mated and
        \(Text.count(e.nonMated)) non-mated comparisons.
        """,
      sections: [rates] + e.groupings.map(groups) + [quality] + worst + [suspected, failures, Self.legend])
  }

  private var rates: String {
    let e = report.evaluation
    let notes = report.notes.map { "<li>\(HTML.escaped($0))</li>" }.joined()
    let rows = e.points.map { point in
      "<tr><th scope=\"row\">\(HTML.escaped(MatchReport.name(point)))</th><td>\(Text.number(point.threshold, 3))</td>"
        + cell(point.falseMatches, MatchReport.rate)
        + cell(point.falseNonMatches) { $0.map(MatchReport.percent) ?? "–" }
        + "<td>\(point.falseNonMatchRateOfPeople.map(MatchReport.percent) ?? "–")</td>"
        + "<td>\(point.shareOfWorstPhotos.map { Text.number(100 * $0, 0) + " %" } ?? "–")</td></tr>"
    }
    var figures =
      "<p>Failure to acquire: \(report.failureToAcquire.count) of \(Text.count(report.failureToAcquire.trials)) photos."
    if let rate = e.equalErrorRate { figures += " Equal error rate: \(MatchReport.percent(rate))." }
    if let folds = e.folds {
      figures +=
        " Accuracy in \(folds.count) folds: \(Text.number(100 * folds.accuracy, 2)) ± "
        + "\(Text.number(100 * folds.standardError, 2)) %."
    }
    return """
      <section>
      <h2>Error rates</h2>
      \(notes.isEmpty ? "" : "<ul class=\"notes\">\(notes)</ul>")
      <div class="wide"><table><thead><tr class="head"><th scope="col">Threshold for</th><th scope="col">Score</th>\
      <th scope="col">FMR</th><th scope="col">FNMR</th><th scope="col">FNMR, people equally</th>\
      <th scope="col">Borne by the worst 5 % of photos</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      \(figures)</p>
      \(e.curve.isEmpty ? "" : "<div class=\"charts\"><div>\(chart.det)</div><div>\(chart.roc)</div></div>")
      </section>
      """
  }

  private func cell(_ rate: MatchEvaluation.Rate, _ text: (Double?) -> String) -> String {
    let bounds = rate.bounds.map { "\(text($0.lowerBound)) to \(text($0.upperBound))" } ?? ""
    return "<td><b>\(text(rate.value))</b><small>\(Text.count(rate.count)) of \(Text.count(rate.of))</small>"
      + "<small>\(bounds)</small></td>"
  }

  private func groups(_ grouping: MatchEvaluation.Grouping) -> String {
    guard let main = report.mainPoint else { return "" }
    let point = report.evaluation.points[main]
    let worst = grouping.worst(at: main)?.name
    let rows = grouping.groups.map { group in
      let mark = group.name == worst ? " <span class=\"mark\">worst</span>" : ""
      return "<tr><th scope=\"row\">\(HTML.escaped(group.name))\(mark)</th><td>\(Text.count(group.photos))"
        + "<small>\(Text.count(group.subjects)) people</small></td><td>\(group.notEmbedded)</td>"
        + cell(group.falseMatches[main], MatchReport.rate)
        + cell(group.falseNonMatches[main]) { $0.map(MatchReport.percent) ?? "–" } + "</tr>"
    }
    let hasChart = grouping.worst(at: main) != nil
    return """
      <section>
      <h2>By \(HTML.escaped(grouping.name)), at \(HTML.escaped(MatchReport.name(point)))</h2>
      <p class="worst">\(HTML.escaped(MatchReport.verdict(grouping, main, point)))</p>
      \(hasChart ? "<div class=\"wide\">\(chart.groups(grouping, at: main))</div>" : "")
      <div class="wide"><table><thead><tr class="head"><th scope="col">Group</th><th scope="col">Photos</th>\
      <th scope="col">Without template</th><th scope="col">FMR within the group</th><th scope="col">FNMR</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      </section>
      """
  }

  private var quality: String {
    guard let main = report.mainPoint, report.evaluation.discard.count > 1 else { return "" }
    return """
      <section>
      <h2>Errors and quality</h2>
      <p>What is left of the FNMR at \(HTML.escaped(MatchReport.name(report.evaluation.points[main]))) when the mated \
      comparisons with the worst photo are left out. The steeper it falls, the more the quality score knows.</p>
      <div class="charts"><div>\(chart.discard(at: main))</div></div>
      </section>
      """
  }

  // MARK: Pairs

  private var worst: [String] {
    let e = report.evaluation
    return [pairs("Strangers who come closest", e.closest), pairs("One person, farthest apart", e.farthest)]
  }

  private func pairs(_ title: String, _ comparisons: [MatchEvaluation.Comparison]) -> String {
    guard !comparisons.isEmpty else { return "" }
    return "<section><h2>\(title)</h2>\n<div class=\"grid\">\n"
      + comparisons.prefix(24).map(figure).joined(separator: "\n") + "\n</div></section>"
  }

  private func figure(_ comparison: MatchEvaluation.Comparison) -> String {
    let images = [comparison.first, comparison.second].map { photo in
      pictures.address(photo).map { "<img src=\"\($0)\" alt=\"\(HTML.escaped(report.path(photo)))\">" } ?? ""
    }
    return """
      <figure><div class="pair">\(images.joined())</div><figcaption>score \(Text.number(comparison.score, 2))\
      <ul><li><code>\(HTML.escaped(report.path(comparison.first)))</code></li>\
      <li><code>\(HTML.escaped(report.path(comparison.second)))</code></li></ul></figcaption></figure>
      """
  }

  private var suspected: String {
    let e = report.evaluation
    var text = pairs("Probably one person under two names: \(e.sameUnderTwoNames.count)", e.sameUnderTwoNames)
    if !e.strangersToTheirName.isEmpty {
      let figures = e.strangersToTheirName.prefix(24).map { photo in
        let image = pictures.address(photo).map { "<img src=\"\($0)\" alt=\"\">" } ?? ""
        return "<figure>\(image)<figcaption><code>\(HTML.escaped(report.path(photo)))</code></figcaption></figure>"
      }
      text +=
        "<section><h2>Probably somebody else: \(e.strangersToTheirName.count)</h2>\n<p>No other photo of the name comes "
        + "close.</p>\n<div class=\"grid\">\(figures.joined(separator: "\n"))</div></section>"
    }
    return text
  }

  private var failures: String {
    let failures = report.failures
    guard !failures.isEmpty else { return "" }
    let rows = failures.prefix(500).map {
      "<tr><td><code>\(HTML.escaped($0.path))</code></td><td>\(HTML.escaped($0.failure.code))</td>"
        + "<td>\(HTML.escaped(MatchReport.reason($0.path, $0.failure)))</td></tr>"
    }
    let rest = failures.count > 500 ? "<p>and \(failures.count - 500) more</p>" : ""
    return """
      <section><h2>Without a template: \(failures.count)</h2>
      <div class="wide"><table><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>\(rest)</section>
      """
  }

  private static let legend = """
    <section>
    <h2>What the numbers mean</h2>
    <dl>
    <dt>FMR</dt><dd>False-match rate: of the comparisons between two people, those that are called a match.</dd>
    <dt>FNMR</dt><dd>False non-match rate: of the comparisons of one person with themself, those that are not.</dd>
    <dt>As shipped, on these photos</dt><dd>The threshold that the library's calibration gives for a rate, where the rate holds \
    for the group of strangers who look most alike; and the threshold at which these very photos have at most that rate. \
    Choose no threshold on the photos that you report it on.</dd>
    <dt>Bounds</dt><dd>\(MatchReport.method); of the groups' FNMR, exact binomial.</dd>
    <dt>Worst 5 % of photos</dt><dd>Which share of all false matches has one of the twentieth of photos with the most of them; \
    5 to 10 % would be nobody in particular.</dd>
    </dl>
    <p>Terms: ISO/IEC 19795-1. This is a measurement on these photos, by this version and these models, and no \
    certificate. The page holds pictures of people: treat it as you treat the photos.</p>
    </section>
    """
}
