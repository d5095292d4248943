import FaceVerify

/// The report of a liveness evaluation.
struct LivenessReport {
  let models: ModelVersion
  let judged: [LivenessEvaluationRun.Judged]
  let evaluations: [LivenessEvaluation]

  static let method = "exact binomial (Clopper-Pearson), two-sided, 95 %"

  init(_ engine: FaceEngine, _ judged: [LivenessEvaluationRun.Judged]) {
    models = engine.modelVersion
    self.judged = judged
    evaluations = LivenessEvaluation.each(judged.map(\.presentation))
  }

  var presentations: [Presentation] { judged.map(\.presentation) }

  var unreadable: [Presentation] {
    presentations.filter { $0.error != nil }
  }

  // MARK: JSON

  var json: String {
    let record: JSONValue = [
      "version": .string(FaceVerifyVersion.string),
      "models": models.jsonValue,
      "bounds": ["method": "clopper-pearson", "sides": 2, "confidence": .number(0.95)],
      "evaluations": evaluations.jsonValue,
      "presentations": presentations.jsonValue,
    ]
    return record.text
  }

  // MARK: CSV

  /// One line per policy and species, then one per policy, species and source.
  var rates: String {
    var head = ["policy", "source", "label", "kind", "simulated", "presentations", "subjects", "unreadable"]
    for kind in ["fta", "nonresponse", "error", "accepted"] {
      head += ["count", "of", "rate", "lower", "upper"].map { "\(kind)_\($0)" }
    }
    let lines = evaluations.flatMap { [$0] + $0.sources }.flatMap { part in part.tallies.map { line($0, of: part) } }
    return CSV.text([head] + lines)
  }

  private func line(_ tally: SpeciesTally, of evaluation: LivenessEvaluation) -> [String] {
    var fields = [evaluation.policy.name, evaluation.source ?? ""] + Self.fields(tally.label)
    fields += ["\(tally.presentations)", tally.subjects.map(String.init) ?? "", "\(tally.unreadable)"]
    for rate in [tally.failureToAcquire, tally.nonResponse, tally.classificationError, tally.accepted] {
      let bounds = rate.bounds
      fields += ["\(rate.count)", "\(rate.trials)"]
      fields += [rate.value, bounds?.lower, bounds?.upper].map { Self.field($0, 6) }
    }
    return fields
  }

  /// One line per file.
  var details: String {
    var signals: [LivenessSignal] = []
    for check in presentations.flatMap(\.checks) where !signals.contains(check.signal) { signals.append(check.signal) }
    var head = [
      "path", "label", "kind", "simulated", "subject", "source", "policy", "script", "result", "retry", "reasons",
    ]
    head += ["frames", "seconds", "message"]
    for signal in signals { head += [signal.rawValue, "\(signal)-value"] }
    return CSV.text([head] + presentations.map { line($0, signals) })
  }

  private func line(_ presentation: Presentation, _ signals: [LivenessSignal]) -> [String] {
    var fields = [presentation.path] + Self.fields(presentation.label)
    fields += [
      presentation.subject ?? "", presentation.source ?? "", presentation.policy,
      presentation.script.map(\.rawValue).joined(separator: " "),
      presentation.result, presentation.retry?.rawValue ?? "",
      presentation.reasons.map(\.code).joined(separator: " "), "\(presentation.frames)",
      Text.number(presentation.seconds, 3), presentation.error?.message ?? presentation.interruption ?? "",
    ]
    for signal in signals {
      let check = presentation.checks.first { $0.signal == signal }
      fields += [check?.status.rawValue ?? "", Self.field(check?.value, 4)]
    }
    return fields
  }

  private static func fields(_ label: PresentationLabel) -> [String] {
    [label.species ?? "live", label.isBonaFide ? "bona-fide" : "attack", label.isSimulated ? "yes" : "no"]
  }

  private static func field(_ value: Double?, _ decimals: Int) -> String {
    value.map { Text.number($0, decimals) } ?? ""
  }
}
