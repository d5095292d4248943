import FaceVerify

/// The report as text for a terminal.
extension LivenessReport {
  func text(on console: Console) -> String {
    var text = ""
    for evaluation in evaluations {
      text += console.styled("policy \"\(evaluation.policy.name)\"", .strong) + "\n"
      text += rates(evaluation).text(indent: 2, on: console)
      if let worst = evaluation.worst {
        let rate = worst.classificationError
        text += "  highest APCER: \(worst.label.name.printable), \(Self.text(rate)), \(Self.bounds(rate))\n"
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
      text += "  \(presentation.label.name.printable), taken for \(presentation.result): \(name)\n"
    }
    for presentation in unreadable { text += "  could not be read: \(presentation.path.printable)\n" }
    return text + "bounds: \(Self.method)\n"
  }

  private func rates(_ evaluation: LivenessEvaluation) -> Table {
    var table = Table()
    for (title, letter, tallies) in [
      ("living people", "B", evaluation.bonaFide.map { [$0] } ?? []), ("attacks", "A", evaluation.species),
    ] where !tallies.isEmpty {
      let names = ["n", "unread", "FTA", "", "\(letter)PNRR", "", "\(letter)PCER", "", "accepted", ""]
      table.add([.init(title, .faint)] + names.map { .init($0, .faint) })
      for tally in tallies {
        let rates = [tally.failureToAcquire, tally.nonResponse, tally.classificationError, tally.accepted]
        table.add(
          [
            .init(tally.label.name), .init("\(tally.presentations)", right: true),
            .init("\(tally.unreadable)", right: true),
          ]
            + rates.enumerated().flatMap { i, rate in
              [
                Table.Cell(Self.text(rate), i == 2 && rate.count > 0 ? .bad : nil), .init(Self.bounds(rate), .faint),
              ]
            })
      }
    }
    return table
  }

  private func signals(_ evaluation: LivenessEvaluation) -> Table {
    var table = Table()
    let tallies = evaluation.tallies
    table.add([.init("passed / failed / not checked", .faint)] + tallies.map { .init($0.label.name, .faint) })
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

  /// Caveats that precede the rates.
  static func notes(_ evaluation: LivenessEvaluation) -> [String] {
    var notes: [String] = []
    if !evaluation.neverChecked.isEmpty {
      let names = evaluation.neverChecked.map(\.rawValue).joined(separator: ", ")
      notes.append("\(names): required, and not checked in any file, so that nothing could be called live")
    }
    if evaluation.bonaFide == nil { notes.append("no living people: what refuses everybody has no APCER either") }
    if evaluation.species.isEmpty { notes.append("no attacks: nothing is known of how often they pass") }
    let simulated = evaluation.species.filter(\.label.isSimulated).map { $0.label.name }
    if !simulated.isEmpty {
      notes.append("simulated, not presented to a camera: \(simulated.joined(separator: ", "))")
    }
    for tally in evaluation.tallies {
      if let subjects = tally.subjects, subjects < tally.presentations {
        notes.append(
          "\(tally.label.name): \(tally.presentations) files of \(subjects) subjects: the bounds suppose files that do "
            + "not depend on each other, so the true ones are wider")
      }
    }
    return notes
  }

  /// "5 of 100, 5.0 %"
  static func text(_ rate: ErrorRate) -> String {
    guard let value = rate.value else { return "0 of 0" }
    return "\(rate.count) of \(rate.trials), \(percent(value))"
  }

  /// "1.6-11.3 %"
  static func bounds(_ rate: ErrorRate) -> String {
    guard let bounds = rate.bounds else { return "" }
    let decimals = decimals(bounds.upper)
    return "\(Text.number(100 * bounds.lower, decimals))-\(Text.number(100 * bounds.upper, decimals)) %"
  }

  static func percent(_ share: Double) -> String { Text.number(100 * share, decimals(share)) + " %" }

  private static func decimals(_ share: Double) -> Int { share == 0 || share >= 0.01 ? 1 : share >= 0.001 ? 2 : 3 }
}
