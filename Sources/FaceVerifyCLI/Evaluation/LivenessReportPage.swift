import FaceVerify

/// The report as one self-contained page: no network, no other files, no scripts.
struct LivenessReportPage {
  private let report: LivenessReport

  /// The maximum number of pictures, to keep the page small; further failures are listed without.
  private static let maximumPictures = 300

  init(_ report: LivenessReport) { self.report = report }

  var text: String {
    ReportPage.text(
      title: "Liveness evaluation",
      about: """
        faceverify \(HTML.escaped(FaceVerifyVersion.string)), models \(HTML.escaped(report.models.set.rawValue))
        <code>\(HTML.escaped(report.models.revision))</code>. \(report.judged.count) files. Bounds: \(LivenessReport.method).
        """,
      sections: report.evaluations.map(section) + [failures, Self.legend])
  }

  private func section(_ evaluation: LivenessEvaluation) -> String {
    let notes = LivenessReport.notes(evaluation).map { "<li>\(HTML.escaped($0))</li>" }.joined()
    let worst = evaluation.worst.map { tally in
      "<p class=\"worst\">Highest APCER: <strong>\(name(tally.label)) "
        + "\(LivenessReport.text(tally.classificationError))</strong> "
        + "(\(LivenessReport.bounds(tally.classificationError)))</p>"
    }
    return """
      <section>
      <h2>Policy “\(HTML.escaped(evaluation.policy.name))”</h2>
      \(notes.isEmpty ? "" : "<ul class=\"notes\">\(notes)</ul>")
      \(worst ?? "")
      \(rates(evaluation))
      \(sources(evaluation))
      <h3>Classification errors and their bounds</h3>
      <div class="wide">\(LivenessReportChart.intervals(evaluation))</div>
      <h3>Signals</h3>
      \(signals(evaluation))
      </section>
      """
  }

  // MARK: Rates

  private func sources(_ evaluation: LivenessEvaluation) -> String {
    evaluation.sources.map {
      "<h3>Source “\(HTML.escaped($0.source ?? ""))”</h3>\n\(rates($0))"
    }.joined(separator: "\n")
  }

  private func rates(_ evaluation: LivenessEvaluation) -> String {
    let groups = [
      ("Living people", "BPNRR", "BPCER", evaluation.bonaFide.map { [$0] } ?? []),
      ("Attacks", "APNRR", "APCER", evaluation.species),
    ].filter { !$0.3.isEmpty }
    let bodies = groups.map { title, nonResponse, error, tallies in
      """
      <tbody>
      <tr class="head"><th scope="col">\(title)</th><th scope="col">Files</th><th scope="col">Unreadable</th>\
      <th scope="col">FTA</th><th scope="col">\(nonResponse)</th><th scope="col">\(error)</th>\
      <th scope="col">Accepted</th></tr>
      \(tallies.map(row).joined(separator: "\n"))
      </tbody>
      """
    }
    return "<div class=\"wide\"><table>\n\(bodies.joined(separator: "\n"))\n</table></div>"
  }

  private func row(_ tally: SpeciesTally) -> String {
    let people = tally.subjects.map { "<small>\($0) subject\($0 == 1 ? "" : "s")</small>" } ?? ""
    let rates = [tally.failureToAcquire, tally.nonResponse, tally.classificationError, tally.accepted]
    let cells = rates.map { rate in
      let value = rate.value.map(LivenessReport.percent) ?? "–"
      return "<td><b>\(value)</b><small>\(rate.count) of \(rate.trials)</small>"
        + "<small>\(LivenessReport.bounds(rate))</small></td>"
    }
    return "<tr><th scope=\"row\">\(name(tally.label))</th><td>\(tally.presentations)\(people)</td>"
      + "<td>\(tally.unreadable)</td>\(cells.joined())</tr>"
  }

  /// Marks simulated attacks.
  private func name(_ label: PresentationLabel) -> String {
    HTML.escaped(label.species ?? "live") + (label.isSimulated ? " <span class=\"mark\">simulated</span>" : "")
  }

  // MARK: Signals

  private func signals(_ evaluation: LivenessEvaluation) -> String {
    let tallies = evaluation.tallies
    let heads = tallies.map { "<th scope=\"col\">\(name($0.label))</th>" }.joined()
    let rows = LivenessReport.signals(evaluation).map { signal in
      let cells = tallies.map { tally in
        tally.signals.first { $0.signal == signal }.map(LivenessReportChart.share) ?? "<td>–</td>"
      }
      return "<tr><th scope=\"row\">\(HTML.escaped(signal.rawValue))</th>\(cells.joined())</tr>"
    }
    return """
      <p class="key"><span class="chip passed"></span>passed <span class="chip failed"></span>failed \
      <span class="chip open"></span>not checked; the numbers in this order.</p>
      <div class="wide"><table><thead><tr class="head"><th scope="col">Signal</th>\(heads)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  // MARK: Failures

  private var failures: String {
    let kinds: [(String, (Presentation) -> Bool)] = [
      ("Attacks taken for living people", { $0.isError && !$0.label.isBonaFide }),
      ("Living people taken for attacks", { $0.isError && $0.label.isBonaFide }),
      ("Living people without a response", { $0.label.isBonaFide && $0.result == "undecided" }),
      ("Attacks without a response", { !$0.label.isBonaFide && $0.result == "undecided" }),
      ("No face was seen", { $0.result == "not-acquired" }),
      ("Could not be read", { $0.result == "unreadable" }),
    ]
    var left = Self.maximumPictures
    var text = ""
    for (title, isOne) in kinds {
      let members = report.judged.filter { isOne($0.presentation) }
      guard !members.isEmpty else { continue }
      let figures = members.map { judged in
        defer { left -= judged.picture == nil ? 0 : 1 }
        return figure(judged, withPicture: left > 0)
      }
      text +=
        "<section><h2>\(title): \(members.count)</h2>\n<div class=\"grid\">\n"
        + figures.joined(separator: "\n") + "\n</div></section>\n"
    }
    if left <= 0 { text += "<p>Only the first \(Self.maximumPictures) have a picture here.</p>\n" }
    return text
  }

  private func figure(_ judged: LivenessEvaluationRun.Judged, withPicture: Bool) -> String {
    let presentation = judged.presentation
    let source = presentation.source.map { ", source \(HTML.escaped($0))" } ?? ""
    var lines = presentation.reasons.map { "<b>\(HTML.escaped($0.code))</b> \(HTML.escaped($0.text))" }
    if let retry = presentation.retry { lines.append("retry: \(HTML.escaped(retry.rawValue))") }
    if let interruption = presentation.interruption { lines.append(HTML.escaped(interruption)) }
    if let error = presentation.error { lines.append(HTML.escaped(error.message)) }
    let picture =
      withPicture
      ? judged.picture.map { "<img src=\"\(HTML.dataAddress(png: $0))\" alt=\"\(HTML.escaped(alternative(judged)))\">" }
      : nil
    return """
      <figure>\(picture ?? "")<figcaption><code>\(HTML.escaped(presentation.path))</code>
      <p>\(name(presentation.label)) → <strong>\(presentation.result)</strong>, policy \
      \(HTML.escaped(presentation.policy))\(source)</p>
      <ul>\(lines.map { "<li>\($0)</li>" }.joined())</ul></figcaption></figure>
      """
  }

  private func alternative(_ judged: LivenessEvaluationRun.Judged) -> String {
    "A frame of \(judged.presentation.path), \(judged.presentation.label.name)"
  }

  // MARK: Texts

  private static let legend = """
    <section>
    <h2>What the numbers mean</h2>
    <dl>
    <dt>FTA</dt><dd>Failure to acquire: of the files that could be read, no face was seen in any frame.</dd>
    <dt>BPNRR, APNRR</dt><dd>Non-response rate: of the living people, or attacks, in which a face was seen, it could not \
    be told what they are.</dd>
    <dt>BPCER</dt><dd>Of the living people with a response: taken for attacks.</dd>
    <dt>APCER</dt><dd>Of the attacks of one species with a response: taken for living people. The species with the \
    highest rate counts; a mean over species says nothing.</dd>
    <dt>Accepted</dt><dd>Of all that could be read: taken for living people. An attack without a response is not accepted, \
    and neither is a living person without one.</dd>
    <dt>Bounds</dt><dd>Exact binomial bounds (Clopper and Pearson), two-sided at 95 %. They suppose files that do not depend \
    on each other: several files of one person, camera or place tell less than as many of different ones.</dd>
    </dl>
    <p>Terms: ISO/IEC 30107-3. This is a measurement on these files, by this version and these models, and no certificate. \
    The page holds pictures of people: treat it as you treat the recordings.</p>
    </section>
    """
}
