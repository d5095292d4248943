import FaceVerify

/// The report of an evaluation of complete identity checks.
struct JourneyReport {
  let models: ModelVersion
  let rate: FalseMatchRate
  let journeys: [Journey]

  var unreadable: [Journey] { journeys.filter { $0.outcome == .unreadable } }
  private var tallies: [JourneyTally] { JourneyTally.each(journeys) }

  // MARK: JSON and CSV

  var json: String {
    let record: JSONValue = [
      "version": .string(FaceVerifyVersion.string),
      "models": models.jsonValue,
      "falseMatchRate": .string(rate.description),
      "bounds": ["method": "clopper-pearson", "sides": 2, "confidence": .number(0.95)],
      "labels": tallies.jsonValue,
      "journeys": journeys.jsonValue,
    ]
    return record.text
  }

  /// One line per label.
  var rates: String {
    let outcomes = Journey.Outcome.allCases
    return CSV.text(
      [["label", "count", "rate", "errors", "of", "value", "lower", "upper"] + outcomes.map(\.rawValue)]
        + tallies.map { tally in
          let (rate, bounds) = (tally.rate, tally.rate.bounds)
          return [tally.label.name, "\(tally.count)", tally.rateName, "\(rate.count)", "\(rate.trials)"]
            + [rate.value, bounds?.lower, bounds?.upper].map { $0.map { Text.number($0, 6) } ?? "" }
            + outcomes.map { "\(tally[$0])" }
        })
  }

  /// One line per journey.
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

  // MARK: Text

  func text(on console: Console) -> String {
    var table = Table()
    let outcomes = Journey.Outcome.allCases.filter { outcome in tallies.contains { $0[outcome] > 0 } }
    table.add(["", "n", "rate", "", ""].map { .init($0, .faint) } + outcomes.map { .init($0.rawValue, .faint) })
    for tally in tallies {
      table.add(
        [
          .init(tally.label.name), .init("\(tally.count)", right: true),
          .init("\(tally.rateName) \(LivenessReport.text(tally.rate))", tally.rate.count > 0 ? .bad : nil),
          .init(LivenessReport.bounds(tally.rate), .faint), .init(""),
        ] + outcomes.map { .init("\(tally[$0])", right: true) })
    }
    var text = console.styled("\(journeys.count) journeys, faces compared at \(rate)", .strong) + "\n"
    text += table.text(indent: 2, on: console)
    for note in notes { text += "  " + console.styled(note, .caution) + "\n" }
    for journey in journeys where journey.isError {
      text += "  \(journey.label.name.printable): \(journey.outcome.rawValue): \(journey.name.printable)"
      text += (journey.reasons.first.map { ": \($0.text)" } ?? "") + "\n"
    }
    for journey in unreadable { text += "  could not be read: \(journey.name.printable)\n" }
    return text + "bounds: \(LivenessReport.method)\n"
  }

  /// Caveats that precede the rates.
  private var notes: [String] {
    let labels = Set(journeys.map(\.label))
    var notes: [String] = []
    if !labels.contains(.genuine) { notes.append("no genuine journeys: what refuses everybody accepts nobody wrong") }
    if !labels.contains(.impostor) {
      notes.append("no impostors: nothing is known of living people with another's papers")
    }
    if labels.isSubset(of: [.genuine, .impostor]) {
      notes.append("no attacks: nothing is known of how often they pass")
    }
    for tally in tallies {
      if let subjects = tally.subjects, subjects < tally.count {
        notes.append(
          "\(tally.label.name): \(tally.count) journeys of \(subjects) subjects: the bounds suppose journeys that do not "
            + "depend on each other, so the true ones are wider")
      }
    }
    return notes
  }

  // MARK: Page

  var page: String {
    let outcomes = Journey.Outcome.allCases.filter { outcome in tallies.contains { $0[outcome] > 0 } }
    let head = outcomes.map { "<th scope=\"col\">\(HTML.escaped($0.rawValue))</th>" }.joined()
    let rows = tallies.map { tally in
      "<tr><th scope=\"row\">\(HTML.escaped(tally.label.name))</th><td>\(tally.count)</td>"
        + "<td><b>\(tally.rateName) \(tally.rate.value.map(LivenessReport.percent) ?? "–")</b>"
        + "<small>\(tally.rate.count) of \(tally.rate.trials)</small><small>\(LivenessReport.bounds(tally.rate))</small></td>"
        + outcomes.map { "<td>\(tally[$0])</td>" }.joined() + "</tr>"
    }
    let errors = journeys.filter { $0.isError || $0.outcome == .unreadable }.map { journey in
      "<tr><td><code>\(HTML.escaped(journey.name))</code></td><td>\(HTML.escaped(journey.label.name))</td>"
        + "<td><b>\(journey.outcome.rawValue)</b></td><td>"
        + (journey.reasons.map(\.text) + [journey.error?.message].compactMap { $0 }).map(HTML.escaped)
        .joined(separator: "<br>") + "</td></tr>"
    }
    return ReportPage.text(
      title: "Evaluation of whole identity checks",
      about: """
        faceverify \(HTML.escaped(FaceVerifyVersion.string)), models \(HTML.escaped(models.set.rawValue))
        <code>\(HTML.escaped(models.revision))</code>. \(journeys.count) journeys, faces compared at
        \(HTML.escaped(rate.description)). Bounds: \(LivenessReport.method).
        """,
      sections: [
        notes.isEmpty ? "" : "<ul class=\"notes\">\(notes.map { "<li>\(HTML.escaped($0))</li>" }.joined())</ul>",
        """
        <section><h2>Rates, and where journeys ended</h2>
        <div class="wide"><table><thead><tr class="head"><th scope="col">Label</th><th scope="col">Journeys</th>\
        <th scope="col">Rate</th>\(head)</tr></thead><tbody>
        \(rows.joined(separator: "\n"))
        </tbody></table></div></section>
        """,
        errors.isEmpty
          ? ""
          : "<section><h2>Errors, and what could not be read: \(errors.count)</h2>\n<div class=\"wide\"><table><tbody>\n"
            + errors.joined(separator: "\n") + "\n</tbody></table></div></section>",
        """
        <section><h2>What the numbers mean</h2><dl>
        <dt>FRR</dt><dd>False rejection rate: of the genuine journeys that could be read, those that were not accepted, for
        whatever reason.</dd>
        <dt>FAR</dt><dd>False acceptance rate: of living people with somebody else's portrait, those that were accepted.</dd>
        <dt>IAPAR</dt><dd>Impostor attack presentation accept rate: of attacks of one species with the portrait's face, those
        that were accepted by the whole. The species with the highest rate counts.</dd>
        </dl><p>Terms: ISO/IEC 19795-1 and 30107-3. This is a measurement on these files, by this version and these models,
        and no certificate.</p></section>
        """,
      ])
  }
}
