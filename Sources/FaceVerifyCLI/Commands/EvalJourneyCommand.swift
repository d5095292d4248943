import ArgumentParser
import FaceVerifyCapture
import FaceVerifyEvaluation

struct EvalJourneyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "journey", abstract: "Measure how often identity checks accept impostors and reject genuine people.",
    discussion: """
      LABELS is a CSV file with a line for each journey: clip (a video or a
      photo), portrait (a photo or template) or chip (a folder) and document (a
      photo of the page), and label: genuine (the person of the portrait),
      impostor (another living person), or the species of an attack with the
      portrait's face, such as print or simulated-screen. Optional columns:
      species, simulated, subject and script, as for eval liveness.

      A journey is accepted if the clip is live and its face matches the
      portrait, which the document's evidence must allow. Rates, with exact
      (Clopper-Pearson) bounds at 95 %:
        FRR    share of genuine journeys not accepted, for whatever reason
        FAR    share of impostors accepted
        IAPAR  share of attacks of one species accepted
      and the outcomes of the others.

      Examples:
        faceverify eval journey journeys.csv
        faceverify eval journey journeys.csv --root data/ --trust csca/ --json
        faceverify eval journey journeys.csv --fmr 1e-4 --html report.html

      \(EvalCommand.exitCodes)
      """)

  @Argument(help: "The CSV file of the journeys.", completion: .file()) var labels: String
  @Option(help: .init("The folder of relative paths; default: that of the CSV file.", "folder")) var root: String?
  @OptionGroup var fmr: FMROption
  @OptionGroup var files: ReportOptions
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func run(on console: Console) throws -> ExitStatus {
    let journeys = try LabelledJourney.listed(in: labels, root: root ?? FileName.folder(of: labels) ?? ".")
    guard !journeys.isEmpty else {
      throw VerifyError(.badArgument, "no journey in \(labels); see `faceverify eval journey --help`")
    }
    try console.prepare(files.csv, files.details, files.html)
    let engine = try engine.engine(threads: threads.threads)
    let run = try LivenessEvaluationRun(engine, liveness)
    var rules = ComparisonPolicy()
    rules.falseMatchRate = fmr.rate
    // Before the first clip is processed.
    _ = try engine.threshold(at: fmr.rate)
    let (store, policy, day) = (try trust.store(on: console), trust.policy, DateTime(try date.day()))
    let progress = Progress(journeys.count, interval: .seconds(10), on: console)
    let done = Batch.run(journeys.count, threads: threads.threads) { [rules] i -> Journey in
      let labelled = journeys[i]
      defer { progress.show(labelled.name) }
      do {
        let (liveness, faces, _) = try run.decide(labelled.clip, script: labelled.script)
        return try Journey(
          name: labelled.name, label: labelled.label, subject: labelled.subject, liveness: liveness.decision,
          facesSeen: faces
        ) { template in
          let selfie = FaceInput.template(template)
          let portrait: FaceInput =
            if let portrait = labelled.portrait {
              try FaceInput(path: portrait)
            } else {
              .document(
                try engine.readDocument(
                  pages: labelled.document.map { [try Photo(path: $0)] } ?? [],
                  chip: labelled.chip.map { try ChipFiles(folder: $0) }, trust: store, authentication: policy,
                  date: day))
            }
          return try engine.compare(selfie: selfie, portrait: portrait, policy: rules)
        }
      } catch {
        let error = VerifyError(any: error)
        return Journey(name: labelled.name, label: labelled.label, subject: labelled.subject, error: error)
      }
    }
    progress.end()
    let report = JourneyReport(models: engine.modelVersion, rate: fmr.rate, journeys: done)
    for journey in report.unreadable {
      if let error = journey.error { console.warn(error.message(naming: journey.name)) }
    }
    try files.save(rates: report.rates, details: report.details, page: report.page, on: console)
    try console.show(report.json, report.text(on: console))
    return report.unreadable.isEmpty ? .done : .failed
  }
}
