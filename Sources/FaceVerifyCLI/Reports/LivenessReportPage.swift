import FaceVerifyEvaluation

struct LivenessReportPage {
  let report: LivenessReport

  /// The maximum number of pictures, to keep the page small; further failures are listed without.
  private static let maximumPictures = 300

  var text: String {
    HTML.page(
      "Liveness evaluation", models: report.models,
      about: "\(report.judged.count) files. Bounds: \(ErrorRate.method).",
      legend: [
        ("FTA", "Failure to acquire: share of readable files in which no face was found in any frame."),
        (
          "BPNRR, APNRR",
          "Non-response rate: share of bona fide presentations, or attacks, with a face that were undecided."
        ),
        ("BPCER", "Share of bona fide presentations with a response that were classified as attacks."),
        (
          "APCER",
          "Share of the attacks of one species with a response that were classified as bona fide. The species "
            + "with the highest rate counts; a mean over species says nothing."
        ), ("Accepted", "Share of readable files classified as live; a file without a response is not accepted."),
        (
          "Bounds",
          "Exact binomial bounds (Clopper and Pearson), two-sided at 95 %. They assume independent files: "
            + "several files of one person, camera or place widen the true bounds."
        ),
      ], standards: "ISO/IEC 30107-3", report.evaluations.map(section) + [failures])
  }

  private func section(_ evaluation: LivenessEvaluation) -> String {
    let worst = evaluation.worst.map { tally in
      "<p class=\"worst\">Highest APCER: <strong>\(name(tally.label)) \(tally.classificationError.text)</strong> "
        + "(\(Text.percent(tally.classificationError.range)))</p>"
    }
    let sources = evaluation.sources.map { "<h3>Source “\(HTML.escaped($0.source ?? ""))”</h3>\n\(rates($0))" }
    let rows = evaluation.tallies.map { tally in
      let (rate, isBonaFide) = (tally.classificationError, tally.label.isBonaFide)
      return Chart.Row(
        name: isBonaFide ? "BPCER, live" : "APCER, \(tally.label.name)", kind: isBonaFide ? .live : .attack,
        value: rate.value, bounds: rate.range,
        text: rate.value == nil ? "no response" : "\(rate.text) (\(Text.percent(rate.range)))")
    }
    return HTML.section(
      "Policy “\(evaluation.policy.name)”", HTML.notes(LivenessReport.notes(evaluation)), worst ?? "",
      rates(evaluation), sources.joined(separator: "\n"), "<h3>Classification error rates</h3>",
      "<div class=\"wide\">\(Chart.intervals("Classification error rates", .init(from: 0, to: 1), rows).element)</div>",
      "<h3>Signals</h3>", signals(evaluation))
  }

  private func rates(_ evaluation: LivenessEvaluation) -> String {
    let groups = [
      ("Bona fide", "BPNRR", "BPCER", evaluation.bonaFide.map { [$0] } ?? []),
      ("Attacks", "APNRR", "APCER", evaluation.species),
    ].filter { !$0.3.isEmpty }
    return HTML.table(
      groups.map { title, nonResponse, error, tallies in
        (
          [title, "Files", "Unreadable", "FTA", nonResponse, error, "Accepted"],
          tallies.map { tally in
            let subjects = tally.subjects.map { "<small>\(Text.counted($0, "subject"))</small>" } ?? ""
            return [name(tally.label), "\(tally.presentations)\(subjects)", "\(tally.unreadable)"]
              + tally.rates.map(\.cell)
          }
        )
      })
  }

  /// Marks simulated attacks.
  private func name(_ label: PresentationLabel) -> String {
    HTML.escaped(label.species ?? "live") + (label.isSimulated ? HTML.mark("simulated") : "")
  }

  private func signals(_ evaluation: LivenessEvaluation) -> String {
    let tallies = evaluation.tallies
    let rows = LivenessReport.signals(evaluation).map { signal in
      [HTML.escaped(signal.rawValue)]
        + tallies.map { tally in tally.signals.first { $0.signal == signal }.map(share) ?? "–" }
    }
    return """
      <p class="key"><span class="chip passed"></span>passed <span class="chip failed"></span>failed \
      <span class="chip open"></span>not checked; the numbers are in this order.</p>
      \(HTML.table(["Signal"] + tallies.map { $0.label.species ?? "live" }, rows))
      """
  }

  /// Numbers and a bar of how often a check passed, failed and was not checked.
  private func share(_ count: SpeciesTally.SignalCount) -> String {
    let parts = [("passed", count.passed), ("failed", count.failed), ("open", count.notChecked)]
    let bar = parts.filter { $0.1 > 0 }.map { "<i class=\"\($0.0)\" style=\"flex:\($0.1)\"></i>" }.joined()
    return
      "\(count.passed) / \(count.failed) / \(count.notChecked)<span class=\"bar\" aria-hidden=\"true\">\(bar)</span>"
  }

  private var failures: String {
    let kinds: [(String, (Presentation) -> Bool)] = [
      ("Attacks classified as live", { $0.isError && !$0.label.isBonaFide }),
      ("Bona fide classified as attacks", { $0.isError && $0.label.isBonaFide }),
      ("Bona fide without a response", { $0.label.isBonaFide && $0.result == "undecided" }),
      ("Attacks without a response", { !$0.label.isBonaFide && $0.result == "undecided" }),
      ("No face found", { $0.result == "not-acquired" }), ("Unreadable", { $0.result == "unreadable" }),
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
      text += HTML.section("\(title): \(members.count)", HTML.grid(figures))
    }
    if left <= 0 { text += "<p>Only the first \(Self.maximumPictures) have a picture here.</p>\n" }
    return text
  }

  private func figure(_ judged: LivenessEvaluationRun.Judged, withPicture: Bool) -> String {
    let presentation = judged.presentation
    let source = presentation.source.map { ", source \(HTML.escaped($0))" } ?? ""
    let remarks = [
      presentation.retry.map { "retry: \($0.rawValue)" }, presentation.interruption, presentation.error?.message,
    ]
    let lines =
      presentation.reasons.map { "<b>\(HTML.escaped($0.code))</b> \(HTML.escaped($0.text))" }
      + remarks.compactMap { $0.map(HTML.escaped) }
    return HTML.figure(
      [(withPicture ? judged.picture : nil, "A frame of \(presentation.path), \(presentation.label.name)")],
      """
      \(HTML.code(presentation.path))
      <p>\(name(presentation.label)) → <strong>\(presentation.result)</strong>, policy \
      \(HTML.escaped(presentation.policy))\(source)</p>
      \(HTML.list(lines))
      """)
  }
}
