internal import Glibc

extension RecordRules {
  static func models(_ body: JSONValue) -> [Problem] {
    let names = ["set", "identifier", "revision", "precision"]
    return decisions(body).flatMap { path, decision -> [Problem] in
      names.filter { decision["models"]?[$0] != body["models"]?[$0] }.map {
        Problem(17, "\(path).models.\($0) is not that of body.models")
      } + (decision["version"] == body["library"] ? [] : [Problem(17, "\(path).version is not that of body.library")])
    }
  }

  private static func decisions(_ body: JSONValue) -> [(path: String, decision: JSONValue)] {
    body.credentials.flatMap { path, credential in
      ["liveness", "comparison"].compactMap { name in
        credential[name].flatMap { $0 == .null ? nil : ("\(path).\(name)", $0) }
      }
    }
  }

  /// Signals and scores are recorded with 4 decimals: within this distance of a limit, no violation can be detected.
  private static let rounding = 1e-4

  static func thresholds(_ body: JSONValue) -> [Problem] {
    body.credentials.flatMap { path, credential -> [Problem] in
      var problems: [Problem] = []
      if let decision = credential["liveness"], decision != .null {
        problems += liveness(decision, credential["modes"]?.text("face") ?? "", body, path + ".liveness")
      }
      if let decision = credential["comparison"], decision != .null {
        problems += comparison(decision, body, path + ".comparison")
      }
      return problems
    }
  }

  private static func liveness(_ decision: JSONValue, _ mode: String, _ body: JSONValue, _ path: String) -> [Problem] {
    var problems: [Problem] = []
    let configuration = body.configuration
    var statuses: [LivenessSignal: String] = [:]
    for check in decision.list("checks") {
      let (signal, status) = (LivenessSignal(rawValue: check.text("signal")), check.text("status"))
      problems.add(
        18, "\(path) has the signal \(signal) twice", if: statuses.updateValue(status, forKey: signal) != nil)
      guard let value = check["value"]?.double else {
        problems.add(18, "\(path): the signal \(signal) has \(status) without a value", if: status != "not-checked")
        continue
      }
      let distance = distance(value, check)
      problems.add(
        18, "\(path): the signal \(signal), \(value), does not agree with its limits: \(status)",
        if: status == "not-checked" || abs(distance) > rounding && status != (distance > 0 ? "passed" : "failed"))
    }
    problems += signals(decision, statuses, body, path)
    let policy = decision["policy"]
    let named =
      ["required", "fatal"].flatMap { policy?.texts($0) ?? [] }
      + (policy?.list("weights") ?? []).map { $0.text("signal") }
    for signal in Set(named).sorted() where statuses[.init(rawValue: signal)] == nil {
      problems.append(Problem(18, "\(path): the signal \(signal), which its policy names, is not there"))
    }
    problems.add(
      19, "\(path).policy is not the one of the configuration for the mode \(mode)",
      if: policy?.canonical != configuration["livenessPolicies"]?[mode]?.canonical)
    problems += session(decision, mode, body, statuses, path)
    let expected = RecordOutcome.liveness(policy, statuses)
    problems.add(
      21, "\(path): by its policy and signals the result must be \(expected)", if: decision.text("result") != expected)
    problems.add(
      21, "\(path): retry is for what was undecided, and only for that",
      if: decision.has("retry") != (expected == "undecided"))
    let level = RecordOutcome.presence(decision, mode)
    problems.add(
      34, "\(path).presence does not follow from the mode, the signals and the script",
      if: decision.text("presence") != level.rawValue || (decision["result"] == "live") != (level != .none))
    if let report = decision["selfie"]?["quality"] { problems += quality(report, path + ".selfie") }
    return problems
  }

  /// How far a value is within the limits of its check; negative beyond them.
  private static func distance(_ value: Double, _ check: JSONValue) -> Double {
    min(value - (check["minimum"]?.double ?? -.infinity), (check["maximum"]?.double ?? .infinity) - value)
  }

  /// Checks that the signals are those of the version, with its limits or those of the calibration.
  private static func signals(
    _ decision: JSONValue, _ statuses: [LivenessSignal: String], _ body: JSONValue, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let limits = decision["version"]?.string == FaceVerifyVersion.string ? RecordTables.limits : nil
    let curve = Curve(body, "photo")
    for check in decision.list("checks") {
      let (signal, found) = (
        LivenessSignal(rawValue: check.text("signal")), [check["minimum"] ?? .null, check["maximum"] ?? .null]
      )
      let isKnown =
        if let rate = RecordTables.identity[signal] {
          found[0] == .null
            && (curve.map { curve in found[1].double.map { abs($0 - curve.score(rate)) <= rounding } ?? false }
              ?? (found[1] == .null))
        } else {
          limits.map { limits in limits[signal].map { $0.map(\.double) == found.map(\.double) } ?? false } ?? true
        }
      problems.add(18, "\(path): a limit of \(signal) is not the version's or the calibration's", if: !isKnown)
    }
    if let limits, Set(limits.keys) != Set(statuses.keys) {
      problems.append(Problem(18, "\(path): the signals are not those of the version"))
    }
    problems.add(
      18, "\(path): a signal that decides is not there",
      if: statuses[.arrivalDelay] == nil || statuses[.colourResponse] == nil)
    let hasCamera = body.configuration.has("camera") || body.list("calls").contains { $0["camera"] != nil }
    problems.add(
      18, "\(path): an unknown camera was checked",
      if: !hasCamera && [.cameraDevice, .cameraTrack].contains { statuses[$0] ?? "not-checked" != "not-checked" })
    let frames = decision["frames"]
    let span = (frames?["last"]?.double ?? 0) - (frames?["first"]?.double ?? 0)
    let observed = decision.check(.observationTime)?["value"]?.double ?? 0
    problems.add(18, "\(path): the observation time is longer than the frames", if: observed > span + 1e-3)
    return problems
  }

  /// Checks that the acceptance of a picture follows from its checks, and they from their limits. Values have 4 digits.
  private static func quality(_ report: JSONValue, _ path: String) -> [Problem] {
    guard let checks = report["checks"]?.elements else { return [] }
    let isRight = checks.allSatisfy { check in
      guard (check["status"] == "failed") == (check["consequence"] != .null) else { return false }
      guard check["status"] != "not-checked" else { return true }
      guard let value = check["value"]?.double else { return false }
      let distance = distance(value, check)
      return abs(distance) <= 1e-3 * max(1, abs(value)) || check.text("status") == (distance > 0 ? "passed" : "failed")
    }
    return isRight && report["accepted"]?.bool == !checks.contains { $0["consequence"] == "refuse" }
      ? [] : [Problem(24, "\(path): the quality does not follow from its checks")]
  }

  /// Checks that the session's nonce and challenges follow from the configuration.
  private static func session(
    _ decision: JSONValue, _ mode: String, _ body: JSONValue, _ statuses: [LivenessSignal: String], _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let configuration = body.configuration
    let nonce = configuration["nonce"]?.string.flatMap(decodedHexadecimal) ?? []
    // A fallback counts as an additional try.
    let tries = (configuration["maximumTries"]?.integer ?? 0) + (configuration.list("faceModes").count)
    let isOfTry = (1...UInt32(max(0, min(tries, 100)) + 1)).contains { number in
      let bytes = number == 1 ? nonce : sha256Bytes(nonce + withUnsafeBytes(of: number.bigEndian) { Array($0) })
      return decision["nonce"] == (bytes.isEmpty ? .null : .string(hexadecimal(bytes)))
    }
    if !isOfTry { problems.append(Problem(20, "\(path).nonce does not follow from that of the configuration")) }
    let script = decision["script"] ?? .null
    let isAsked = ["liveness", "strict"].contains(mode)
    let given = configuration["script"] ?? .null
    let drawn = script.elements.map { $0.text("challenge") }
    let allowed = Set(configuration.texts("challenges"))
    let followed = Challenge.follow.rawValue
    let isDrawn =
      drawn == [followed]
      ? allowed.contains(followed) && script.elements.first?["path"] == decision["nonce"]
      : drawn.count == configuration["challengeCount"]?.integer && Set(drawn).count == drawn.count
        && Set(drawn).isSubset(of: allowed.subtracting([followed]))
        && (!allowed.contains(followed) || !choices(body).declined.isEmpty)
    let known = given == .null ? configuration.list("challenges") : given.elements.compactMap { $0["challenge"] }
    if body.list("events").contains(where: {
      $0["event"] == "next-position" && !known.contains($0["challenge"] ?? .null)
    }) {
      problems.append(Problem(20, "\(path): a challenge was requested that the configuration does not allow"))
    }
    problems.add(
      20, "\(path).script is not what the mode \(mode) and the configuration ask for",
      if: (script != .null) != isAsked || isAsked && (given == .null ? !isDrawn : given.canonical != script.canonical))
    let answered = decision.list("answers").filter { $0.text("outcome") == "passed" }.map { $0.text("challenge") }
    if statuses[.challengeCompliance] == "passed", drawn != answered {
      problems.append(Problem(20, "\(path): challenge-compliance passed, and not every challenge was answered"))
    }
    return problems
  }

  private static func comparison(_ decision: JSONValue, _ body: JSONValue, _ path: String) -> [Problem] {
    var problems: [Problem] = []
    let (threshold, configuration) = (decision["threshold"], body.configuration)
    let limit = threshold?["score"]?.double ?? 0
    let kind = threshold?.text("portrait") ?? ""
    let kinds: [String] =
      switch configuration["portrait"]?.text("kind") {
      case "document"?: ["chip", "page"]
      case "photo"?, "template"?, "photo-template"?: ["photo"]
      default: [body.firstDocument?["portrait"]?.string ?? "none"]
      }
    problems.add(
      22, "\(path).threshold does not belong to the requested rate and portrait",
      if: threshold?["rate"] != configuration["comparison"]?["falseMatchRate"] || !kinds.contains(kind))
    let rate = FalseMatchRate(threshold?.text("rate") ?? "")
    let decisive = kind + (rate?.population.suffix ?? "")
    guard let curve = Curve(body, kind), let decisiveCurve = Curve(body, decisive) else {
      return problems + [Problem(22, "body.models.calibration has no rising curve for \(decisive)")]
    }
    problems.add(
      22, "\(path).threshold: the score \(limit) is not that of its rate",
      if: rate.map { !decisiveCurve.rates.contains($0.value) || abs(decisiveCurve.score($0.value) - limit) > rounding }
        ?? true)
    problems.add(
      24, "\(path).samePicture does not follow from its score, its threshold and the hashes", if: !isChecked(decision))
    let result = decision.text("result")
    guard let comparison = decision["comparison"], let score = comparison["score"]?.double,
      let isMatch = comparison["match"]?.bool, let bound = comparison["falseMatchRateUpperBound"]?.double
    else { return problems + (result == "refused" ? [] : [Problem(24, "\(path) has a result and no score")]) }
    // Rates are recorded with 3 significant digits.
    problems.add(
      23, "\(path).comparison: the rate \(bound) is not that of the score \(score)",
      if: bound < 0.99 * curve.rate(score - rounding) || bound > 1.01 * curve.rate(score + rounding))
    problems.add(
      23, "\(path).comparison: the rate is above its upper bound",
      if: comparison["falseMatchRate"]?.double ?? 0 > 1.01 * bound)
    problems.add(
      24, "\(path): the score \(score) and the threshold \(limit) do not agree with match",
      if: abs(score - limit) > rounding && isMatch != (score < limit))
    // Insufficient document evidence makes the decision refused, whatever the comparison.
    let isRefused = decision["document"]?["mayMatch"]?.bool == false
    // So does a match of two copies of one picture.
    let isCopy = isMatch && decision["samePicture"]?["status"] == "failed"
    let expected = isRefused || isCopy ? "refused" : isMatch ? "match" : "no-match"
    // Nobody matches a document that failed; up to 0.2.0, its holder did.
    let isFailed = isMatch && decision["document"]?["result"] == "failed"
    if result != expected, !(isFailed && result == "refused") {
      problems.append(Problem(24, "\(path): the result must be \(expected), not \(result)"))
    }
    let policies: [JSONValue?] = [
      configuration["comparison"]?["portrait"]?["name"],
      kind == "chip" ? "chip-portrait" : kind == "page" ? "document-portrait" : nil,
    ]
    if decision["portrait"]?["input"]?["kind"] == "photo",
      !policies.compactMap(\.self).contains(decision["portrait"]?["quality"]?["policy"] ?? .null)
    {
      problems.append(Problem(24, "\(path).portrait: its quality is by another policy"))
    }
    for side in ["selfie", "portrait"] where decision[side]?["input"]?.text("kind") == "photo" {
      problems += quality(decision[side]?["quality"] ?? .null, "\(path).\(side)")
      guard decision[side]?["quality"]?["accepted"]?.bool != true else { continue }
      problems.append(Problem(24, "\(path): the \(side) was compared although its quality was refused"))
    }
    return problems
  }

  /// Checks the calibration of the record's models against this installation.
  static func known(_ calibration: Calibration?, _ body: JSONValue) -> [Problem] {
    guard let calibration, let said = body["models"]?["calibration"], said != .null,
      said.canonical != calibration.recordedCurves.canonical
    else { return [] }
    return [Problem(22, "body.models.calibration does not match the installed models")]
  }

  /// Whether the status of `samePicture` follows from its score, a published threshold and the hashes.
  private static func isChecked(_ decision: JSONValue) -> Bool {
    guard let same = decision["samePicture"], let threshold = same["threshold"]?.double else { return false }
    let isEqual = decision["selfie"]?["input"]?["sha256"] == decision["portrait"]?["input"]?["sha256"]
    let isPhoto = decision["threshold"]?["portrait"] == "photo"
    let thresholds = ["frames"] + (isPhoto || isEqual ? ["photos"] : [])
    guard thresholds.contains(where: { RecordTables.samePicture[$0]?.contains(threshold) == true }),
      !isEqual || same["status"] == "failed"
    else { return false }
    guard let score = same["score"]?.double else { return same["status"] == "not-checked" }
    // Rounded to three decimals.
    if abs(score - threshold) <= 1e-3 { return same["status"] != "not-checked" }
    return same["status"] == (score >= threshold ? "failed" : "passed")
  }

  /// The calibration of a kind of portrait.
  private struct Curve {
    private let points: [(score: Double, rate: Double)]

    /// nil unless scores and rates rise.
    init?(_ body: JSONValue, _ portrait: String) {
      points = (body["models"]?["calibration"]?.list(portrait) ?? []).map {
        ($0["score"]?.double ?? 0, $0["rate"]?.double ?? 0)
      }
      guard points.count > 1, points.allSatisfy({ $0.rate > 0 && $0.rate <= 1 }),
        zip(points, points.dropFirst()).allSatisfy({ $0.score < $1.score && $0.rate < $1.rate })
      else { return nil }
    }

    /// The rates of possible thresholds.
    var rates: ClosedRange<Double> {
      let top = min(1e-2, points[points.count - 1].rate)
      return min(points[0].rate, top)...top
    }

    /// The score for a rate, as in ``Calibration/threshold(at:portrait:)``.
    func score(_ rate: Double) -> Double { between(log(rate), points.map { (log($0.rate), $0.score) }) }

    func rate(_ score: Double) -> Double { exp(between(score, points.map { ($0.score, log($0.rate)) })) }

    /// Linear between two points; beyond the ends, those.
    private func between(_ x: Double, _ points: [(x: Double, y: Double)]) -> Double {
      guard let next = points.firstIndex(where: { $0.x >= x }) else { return points[points.count - 1].y }
      guard next > 0 else { return points[0].y }
      let (a, b) = (points[next - 1], points[next])
      return a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y)
    }
  }
}
