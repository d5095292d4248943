import FaceVerify
import Glibc

/// The report as text for a terminal.
extension MatchReport {
  func text(on console: Console) -> String {
    let e = evaluation
    var text =
      console.styled("\(Text.count(e.photos.count)) photos of \(Text.count(e.subjects)) people", .strong) + "\n"
    text += "  FTA       \(Self.text(failureToAcquire))\(failuresByCode)\n"
    text += "  mated     \(Text.count(e.mated))\n  non-mated \(Text.count(e.nonMated))\n"
    for note in notes { text += "  " + console.styled(note, .caution) + "\n" }
    text += "\n" + pointsTable.text(indent: 2, on: console)
    if let rate = e.equalErrorRate { text += "\n  equal error rate \(Self.percent(rate))\n" }
    if let folds = e.folds {
      text += "  accuracy \(Text.number(100 * folds.accuracy, 2)) % ± \(Text.number(100 * folds.standardError, 2)) %"
      text += " in \(folds.count) folds, the threshold of each from the others\n"
    }
    if let point = e.points.first(where: { $0.target == 1e-3 }), let share = point.shareOfWorstPhotos {
      text +=
        "  the worst 5 % of photos bear \(Text.number(100 * share, 0)) % of false matches at \(Self.name(point))\n"
    }
    for grouping in e.groupings { text += "\n" + groups(grouping, on: console) }
    text += suspected(on: console)
    return text + "bounds: \(Self.method); of groups' FNMR: exact binomial\n"
  }

  /// Caveats that precede the rates.
  var notes: [String] {
    let e = evaluation
    var notes: [String] = []
    if e.mated == 0 { notes.append("no two photos of one person: nothing is known of how often one is not matched") }
    if e.nonMated == 0 { notes.append("no two people: nothing is known of how often strangers match") }
    if e.sameFile > 0 { notes.append("\(Text.count(e.sameFile)) pairs of the same file twice are not counted") }
    if e.notCompared > 0 {
      notes.append("\(Text.count(e.notCompared)) pairs are not compared: a photo has no template")
    }
    if e.leftOut > 0 {
      notes.append("\(Text.count(e.leftOut)) pairs are left out: probably one person under two names (see the end)")
    }
    return notes
  }

  private var failuresByCode: String {
    var counts: [String: Int] = [:]
    for one in failures { counts[one.failure.code, default: 0] += 1 }
    guard !counts.isEmpty else { return "" }
    return ": "
      + counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  private var pointsTable: Table {
    var table = Table()
    table.add(
      ["threshold", "", "false matches", "FMR", "", "false non-matches", "FNMR", ""].map { .init($0, .faint) })
    for point in evaluation.points {
      // With fewer errors than the rule of 30 requires, only the order of magnitude is known at best.
      let isThin = point.falseMatches.count < MatchEvaluation.fewestErrors
      table.add([
        .init(Self.name(point)), .init(Text.number(point.threshold, 3), right: true),
        .init(Text.count(point.falseMatches.count), isThin ? .caution : nil, right: true),
        .init(Self.rate(point.falseMatches.value)), .init(Self.bounds(point.falseMatches), .faint),
        .init(Text.count(point.falseNonMatches.count), right: true),
        .init(point.falseNonMatches.value.map(Self.percent) ?? "-"),
        .init(Self.percentBounds(point.falseNonMatches), .faint),
      ])
    }
    return table
  }

  private func groups(_ grouping: MatchEvaluation.Grouping, on console: Console) -> String {
    guard let main = mainPoint else { return "" }
    let point = evaluation.points[main]
    var table = Table()
    table.add(
      [grouping.name, "photos", "FTA", "non-mated", "FMR", "", "mated", "FNMR", ""].map { .init($0, .faint) })
    let worst = grouping.worst(at: main)
    for group in grouping.groups {
      let (matches, misses) = (group.falseMatches[main], group.falseNonMatches[main])
      let isWorst = group.name == worst?.name && matches.count > 0
      table.add([
        .init(group.name, isWorst ? .bad : nil), .init(Text.count(group.photos), right: true),
        .init("\(group.notEmbedded)", right: true), .init(Text.count(matches.of), right: true),
        .init(Self.rate(matches.value), isWorst ? .bad : nil), .init(Self.bounds(matches), .faint),
        .init(Text.count(misses.of), right: true), .init(misses.value.map(Self.percent) ?? "-"),
        .init(Self.percentBounds(misses), .faint),
      ])
    }
    var text = console.styled("by \(grouping.name), at \(Self.name(point))", .strong) + "\n"
    text += table.text(indent: 2, on: console)
    text += "  " + Self.verdict(grouping, main, point).printable + "\n"
    return text
  }

  /// Describes the worst group.
  static func verdict(_ grouping: MatchEvaluation.Grouping, _ main: Int, _ point: MatchEvaluation.Point) -> String {
    let few = "of those with \(Text.count(MatchEvaluation.fewestComparisons)) comparisons or more between strangers"
    guard let worst = grouping.worst(at: main), let value = worst.falseMatches[main].value else {
      return "worst group: none has \(Text.count(MatchEvaluation.fewestComparisons)) comparisons between strangers"
    }
    guard value > 0 else { return "worst group: none; no false match in any \(few)" }
    var text = "worst group, \(few): \(worst.name), FMR \(rate(value))"
    if let all = point.falseMatches.value, all > 0 {
      text += ", \(Text.number(value / all, value < 10 * all ? 1 : 0)) times that of all"
    }
    if let strictest = grouping.strictest, let threshold = strictest.cellOfOneIn100,
      let missed = strictest.falseNonMatchesAtOneIn100
    {
      text +=
        "; with FMR 1e-2 in \(strictest.name) (threshold \(Text.number(threshold, 3))), FNMR of all \(percent(missed))"
    }
    return text
  }

  private func suspected(on console: Console) -> String {
    let e = evaluation
    var text = ""
    func list(_ title: String, _ lines: [String]) {
      guard !lines.isEmpty else { return }
      text += "\n" + console.styled("\(title): \(lines.count)", .strong) + "\n"
      for line in lines.prefix(20) { text += "  \(line)\n" }
      if lines.count > 20 { text += "  and \(lines.count - 20) more; --json lists all\n" }
    }
    list("probably one person under two names", e.sameUnderTwoNames.map(line))
    list(
      "probably somebody else: no other photo of the name comes close",
      e.strangersToTheirName.map { path($0).printable })
    list(
      "without a template",
      failures.map { "\($0.path.printable): \(Self.reason($0.path, $0.failure))" })
    return text + "\n"
  }

  /// Removes the path that most messages begin with.
  static func reason(_ path: String, _ failure: EmbeddedPhoto.Failure) -> String {
    let message = failure.message.printable
    return message.split(separator: path.printable + ": ", maxSplits: 1).last.map(String.init) ?? message
  }

  private func line(_ comparison: MatchEvaluation.Comparison) -> String {
    "\(Text.number(comparison.score, 2))  \(path(comparison.first).printable)  \(path(comparison.second).printable)"
  }

  /// "FMR 1e-3 as shipped"
  static func name(_ point: MatchEvaluation.Point) -> String {
    "FMR \(rate(point.target)) \(point.isShipped ? "as shipped" : "on these photos")"
  }

  /// "9.3e-4"
  static func rate(_ value: Double?) -> String {
    guard let value else { return "-" }
    guard value > 0 else { return "0" }
    let exponent = Int(floor(log10(value)))
    let digits = (value / pow(10, Double(exponent)) * 10).rounded() / 10
    let (number, power) = digits >= 10 ? (digits / 10, exponent + 1) : (digits, exponent)
    return (number == number.rounded() ? "\(Int(number))" : Text.number(number, 1)) + "e\(power)"
  }

  static func bounds(_ rate: MatchEvaluation.Rate) -> String {
    rate.bounds.map { "\(Self.rate($0.lowerBound)) to \(Self.rate($0.upperBound))" } ?? ""
  }

  static func percentBounds(_ rate: MatchEvaluation.Rate) -> String {
    rate.bounds.map { bounds in
      let decimals = decimals(bounds.upperBound)
      return "\(Text.number(100 * bounds.lowerBound, decimals))-\(Text.number(100 * bounds.upperBound, decimals)) %"
    } ?? ""
  }

  static func percent(_ share: Double) -> String { Text.number(100 * share, decimals(share)) + " %" }

  private static func decimals(_ share: Double) -> Int { share >= 0.1 ? 1 : 2 }

  private static func text(_ rate: ErrorRate) -> String {
    guard let value = rate.value, let bounds = rate.bounds else { return "0 of 0" }
    return "\(rate.count) of \(Text.count(rate.trials)), \(percent(value))"
      + " (\(Text.number(100 * bounds.lower, decimals(bounds.upper)))-\(Text.number(100 * bounds.upper, decimals(bounds.upper))) %)"
  }
}
