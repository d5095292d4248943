import FaceVerifyEvaluation
import Glibc

/// An SVG chart of a page. Every number in it is also in a table or in the JSON.
struct Chart {
  /// The colour of a mark: blue, or orange for errors.
  enum Kind: String { case live, attack }

  struct Axis {
    var from: Double
    var to: Double
    var isLogarithmic = false
    var title = ""

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
      let decimals = to - from < 0.005 ? 2 : to - from < 0.05 ? 1 : 0
      return isLogarithmic ? Text.scientific(value) : Text.number(100 * value, decimals) + " %"
    }
  }

  private let width: Double
  private let height: Double
  private let label: String
  private var body = ""

  private init(_ label: String, width: Double, height: Double) {
    (self.label, self.width, self.height) = (label, width, height)
  }

  var element: String { "<svg \(attributes)>\n\(body)</svg>" }

  var file: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \(attributes)>
    <style>
    svg { background: #ffffff; --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
      --passed: #0b65b8; --failed: #c2570c; }
    \(HTML.chartStyle)
    </style>
    \(body)</svg>
    """
  }

  private var attributes: String {
    "viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" aria-label=\"\(HTML.escaped(label))\""
  }

  private func number(_ value: Double) -> String { Text.number(value, 1) }

  private mutating func line(_ a: Point, _ b: Point, _ style: String = "grid") {
    body +=
      "<line class=\"\(style)\" x1=\"\(number(a.x))\" y1=\"\(number(a.y))\" x2=\"\(number(b.x))\" y2=\"\(number(b.y))\"/>\n"
  }

  private mutating func write(_ text: String, _ x: Double, _ y: Double, anchor: String = "start", isFaint: Bool = true)
  {
    body +=
      "<text\(isFaint ? " class=\"faint\"" : "") x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">"
      + "\(HTML.escaped(text))</text>\n"
  }

  private mutating func dot(_ place: Point, _ kind: Kind, radius: Int = 6) {
    body += "<circle class=\"point \(kind)\" cx=\"\(number(place.x))\" cy=\"\(number(place.y))\" r=\"\(radius)\"/>\n"
  }

  private mutating func path(_ places: [Point], _ kind: Kind) {
    guard let first = places.first else { return }
    let rest = places.dropFirst().map { "L\(number($0.x)) \(number($0.y))" }.joined()
    body += "<path class=\"interval \(kind)\" d=\"M\(number(first.x)) \(number(first.y))\(rest)\"/>\n"
  }

  struct Plot {
    var curve: [(x: Double, y: Double)]
    var hasDots = false
    var points: [(x: Double, y: Double, name: String)] = []
  }

  static func plot(_ label: String, _ horizontal: Axis, _ vertical: Axis, _ plot: Plot) -> Chart {
    var chart = Chart(label, width: 640, height: 440)
    let (left, right, top, bottom) = (70.0, 620.0, 16.0, 380.0)
    func place(_ x: Double, _ y: Double) -> Point {
      Point(x: left + (right - left) * horizontal.place(x), y: bottom - (bottom - top) * vertical.place(y))
    }
    for mark in horizontal.marks {
      let x = place(mark, 0).x
      chart.line(Point(x: x, y: top), Point(x: x, y: bottom))
      chart.write(horizontal.text(mark), x, bottom + 20, anchor: "middle")
    }
    for mark in vertical.marks {
      let y = place(0, mark).y
      chart.line(Point(x: left, y: y), Point(x: right, y: y))
      chart.write(vertical.text(mark), left - 8, y + 4, anchor: "end")
    }
    chart.write(horizontal.title, (left + right) / 2, bottom + 46, anchor: "middle", isFaint: false)
    chart.body +=
      "<text transform=\"translate(16 \(chart.number((top + bottom) / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "\(HTML.escaped(vertical.title))</text>\n"
    let places = plot.curve.map { place($0.x, $0.y) }
    chart.path(places, .live)
    if plot.hasDots { for place in places { chart.dot(place, .live, radius: 4) } }
    for point in plot.points {
      let place = place(point.x, point.y)
      chart.dot(place, .attack)
      chart.write(point.name, place.x + 10, place.y - 8)
    }
    return chart
  }

  /// A rate with its bounds; nil if nothing was measured.
  struct Row {
    var name: String
    var kind: Kind
    var value: Double?
    var bounds: ClosedRange<Double>?
    var text: String
  }

  /// A row per rate, and the rate that was intended.
  static func intervals(_ label: String, _ axis: Axis, target: Double? = nil, _ rows: [Row]) -> Chart {
    let (left, right, step) = (240.0, 640.0, 30.0)
    let bottom = 8 + step * Double(rows.count)
    var chart = Chart(label + " with 95 % bounds; the numbers are in the table", width: 860, height: bottom + 30)
    func x(_ value: Double) -> Double { left + (right - left) * axis.place(value) }
    for mark in axis.marks {
      chart.line(Point(x: x(mark), y: 4), Point(x: x(mark), y: bottom))
      chart.write(axis.text(mark), x(mark), bottom + 18, anchor: "middle")
    }
    if let target { chart.line(Point(x: x(target), y: 4), Point(x: x(target), y: bottom), "target") }
    for (i, row) in rows.enumerated() {
      let y = 8 + step * (Double(i) + 0.5)
      let name = row.name.count <= 30 ? row.name : row.name.prefix(29) + "…"
      chart.write(name, left - 14, y + 5, anchor: "end", isFaint: false)
      guard let value = row.value, let bounds = row.bounds else {
        chart.write(row.text, left + 10, y + 4)
        continue
      }
      chart.path([Point(x: x(bounds.lowerBound), y: y), Point(x: x(bounds.upperBound), y: y)], row.kind)
      if value > 0 || !axis.isLogarithmic { chart.dot(Point(x: x(value), y: y), row.kind) }
      chart.write(row.text, right + 16, y + 4)
    }
    return chart
  }
}

extension Text {
  static func percent(_ share: Double) -> String { number(100 * share, decimals(share)) + " %" }

  /// "1.6-11.3 %"
  static func percent(_ bounds: ClosedRange<Double>?) -> String {
    guard let bounds else { return "" }
    let decimals = decimals(bounds.upperBound)
    return "\(number(100 * bounds.lowerBound, decimals))-\(number(100 * bounds.upperBound, decimals)) %"
  }

  private static func decimals(_ share: Double) -> Int { share == 0 || share >= 0.01 ? 1 : share >= 0.001 ? 2 : 3 }

  /// "9.3e-4"
  static func scientific(_ value: Double?) -> String {
    guard let value else { return "-" }
    guard value > 0 else { return "0" }
    let exponent = Int(floor(log10(value)))
    let digits = (value / pow(10, Double(exponent)) * 10).rounded() / 10
    let (mantissa, power) = digits >= 10 ? (digits / 10, exponent + 1) : (digits, exponent)
    return (mantissa == mantissa.rounded() ? "\(Int(mantissa))" : number(mantissa, 1)) + "e\(power)"
  }

  /// "9.3e-4 to 2e-3"
  static func scientific(_ bounds: ClosedRange<Double>?) -> String {
    bounds.map { "\(scientific($0.lowerBound)) to \(scientific($0.upperBound))" } ?? ""
  }
}

extension ErrorRate {
  static let method = "exact binomial (Clopper-Pearson), two-sided, 95 %"

  /// A caveat of bounds if there are fewer subjects than trials.
  static func note(on count: Int, _ trials: String, of name: String, subjects: Int?) -> String? {
    guard let subjects, subjects < count else { return nil }
    return
      "\(name): \(count) \(trials) of \(Text.counted(subjects, "subject")): the bounds assume independent \(trials), "
      + "the true ones are wider"
  }

  /// The names of ``fields`` of each kind of rate.
  static func columns(of kinds: String...) -> [String] {
    kinds.flatMap { kind in ["count", "of", "rate", "lower", "upper"].map { "\(kind)_\($0)" } }
  }

  var range: ClosedRange<Double>? { bounds.map { $0.lower...$0.upper } }
  /// Count, trials, rate and bounds in a CSV file.
  var fields: [String] {
    ["\(count)", "\(trials)"] + [value, bounds?.lower, bounds?.upper].map { $0.map { Text.number($0, 6) } ?? "" }
  }
  /// "5 of 100"
  var counts: String { "\(Text.count(count)) of \(Text.count(trials))" }
  /// "5 of 100, 5.0 %"
  var text: String { value.map { "\(counts), \(Text.percent($0))" } ?? "0 of 0" }
  var cell: String { HTML.value(value.map(Text.percent) ?? "–", counts, Text.percent(range)) }
}
