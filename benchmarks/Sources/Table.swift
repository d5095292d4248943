import Foundation

/// The Markdown table. Rows with a goal state whether it is reached.
struct Table {
  private var lines: [String] = []
  private(set) var missed: [String] = []

  /// Adds times in milliseconds; the goal applies to the least one.
  mutating func add(_ what: String, _ timing: Timing, atMost goal: Double? = nil) {
    add(
      what, [timing.least, timing.median, timing.processor[timing.processor.count / 2]].map { Self.milliseconds($0) },
      goal: goal.map { ("≤ \(Self.milliseconds($0))", timing.least <= $0) })
  }

  /// Adds times of whole processes.
  mutating func add(_ what: String, seconds: [Double], atMost goal: Double? = nil) {
    let seconds = seconds.sorted()
    add(
      what, [seconds[0], seconds[seconds.count / 2]].map { Self.milliseconds($0) } + [""],
      goal: goal.map { ("≤ \(Self.milliseconds($0))", seconds[0] <= $0) })
  }

  /// Adds a speed-up, from the least times and from the medians.
  mutating func add(
    _ what: String, ratio: Double, median: Double, processor: Double? = nil, atLeast goal: Double? = nil
  ) {
    add(
      what, [Self.times(ratio), Self.times(median), processor.map { Self.times($0) } ?? ""],
      goal: goal.map { ("≥ \(String(format: "%g", $0)) ×", ratio >= $0) })
  }

  /// Adds the ratio of one time to another.
  mutating func add(_ what: String, ratio: Double, median: Double? = nil, atMost goal: Double) {
    add(
      what, [Self.times(ratio, 3), median.map { Self.times($0, 3) } ?? "", ""],
      goal: ("≤ \(String(format: "%g", goal)) ×", ratio <= goal))
  }

  mutating func add(_ what: String, megabytes: Double, atMost goal: Double) {
    func text(_ x: Double) -> String { String(format: "%.0f MB", x) }
    add(what, [text(megabytes), "", ""], goal: ("≤ \(text(goal))", megabytes <= goal))
  }

  mutating func add(notMeasured what: String) { add(what, ["not measured", "", ""], goal: nil) }

  private mutating func add(_ what: String, _ cells: [String], goal: (text: String, isReached: Bool)?) {
    if let goal, !goal.isReached { missed.append(what) }
    let goal = goal.map { "\($0.text) \($0.isReached ? "✓" : "✗")" } ?? ""
    lines.append("| \(([what] + cells + [goal]).joined(separator: " | ")) |")
  }

  var markdown: String {
    (["| what | least | median | processor | goal |", "|---|--:|--:|--:|--:|"] + lines).joined(separator: "\n")
  }

  private static func times(_ x: Double, _ decimals: Int = 2) -> String {
    String(format: x < 10 ? "%.\(decimals)f ×" : "%.0f ×", x)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let value = 1000 * seconds
    return String(format: value < 10 ? "%.2f ms" : value < 100 ? "%.1f ms" : "%.0f ms", value)
  }
}
