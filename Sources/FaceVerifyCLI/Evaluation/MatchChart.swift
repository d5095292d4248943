import FaceVerify
import Glibc

/// The charts of the page. Every number in them is also in a table or in the JSON.
struct MatchChart {
  private let evaluation: MatchEvaluation

  init(_ evaluation: MatchEvaluation) { self.evaluation = evaluation }

  private static let left = 70.0
  private static let right = 620.0
  private static let top = 16.0
  private static let bottom = 380.0

  /// The range and labels of an axis.
  private struct Axis {
    let from: Double
    let to: Double
    let isLogarithmic: Bool
    let title: String

    var marks: [Double] {
      guard isLogarithmic else {
        let unit = pow(10, log10(to - from).rounded(.down))
        let step = [0.1, 0.2, 0.5, 1].map { $0 * unit }.first { (to - from) / $0 <= 6 } ?? unit
        return Array(stride(from: (from / step).rounded(.up) * step, through: to + step / 100, by: step))
      }
      return (Int(log10(from).rounded())...Int(log10(to).rounded())).map { pow(10, Double($0)) }
    }

    /// 0 to 1.
    func place(_ value: Double) -> Double {
      let share =
        isLogarithmic
        ? (log10(max(value, from)) - log10(from)) / (log10(to) - log10(from)) : (value - from) / (to - from)
      return max(0, min(1, share))
    }

    func text(_ value: Double) -> String {
      isLogarithmic ? MatchReport.rate(value) : Text.number(100 * value, to - from < 0.05 ? 1 : 0) + " %"
    }
  }

  /// The range of false-match rates drawn, down to that of a single comparison.
  private var falseMatches: Axis {
    let least = max(1e-8, pow(10, log10(1 / Double(max(evaluation.nonMated, 10))).rounded(.down)))
    return Axis(from: least, to: 1, isLogarithmic: true, title: "FMR")
  }

  /// Detection error trade-off (ISO/IEC 19795-1): both error rates, on logarithmic axes.
  var det: String {
    let least = max(1e-6, pow(10, log10(1 / Double(max(evaluation.mated, 10))).rounded(.down)))
    let vertical = Axis(from: least, to: 1, isLogarithmic: true, title: "FNMR")
    return figure("DET curve: false non-match rate by false-match rate", falseMatches, vertical) { place in
      var text = curve(place) { $0.falseNonMatchRate > 0 ? $0.falseNonMatchRate : nil }
      for point in evaluation.points where point.isShipped {
        guard let x = point.falseMatches.value, let y = point.falseNonMatches.value else { continue }
        let (px, py) = place(x, y)
        text += "<circle class=\"point attack\" cx=\"\(number(px))\" cy=\"\(number(py))\" r=\"6\"/>"
        text +=
          "<text class=\"faint\" x=\"\(number(px + 10))\" y=\"\(number(py - 8))\">\(MatchReport.name(point))</text>"
      }
      return text
    }
  }

  /// Receiver operating characteristic.
  var roc: String {
    let least = evaluation.curve.map { 1 - $0.falseNonMatchRate }.min() ?? 0
    let vertical = Axis(
      from: min(0.9, max(0, (least * 10).rounded(.down) / 10)), to: 1, isLogarithmic: false, title: "TMR = 1 - FNMR")
    return figure("ROC curve: true match rate by false-match rate", falseMatches, vertical) { place in
      curve(place) { 1 - $0.falseNonMatchRate }
    }
  }

  /// The remaining errors after discarding the worst photos.
  func discard(at point: Int) -> String {
    let most = evaluation.discard.map { $0.falseNonMatchRates[point] }.max() ?? 0
    let vertical = Axis(from: 0, to: max(0.001, most * 1.1), isLogarithmic: false, title: "FNMR")
    let horizontal = Axis(
      from: 0, to: 0.5, isLogarithmic: false, title: "mated comparisons left out, worst quality first")
    return figure("False non-match rate by the share of comparisons left out", horizontal, vertical) { place in
      let places = evaluation.discard.map { place($0.share, $0.falseNonMatchRates[point]) }
      return Self.line(places)
        + places.map { "<circle class=\"point live\" cx=\"\(number($0.0))\" cy=\"\(number($0.1))\" r=\"4\"/>" }.joined()
    }
  }

  /// The false-match rate of each group with its bounds, worst first, and the rate of the shipped calibration.
  func groups(_ grouping: MatchEvaluation.Grouping, at point: Int) -> String {
    let groups = grouping.groups.filter { $0.falseMatches[point].of >= MatchEvaluation.fewestComparisons }
      .sorted { ($0.falseMatches[point].value ?? 0) > ($1.falseMatches[point].value ?? 0) }
    let target = evaluation.points[point].target
    let lowest = groups.compactMap { $0.falseMatches[point].bounds?.upperBound }.min() ?? target
    let highest = groups.compactMap { $0.falseMatches[point].bounds?.upperBound }.max() ?? target
    let axis = Axis(
      from: pow(10, log10(min(target, lowest) / 10).rounded(.down)),
      to: pow(10, log10(max(target, highest)).rounded(.up)),
      isLogarithmic: true, title: "FMR")
    let (start, end, row) = (260.0, 760.0, 26.0)
    let bottom = 8 + row * Double(groups.count)
    func x(_ value: Double) -> Double { start + (end - start) * axis.place(value) }
    var text =
      "<svg viewBox=\"0 0 860 \(number(bottom + 30))\" role=\"img\" aria-label=\"False-match rates of groups with 95 % "
      + "bounds; the numbers are in the table\">\n<g class=\"lines\">"
    for mark in axis.marks {
      text += "<line x1=\"\(number(x(mark)))\" x2=\"\(number(x(mark)))\" y1=\"4\" y2=\"\(number(bottom))\"/>"
      text +=
        "<text class=\"faint\" x=\"\(number(x(mark)))\" y=\"\(number(bottom + 18))\" text-anchor=\"middle\">"
        + "\(axis.text(mark))</text>"
    }
    text +=
      "<line class=\"target\" x1=\"\(number(x(target)))\" x2=\"\(number(x(target)))\" y1=\"4\" y2=\"\(number(bottom))\"/></g>\n"
    for (i, group) in groups.enumerated() {
      let rate = group.falseMatches[point]
      let y = 8 + row * (Double(i) + 0.5)
      let kind = (rate.value ?? 0) > target ? "attack" : "live"
      text +=
        "<text x=\"\(number(start - 12))\" y=\"\(number(y + 5))\" text-anchor=\"end\">\(HTML.escaped(Self.short(group.name)))</text>"
      guard let bounds = rate.bounds else { continue }
      text +=
        "<path class=\"interval \(kind)\" d=\"M\(number(x(bounds.lowerBound))) \(number(y))H\(number(x(bounds.upperBound)))\"/>"
      if let value = rate.value, value > 0 {
        text += "<circle class=\"point \(kind)\" cx=\"\(number(x(value)))\" cy=\"\(number(y))\" r=\"6\"/>"
      }
      text +=
        "<text class=\"faint\" x=\"\(number(end + 12))\" y=\"\(number(y + 4))\">\(MatchReport.rate(rate.value))</text>\n"
    }
    return text + "</svg>"
  }

  /// The DET curve as a separate file.
  var standalone: String {
    det.replacing(
      "<svg ", with: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"440\" "
    ).replacing(
      "<g class=\"lines\">",
      with: """
        <style>
        svg { background: #ffffff; --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
          --passed: #0b65b8; --failed: #c2570c; }
        \(ReportPage.chartStyle)
        </style>
        <g class="lines">
        """)
  }

  private func curve(
    _ place: (Double, Double) -> (Double, Double),
    _ value: ((threshold: Double, falseMatchRate: Double, falseNonMatchRate: Double)) -> Double?
  ) -> String {
    Self.line(evaluation.curve.compactMap { point in value(point).map { place(point.falseMatchRate, $0) } })
  }

  private static func line(_ places: [(Double, Double)]) -> String {
    guard let first = places.first else { return "" }
    let rest = places.dropFirst().map { "L\(Text.number($0.0, 1)) \(Text.number($0.1, 1))" }.joined()
    return "<path class=\"interval live\" d=\"M\(Text.number(first.0, 1)) \(Text.number(first.1, 1))\(rest)\"/>"
  }

  private func figure(
    _ title: String, _ horizontal: Axis, _ vertical: Axis, _ body: ((Double, Double) -> (Double, Double)) -> String
  ) -> String {
    func x(_ value: Double) -> Double { Self.left + (Self.right - Self.left) * horizontal.place(value) }
    func y(_ value: Double) -> Double { Self.bottom - (Self.bottom - Self.top) * vertical.place(value) }
    var text = "<svg viewBox=\"0 0 640 440\" role=\"img\" aria-label=\"\(HTML.escaped(title))\">\n<g class=\"lines\">"
    for mark in horizontal.marks {
      text +=
        "<line x1=\"\(number(x(mark)))\" x2=\"\(number(x(mark)))\" y1=\"\(number(Self.top))\" y2=\"\(number(Self.bottom))\"/>"
      text +=
        "<text class=\"faint\" x=\"\(number(x(mark)))\" y=\"\(number(Self.bottom + 20))\" text-anchor=\"middle\">"
        + "\(horizontal.text(mark))</text>"
    }
    for mark in vertical.marks {
      text +=
        "<line x1=\"\(number(Self.left))\" x2=\"\(number(Self.right))\" y1=\"\(number(y(mark)))\" y2=\"\(number(y(mark)))\"/>"
      text +=
        "<text class=\"faint\" x=\"\(number(Self.left - 8))\" y=\"\(number(y(mark) + 4))\" text-anchor=\"end\">"
        + "\(vertical.text(mark))</text>"
    }
    text +=
      "</g>\n<text x=\"\(number((Self.left + Self.right) / 2))\" y=\"\(number(Self.bottom + 46))\" text-anchor=\"middle\">"
      + "\(HTML.escaped(horizontal.title))</text>"
    text +=
      "<text transform=\"translate(16 \(number((Self.top + Self.bottom) / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "\(HTML.escaped(vertical.title))</text>\n"
    return text + body { (x($0), y($1)) } + "\n</svg>"
  }

  private func number(_ value: Double) -> String { Text.number(value, 1) }

  /// Truncates text to the space next to the chart.
  private static func short(_ name: String) -> String { name.count <= 32 ? name : name.prefix(31) + "…" }
}
