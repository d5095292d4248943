import FaceVerifyEvaluation

struct LivenessReport {
  let models: ModelVersion
  let judged: [LivenessEvaluationRun.Judged]
  let evaluations: [LivenessEvaluation]

  init(_ engine: FaceEngine, _ judged: [LivenessEvaluationRun.Judged]) {
    (models, self.judged) = (engine.modelVersion, judged)
    evaluations = LivenessEvaluation.each(judged.map(\.presentation))
  }

  var presentations: [Presentation] { judged.map(\.presentation) }

  var unreadable: [Presentation] { presentations.filter { $0.error != nil } }

  var json: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "models": models.jsonValue,
      "bounds": ["method": "clopper-pearson", "sides": 2, "confidence": .number(0.95)],
      "evaluations": evaluations.jsonValue, "presentations": presentations.jsonValue,
    ]
  }

  /// One line per policy and species, then one per policy, species and source.
  var rates: String {
    let head =
      ["policy", "source", "label", "kind", "simulated", "presentations", "subjects", "unreadable"]
      + ErrorRate.columns(of: "fta", "nonresponse", "error", "accepted") + ["seconds"]
    let lines = evaluations.flatMap { [$0] + $0.sources }.flatMap { part in part.tallies.map { line($0, of: part) } }
    return CSV.text([head] + lines)
  }

  private func line(_ tally: SpeciesTally, of evaluation: LivenessEvaluation) -> [String] {
    [evaluation.policy.name, evaluation.source ?? ""] + Self.fields(tally.label)
      + ["\(tally.presentations)", tally.subjects.map(String.init) ?? "", "\(tally.unreadable)"]
      + tally.rates.flatMap(\.fields) + [tally.secondsToDecision.map { Text.number($0, 1) } ?? ""]
  }

  var details: String {
    var signals: [LivenessSignal] = []
    for check in presentations.flatMap(\.checks) where !signals.contains(check.name) { signals.append(check.name) }
    let head = [
      "path", "label", "kind", "simulated", "subject", "source", "policy", "script", "result", "retry", "reasons",
      "frames", "seconds", "message",
    ]
    return CSV.text(
      [head + signals.flatMap { [$0.rawValue, "\($0)-value"] }] + presentations.map { line($0, signals) })
  }

  /// One line per frame.
  var frames: String {
    CSV.text([["path", "time"] + LivenessSignal.allCases.map(\.rawValue)] + judged.flatMap(\.frames))
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
      let check = presentation.checks.first { $0.name == signal }
      fields += [check?.status.rawValue ?? "", check?.value.map { Text.number($0, 4) } ?? ""]
    }
    return fields
  }

  private static func fields(_ label: PresentationLabel) -> [String] {
    [label.species ?? "live", label.isBonaFide ? "bona-fide" : "attack", label.isSimulated ? "yes" : "no"]
  }
}

extension LivenessReport {
  func text(on console: Console) -> String {
    var text = ""
    for evaluation in evaluations {
      text += console.styled("policy \"\(evaluation.policy.name)\"", .strong) + "\n"
      text += rates(evaluation).text(indent: 2, on: console)
      if let worst = evaluation.worst {
        let rate = worst.classificationError
        text += "  highest APCER: \(worst.label.name.printable), \(rate.text), \(Text.percent(rate.range))\n"
      }
      for part in evaluation.sources {
        text += "\n  source \((part.source ?? "").printable)\n"
        text += rates(part).text(indent: 4, on: console)
      }
      text += "\n" + signals(evaluation).text(indent: 2, on: console) + "\n"
      for note in Self.notes(evaluation) { text += "  " + console.styled(note, .caution) + "\n" }
    }
    for presentation in presentations where presentation.isError {
      let name = presentation.path.printable
      text += "  \(presentation.label.name.printable), classified as \(presentation.result): \(name)\n"
    }
    for presentation in unreadable { text += "  unreadable: \(presentation.path.printable)\n" }
    return text + "bounds: \(ErrorRate.method)\n"
  }

  private func rates(_ evaluation: LivenessEvaluation) -> Table {
    var table = Table()
    for (title, letter, tallies) in [
      ("bona fide", "B", evaluation.bonaFide.map { [$0] } ?? []), ("attacks", "A", evaluation.species),
    ] where !tallies.isEmpty {
      let names = ["n", "unread", "FTA", "", "\(letter)PNRR", "", "\(letter)PCER", "", "accepted", "", "seconds"]
      table.head([title] + names)
      for tally in tallies {
        table.add(
          [
            .init(tally.label.name), .init("\(tally.presentations)", right: true),
            .init("\(tally.unreadable)", right: true),
          ]
            + tally.rates.enumerated().flatMap { i, rate in
              [Table.Cell(rate.text, i == 2 && rate.count > 0 ? .bad : nil), .init(Text.percent(rate.range), .faint)]
            } + [.init(tally.secondsToDecision.map { Text.number($0, 1) } ?? "-", right: true)])
      }
    }
    return table
  }

  private func signals(_ evaluation: LivenessEvaluation) -> Table {
    var table = Table()
    let tallies = evaluation.tallies
    table.head(["passed / failed / not checked"] + tallies.map(\.label.name))
    for signal in Self.signals(evaluation) {
      table.add(
        [.init(signal.rawValue)]
          + tallies.map { tally in
            let count = tally.signals.first { $0.signal == signal }
            return .init(count.map { "\($0.passed) / \($0.failed) / \($0.notChecked)" } ?? "-")
          })
    }
    return table
  }

  /// The signals that were checked, in the order of a decision's checks.
  static func signals(_ evaluation: LivenessEvaluation) -> [LivenessSignal] {
    let seen = Set(evaluation.tallies.flatMap { $0.signals.map(\.signal) })
    return LivenessSignal.allCases.filter(seen.contains)
  }

  static func notes(_ evaluation: LivenessEvaluation) -> [String] {
    var notes: [String] = []
    if !evaluation.neverChecked.isEmpty {
      let names = evaluation.neverChecked.map(\.rawValue).joined(separator: ", ")
      notes.append("\(names): required, and not checked in any file, so that nothing could be live")
    }
    if evaluation.bonaFide == nil { notes.append("no bona fide presentations: BPCER is unknown") }
    if evaluation.species.isEmpty { notes.append("no attacks: APCER is unknown") }
    let simulated = evaluation.species.filter(\.label.isSimulated).map { $0.label.name }
    if !simulated.isEmpty { notes.append("simulated, not presented to a camera: \(simulated.joined(separator: ", "))") }
    return notes
      + evaluation.tallies.compactMap {
        ErrorRate.note(on: $0.presentations, "files", of: $0.label.name, subjects: $0.subjects)
      }
  }
}

extension SpeciesTally {
  /// In the order of the columns.
  var rates: [ErrorRate] { [failureToAcquire, nonResponse, classificationError, accepted] }
}
