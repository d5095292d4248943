import FaceVerifyEvaluation

struct JourneyReport {
  let models: ModelVersion
  let rate: FalseMatchRate
  let journeys: [Journey]

  var unreadable: [Journey] { journeys.filter { $0.outcome == .unreadable } }
  private var tallies: [JourneyTally] { JourneyTally.each(journeys) }
  /// Those that occurred.
  private var outcomes: [Journey.Outcome] {
    Journey.Outcome.allCases.filter { outcome in tallies.contains { $0[outcome] > 0 } }
  }

  var json: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "models": models.jsonValue,
      "falseMatchRate": .string(rate.description),
      "bounds": ["method": "clopper-pearson", "sides": 2, "confidence": .number(0.95)], "labels": tallies.jsonValue,
      "journeys": journeys.jsonValue,
    ]
  }

  var rates: String {
    let outcomes = Journey.Outcome.allCases
    return CSV.text(
      [["label", "count", "rate", "errors", "of", "value", "lower", "upper"] + outcomes.map(\.rawValue)]
        + tallies.map { tally in
          [tally.label.name, "\(tally.count)", tally.rateName] + tally.rate.fields + outcomes.map { "\(tally[$0])" }
        })
  }

  var details: String {
    CSV.text(
      [["clip", "label", "subject", "outcome", "score", "reasons", "message"]]
        + journeys.map { journey in
          [
            journey.name, journey.label.name, journey.subject ?? "", journey.outcome.rawValue,
            journey.score.map { Text.number($0, 3) } ?? "", journey.reasons.map(\.code).joined(separator: " "),
            journey.error?.message ?? "",
          ]
        })
  }

  func text(on console: Console) -> String {
    var table = Table()
    table.head(["", "n", "rate", "", ""] + outcomes.map(\.rawValue))
    for tally in tallies {
      table.add(
        [
          .init(tally.label.name), .init("\(tally.count)", right: true),
          .init("\(tally.rateName) \(tally.rate.text)", tally.rate.count > 0 ? .bad : nil),
          .init(Text.percent(tally.rate.range), .faint), .init(""),
        ] + outcomes.map { .init("\(tally[$0])", right: true) })
    }
    var text = console.styled("\(journeys.count) journeys, faces compared at an FMR of \(rate)", .strong) + "\n"
    text += table.text(indent: 2, on: console)
    for note in notes { text += "  " + console.styled(note, .caution) + "\n" }
    for journey in journeys where journey.isError {
      text += "  \(journey.label.name.printable): \(journey.outcome.rawValue): \(journey.name.printable)"
      text += (journey.reasons.first.map { ": \($0.text)" } ?? "") + "\n"
    }
    for journey in unreadable { text += "  unreadable: \(journey.name.printable)\n" }
    return text + "bounds: \(ErrorRate.method)\n"
  }

  private var notes: [String] {
    let labels = Set(journeys.map(\.label))
    var notes: [String] = []
    if !labels.contains(.genuine) { notes.append("no genuine journeys: FRR is unknown") }
    if !labels.contains(.impostor) { notes.append("no impostors: FAR is unknown") }
    if labels.isSubset(of: [.genuine, .impostor]) { notes.append("no attacks: IAPAR is unknown") }
    return notes
      + tallies.compactMap { ErrorRate.note(on: $0.count, "journeys", of: $0.label.name, subjects: $0.subjects) }
  }

  var page: String {
    let rows = tallies.map { tally in
      [
        HTML.escaped(tally.label.name), "\(tally.count)",
        HTML.value(
          "\(tally.rateName) \(tally.rate.value.map(Text.percent) ?? "–")", tally.rate.counts,
          Text.percent(tally.rate.range)),
      ] + outcomes.map { "\(tally[$0])" }
    }
    let errors = journeys.filter { $0.isError || $0.outcome == .unreadable }.map { journey in
      [
        HTML.code(journey.name), HTML.escaped(journey.label.name), HTML.value(journey.outcome.rawValue),
        (journey.reasons.map(\.text) + [journey.error?.message].compactMap { $0 }).map(HTML.escaped)
          .joined(separator: "<br>"),
      ]
    }
    return HTML.page(
      "Evaluation of whole identity checks", models: models,
      about: "\(journeys.count) journeys, faces compared at an FMR of \(rate). Bounds: \(ErrorRate.method).",
      legend: [
        (
          "FRR", "False rejection rate: share of readable genuine journeys that were not accepted, for whatever reason."
        ),
        ("FAR", "False acceptance rate: share of living people with the portrait of another person who were accepted."),
        (
          "IAPAR",
          "Impostor attack presentation accept rate: share of the attacks of one species with the portrait's "
            + "face that were accepted. The species with the highest rate counts."
        ),
      ], standards: "ISO/IEC 19795-1 and 30107-3",
      [
        HTML.notes(notes),
        HTML.section("Rates and outcomes", HTML.table(["Label", "Journeys", "Rate"] + outcomes.map(\.rawValue), rows)),
        errors.isEmpty
          ? ""
          : HTML.section(
            "Errors and unreadable files: \(errors.count)", HTML.table(["Clip", "Label", "Outcome", "Reason"], errors)),
      ])
  }
}
