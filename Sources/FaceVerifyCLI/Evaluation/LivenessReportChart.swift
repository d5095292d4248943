import FaceVerify

/// The charts of the page. Every number in them is also in a table.
enum LivenessReportChart {
  private static let width = 860.0
  private static let left = 220.0
  private static let right = 640.0
  private static let row = 44.0

  /// A bar from 0 to the rate per label, with its bounds.
  static func intervals(_ evaluation: LivenessEvaluation) -> String {
    let tallies = evaluation.tallies
    let bottom = 12 + row * Double(tallies.count)
    var text =
      "<svg viewBox=\"0 0 \(number(width)) \(number(bottom + 34))\" role=\"img\" "
      + "aria-label=\"Classification error rates with 95 % bounds; the numbers are in the table above\">\n<g class=\"lines\">"
    for percent in stride(from: 0.0, through: 100, by: 20) {
      let x = place(percent / 100)
      text += "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"6\" y2=\"\(number(bottom))\"/>"
      text +=
        "<text class=\"faint\" x=\"\(x)\" y=\"\(number(bottom + 20))\" text-anchor=\"middle\">\(Int(percent)) %</text>"
    }
    text += "</g>\n"
    for (i, tally) in tallies.enumerated() { text += row(tally, y: 12 + row * (Double(i) + 0.5)) + "\n" }
    return text + "</svg>"
  }

  private static func row(_ tally: SpeciesTally, y: Double) -> String {
    let rate = tally.classificationError
    let kind = tally.label.isBonaFide ? "live" : "attack"
    let name = tally.label.isBonaFide ? "BPCER, live" : "APCER, \(tally.label.name)"
    var text =
      "<text x=\"\(number(left - 14))\" y=\"\(number(y + 5))\" text-anchor=\"end\">\(HTML.escaped(short(name)))</text>"
    guard let value = rate.value, let bounds = rate.bounds else {
      return text + "<text class=\"faint\" x=\"\(number(left + 10))\" y=\"\(number(y + 4))\">no response at all</text>"
    }
    let (from, to, point) = (place(bounds.lower), place(bounds.upper), place(value))
    text +=
      "<rect class=\"bar-fill \(kind)\" x=\"\(number(left))\" y=\"\(number(y - 9))\" "
      + "width=\"\(number((right - left) * value))\" height=\"18\"/>"
    text +=
      "<path class=\"interval \(kind)\" d=\"M\(from) \(number(y))H\(to)M\(from) \(number(y - 7))v14"
      + "M\(to) \(number(y - 7))v14\"/>"
    text += "<circle class=\"point \(kind)\" cx=\"\(point)\" cy=\"\(number(y))\" r=\"6\"/>"
    return text
      + "<text class=\"faint\" x=\"\(number(right + 16))\" y=\"\(number(y + 4))\">"
      + "\(LivenessReport.text(rate)) (\(LivenessReport.bounds(rate)))</text>"
  }

  /// A cell with a bar of how often a check passed, failed and was not checked.
  static func share(_ count: SpeciesTally.SignalCount) -> String {
    let parts = [("passed", count.passed), ("failed", count.failed), ("open", count.notChecked)]
    let bar = parts.filter { $0.1 > 0 }.map { "<i class=\"\($0.0)\" style=\"flex:\($0.1)\"></i>" }.joined()
    return "<td>\(count.passed) / \(count.failed) / \(count.notChecked)"
      + "<span class=\"bar\" aria-hidden=\"true\">\(bar)</span></td>"
  }

  private static func place(_ share: Double) -> String { number(left + (right - left) * share) }
  private static func number(_ value: Double) -> String { Text.number(value, 1) }

  /// Truncates text to the space next to the chart.
  private static func short(_ name: String) -> String { name.count <= 28 ? name : name.prefix(27) + "…" }
}
