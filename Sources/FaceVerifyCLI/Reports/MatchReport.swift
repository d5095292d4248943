import FaceVerifyEvaluation
import Glibc

struct MatchReport {
  let models: ModelVersion
  let policy: QualityPolicy
  let evaluation: MatchEvaluation

  static let method = "bootstrap over subjects (1,000 resamples), never narrower than exact binomial bounds, 95 %"

  /// Photos without a template, in the order of the photos.
  var failures: [(path: String, failure: EmbeddedPhoto.Failure)] {
    evaluation.photos.compactMap { photo in photo.embedded.failure.map { (photo.embedded.path, $0) } }
  }

  var failureToAcquire: ErrorRate { ErrorRate(failures.count, of: evaluation.photos.count) }

  /// The operating point for groups and pictures: the product's default.
  var mainPoint: Int? {
    let points = evaluation.points
    return points.firstIndex { $0.isShipped && $0.target == 1e-3 } ?? points.indices.last
  }

  func path(_ photo: Int) -> String { evaluation.photos[photo].embedded.path }

  /// The range of false-match rates drawn, down to that of a single comparison.
  var falseMatches: Chart.Axis {
    let least = max(1e-8, pow(10, log10(1 / Double(max(evaluation.nonMated, 10))).rounded(.down)))
    return .init(from: least, to: 1, isLogarithmic: true, title: "FMR")
  }

  /// Detection error trade-off (ISO/IEC 19795-1): both error rates, on logarithmic axes.
  var det: Chart {
    let least = max(1e-6, pow(10, log10(1 / Double(max(evaluation.mated, 10))).rounded(.down)))
    let curve = evaluation.curve.filter { $0.falseNonMatchRate > 0 }.map { ($0.falseMatchRate, $0.falseNonMatchRate) }
    let points = evaluation.points.filter(\.isShipped).compactMap { point in
      point.falseMatches.value.flatMap { x in point.falseNonMatches.value.map { (x, $0, Self.name(point)) } }
    }
    return Chart.plot(
      "DET curve: false non-match rate by false-match rate", falseMatches,
      .init(from: least, to: 1, isLogarithmic: true, title: "FNMR"), .init(curve: curve, points: points))
  }

  var json: JSONValue {
    let e = evaluation
    return [
      "version": .string(FaceVerifyVersion.string), "models": models.jsonValue, "policy": .string(policy.name),
      "bounds": ["method": "bootstrap", "resamples": 1000, "sides": 2, "confidence": .number(0.95)],
      "photos": .integer(e.photos.count), "subjects": .integer(e.subjects),
      "failureToAcquire": failureToAcquire.jsonValue,
      "failures": list(failures) {
        ["path": .string($0.path), "code": .string($0.failure.code), "message": .string($0.failure.message)]
      },
      "comparisons": [
        "mated": .integer(e.mated), "nonMated": .integer(e.nonMated), "ofTheSameFile": .integer(e.sameFile),
        "notCompared": .integer(e.notCompared), "leftOut": .integer(e.leftOut),
      ],
      "points": list(e.points, json), "equalErrorRate": .significant(e.equalErrorRate, 4),
      "curve": list(e.curve) {
        [
          "threshold": .rounded($0.threshold, 3), "falseMatchRate": .significant($0.falseMatchRate, 6),
          "falseNonMatchRate": .significant($0.falseNonMatchRate, 6),
        ]
      },
      "groupings": list(e.groupings, json),
      "discard": list(e.discard) {
        ["discarded": .rounded($0.share, 2), "falseNonMatchRates": list($0.falseNonMatchRates) { .significant($0, 4) }]
      },
      "closest": list(e.closest, json), "farthest": list(e.farthest, json),
      "suspected": [
        "sameUnderTwoNames": list(e.sameUnderTwoNames, json),
        "strangersToTheirName": list(e.strangersToTheirName) { .string(path($0)) },
      ],
      "folds": e.folds.map {
        [
          "folds": .integer($0.count), "accuracy": .rounded($0.accuracy, 4),
          "standardError": .rounded($0.standardError, 4),
        ]
      } ?? .null,
    ]
  }

  private func list<Value>(_ values: [Value], _ json: (Value) -> JSONValue) -> JSONValue { .array(values.map(json)) }

  private func json(_ rate: MatchEvaluation.Rate) -> JSONValue {
    [
      "count": .integer(rate.count), "of": .integer(rate.of), "rate": .significant(rate.value, 6),
      "lower": .significant(rate.bounds?.lowerBound, 4), "upper": .significant(rate.bounds?.upperBound, 4),
    ]
  }

  private func json(_ point: MatchEvaluation.Point) -> JSONValue {
    [
      "falseMatchRate": .number(point.target), "from": .string(point.isShipped ? "calibration" : "data"),
      "threshold": .rounded(point.threshold, 3), "falseMatches": json(point.falseMatches),
      "falseNonMatches": json(point.falseNonMatches),
      "falseNonMatchRateOfPeople": .significant(point.falseNonMatchRateOfPeople, 4),
      "shareOfWorstPhotos": .significant(point.shareOfWorstPhotos, 4),
    ]
  }

  private func json(_ grouping: MatchEvaluation.Grouping) -> JSONValue {
    [
      "columns": .string(grouping.name),
      "worst": .array(evaluation.points.indices.map { grouping.worst(at: $0).map { .string($0.name) } ?? .null }),
      "groups": list(grouping.groups) { group in
        [
          "name": .string(group.name), "photos": .integer(group.photos), "subjects": .integer(group.subjects),
          "failureToAcquire": ErrorRate(group.notEmbedded, of: group.photos).jsonValue,
          "falseMatches": list(group.falseMatches, json), "falseNonMatches": list(group.falseNonMatches, json),
          "thresholdOfOneIn100": .rounded(group.cellOfOneIn100, 3),
          "falseNonMatchRateThere": .significant(group.falseNonMatchesAtOneIn100, 4),
        ]
      },
    ]
  }

  private func json(_ comparison: MatchEvaluation.Comparison) -> JSONValue {
    [
      "first": .string(path(comparison.first)), "second": .string(path(comparison.second)),
      "score": .rounded(comparison.score, 3),
    ]
  }

  /// One line per threshold, for all photos and per group.
  var rates: String {
    let head = ["columns", "group", "from", "target", "threshold"] + ErrorRate.columns(of: "fmr", "fnmr")
    var lines = evaluation.points.map { line(["", ""], $0, $0.falseMatches, $0.falseNonMatches) }
    for grouping in evaluation.groupings {
      for group in grouping.groups {
        for (i, point) in evaluation.points.enumerated() {
          lines.append(line([grouping.name, group.name], point, group.falseMatches[i], group.falseNonMatches[i]))
        }
      }
    }
    return CSV.text([head] + lines)
  }

  private func line(
    _ name: [String], _ point: MatchEvaluation.Point, _ falseMatches: MatchEvaluation.Rate,
    _ falseNonMatches: MatchEvaluation.Rate
  ) -> [String] {
    name + [point.isShipped ? "calibration" : "data", "\(point.target)", Text.number(point.threshold, 3)]
      + [falseMatches, falseNonMatches].flatMap { rate in
        ["\(rate.count)", "\(rate.of)"]
          + [rate.value, rate.bounds?.lowerBound, rate.bounds?.upperBound].map { $0.map { "\(Float($0))" } ?? "" }
      }
  }

  var details: String {
    CSV.text(
      [["path", "subject", "sha256", "quality", "failure", "message"]]
        + evaluation.photos.map { photo in
          let e = photo.embedded
          return [
            e.path, photo.subject, e.sha256 ?? "", e.quality.map(String.init) ?? "", e.failure?.code ?? "",
            e.failure?.message ?? "",
          ]
        })
  }

  func writeScores(pairs: [MatchEvaluation.Pair]?, to path: String) throws {
    let names = evaluation.photos.map { CSV.field($0.embedded.path) }
    try RegularFile.write(to: path) { append in
      var lines = ContiguousArray("first,second,same,score\n".utf8)
      try evaluation.forEachComparison(pairs: pairs) { first, second, isMated, score in
        lines += "\(names[first]),\(names[second]),\(isMated ? 1 : 0),\(score)\n".utf8
        guard lines.count > 1 << 20 else { return }
        try append(lines)
        lines.removeAll(keepingCapacity: true)
      }
      try append(lines)
    }
  }
}

extension MatchReport {
  func text(on console: Console) -> String {
    let e = evaluation
    var text =
      console.styled("\(Text.count(e.photos.count)) photos of \(Text.count(e.subjects)) people", .strong) + "\n"
    text += "  FTA       \(failureToAcquire.text) (\(Text.percent(failureToAcquire.range)))\(failuresByCode)\n"
    text += "  mated     \(Text.count(e.mated))\n  non-mated \(Text.count(e.nonMated))\n"
    for note in notes { text += "  " + console.styled(note, .caution) + "\n" }
    text += "\n" + pointsTable.text(indent: 2, on: console)
    if let rate = e.equalErrorRate { text += "\n  equal error rate \(Text.percent(rate))\n" }
    if let folds = e.folds {
      text += "  accuracy \(Text.number(100 * folds.accuracy, 2)) % ± \(Text.number(100 * folds.standardError, 2)) %"
      text += " in \(folds.count) folds, the threshold of each from the others\n"
    }
    if let point = e.points.first(where: { $0.target == 1e-3 }), let share = point.shareOfWorstPhotos {
      text +=
        "  the worst 5 % of photos cause \(Text.number(100 * share, 0)) % of false matches at \(Self.name(point))\n"
    }
    for grouping in e.groupings { text += "\n" + groups(grouping, on: console) }
    text += suspected(on: console)
    return text + "bounds: \(Self.method); of groups' FNMR: exact binomial\n"
  }

  var notes: [String] {
    let e = evaluation
    var notes: [String] = []
    if e.mated == 0 { notes.append("no mated comparisons: FNMR is unknown") }
    if e.nonMated == 0 { notes.append("no non-mated comparisons: FMR is unknown") }
    if e.sameFile > 0 { notes.append("\(Text.count(e.sameFile)) pairs of identical files are not counted") }
    if e.notCompared > 0 {
      notes.append("\(Text.count(e.notCompared)) pairs are not compared: a photo has no template")
    }
    if e.leftOut > 0 {
      notes.append("\(Text.count(e.leftOut)) pairs are left out: probably one person under two names, listed below")
    }
    return notes
  }

  private var failuresByCode: String {
    let counts = failures.reduce(into: [:]) { $0[$1.failure.code, default: 0] += 1 }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.isEmpty ? "" : ": " + sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  private var pointsTable: Table {
    var table = Table()
    table.head(["threshold", "", "false matches", "FMR", "", "false non-matches", "FNMR", ""])
    for point in evaluation.points {
      // With fewer errors than the rule of 30 requires, only the order of magnitude is known at best.
      let isThin = point.falseMatches.count < MatchEvaluation.fewestErrors
      table.add([
        .init(Self.name(point)), .init(Text.number(point.threshold, 3), right: true),
        .init(Text.count(point.falseMatches.count), isThin ? .caution : nil, right: true),
        .init(Text.scientific(point.falseMatches.value)), .init(Text.scientific(point.falseMatches.bounds), .faint),
        .init(Text.count(point.falseNonMatches.count), right: true),
        .init(point.falseNonMatches.value.map(Text.percent) ?? "-"),
        .init(Text.percent(point.falseNonMatches.bounds), .faint),
      ])
    }
    return table
  }

  private func groups(_ grouping: MatchEvaluation.Grouping, on console: Console) -> String {
    guard let main = mainPoint else { return "" }
    let point = evaluation.points[main]
    var table = Table()
    table.head([grouping.name, "photos", "FTA", "non-mated", "FMR", "", "mated", "FNMR", ""])
    let worst = grouping.worst(at: main)
    for group in grouping.groups {
      let (matches, misses) = (group.falseMatches[main], group.falseNonMatches[main])
      let isWorst = group.name == worst?.name && matches.count > 0
      table.add([
        .init(group.name, isWorst ? .bad : nil), .init(Text.count(group.photos), right: true),
        .init("\(group.notEmbedded)", right: true), .init(Text.count(matches.of), right: true),
        .init(Text.scientific(matches.value), isWorst ? .bad : nil), .init(Text.scientific(matches.bounds), .faint),
        .init(Text.count(misses.of), right: true), .init(misses.value.map(Text.percent) ?? "-"),
        .init(Text.percent(misses.bounds), .faint),
      ])
    }
    return console.styled("by \(grouping.name), at \(Self.name(point))", .strong) + "\n"
      + table.text(indent: 2, on: console) + "  " + Self.verdict(grouping, main, point).printable + "\n"
  }

  static func verdict(_ grouping: MatchEvaluation.Grouping, _ main: Int, _ point: MatchEvaluation.Point) -> String {
    let few = "of those with at least \(Text.count(MatchEvaluation.fewestComparisons)) non-mated comparisons"
    guard let worst = grouping.worst(at: main), let value = worst.falseMatches[main].value else {
      return "worst group: none has \(Text.count(MatchEvaluation.fewestComparisons)) non-mated comparisons"
    }
    guard value > 0 else { return "worst group: none; no false match in any \(few)" }
    var text = "worst group, \(few): \(worst.name), FMR \(Text.scientific(value))"
    if let all = point.falseMatches.value, all > 0 {
      text += ", \(Text.number(value / all, value < 10 * all ? 1 : 0)) times that of all"
    }
    if let strictest = grouping.strictest, let threshold = strictest.cellOfOneIn100,
      let missed = strictest.falseNonMatchesAtOneIn100
    {
      text +=
        "; with FMR 1e-2 in \(strictest.name) (threshold \(Text.number(threshold, 3))), FNMR of all \(Text.percent(missed))"
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
      "probably mislabelled: no other photo of the name comes close", e.strangersToTheirName.map { path($0).printable })
    list("without a template", failures.map { "\($0.path.printable): \(Self.reason($0.path, $0.failure))" })
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
    "FMR \(Text.scientific(point.target)) \(point.isShipped ? "as shipped" : "on these photos")"
  }
}
