import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct EvalJourneyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "journey",
    abstract: "Measure how often whole identity checks accept the wrong and reject the right.",
    discussion: """
      LABELS is a CSV file with a line for each journey: clip (a video or a
      photo), one or more of portrait (a photo or template), chip (a folder) and
      document (a photo of the page), and label: genuine (the person of the
      portrait), impostor (a living person, but somebody else), or the species of
      an attack with the portrait's face, such as print or simulated-screen. If
      wanted, also species, simulated, subject and script, as for eval liveness.

      A journey is accepted if the clip is live and its face matches the
      portrait, which the document's evidence must allow. Rates, with exact
      (Clopper-Pearson) bounds at 95 %:
        FRR    of genuine journeys: not accepted, for whatever reason
        FAR    of impostors: accepted
        IAPAR  of attacks of one species: accepted
      and where the others ended.

      Examples:
        faceverify eval journey journeys.csv
        faceverify eval journey journeys.csv --root data/ --trust csca/ --json
        faceverify eval journey journeys.csv --fmr 1e-4 --html report.html

      Exit codes:
        0  measured, whatever the rates
        2  wrong use of the command
        3  could not be done, or a file could not be read; the others are
           measured all the same
      """)

  @Argument(help: "The CSV file of the journeys.", completion: .file())
  var labels: String

  @Option(help: ArgumentHelp("Where the paths begin; without this, beside the CSV file.", valueName: "folder"))
  var root: String?

  @Option(help: "The false-match rate that faces are compared at.")
  var fmr = RateOption(rate: .oneIn1000)

  @Option(help: ArgumentHelp("Write the rates to this CSV file, a line for each label.", valueName: "file"))
  var csv: String?

  @Option(help: ArgumentHelp("Write what came of each journey to this CSV file.", valueName: "file"))
  var details: String?

  @Option(help: ArgumentHelp("Write a page to this HTML file.", valueName: "file"))
  var html: String?

  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions

  func run(on console: Console) throws -> ExitStatus {
    let beside = labels.lastIndex(of: "/").map { String(labels[..<$0]) } ?? "."
    let journeys = try LabelledJourney.listed(in: labels, root: root ?? beside)
    guard !journeys.isEmpty else {
      throw VerifyError(.badArgument, "there is no journey in \(labels); see faceverify eval journey --help")
    }
    try RegularFile.checkWritable([csv, details, html])
    let engine = try engine.engine(threads: threads.threads)
    let run = LivenessEvaluationRun(
      engine: engine,
      configuration: liveness.configuration(timeout: LivenessSession.timeouts.upperBound, hasScript: false),
      policy: liveness.policy?.policy, script: try liveness.script.map(LivenessOptions.script), wantsPictures: false)
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
          if let portrait = labelled.portrait {
            let decision = try engine.compare(selfie: selfie, portrait: try FaceInput(path: portrait), policy: rules)
            return (decision.result, decision.reasons, decision.comparison?.score)
          }
          let reading = try engine.readDocument(
            pages: labelled.document.map { [try Photo(path: $0)] } ?? [],
            chip: labelled.chip.map { try ChipFiles(folder: $0) }, trust: store, authentication: policy, date: day)
          let decision = try engine.compare(selfie: selfie, document: reading, policy: rules)
          return (decision.result, decision.reasons, decision.comparison.comparison?.score)
        }
      } catch {
        return Journey(
          name: labelled.name, label: labelled.label, subject: labelled.subject,
          error: error as? VerifyError ?? VerifyError(.internalFailure, "\(error)"))
      }
    }
    progress.end()
    let report = JourneyReport(models: engine.modelVersion, rate: fmr.rate, journeys: done)
    for journey in report.unreadable {
      let (name, message) = (journey.name.printable, journey.error?.message ?? "")
      console.warn(message.contains(name) ? message : "\(name): \(message)")
    }
    if let csv { try RegularFile.write(report.rates.utf8, to: csv) }
    if let details { try RegularFile.write(report.details.utf8, to: details) }
    if let html { try RegularFile.write(report.page.utf8, to: html) }
    try console.write(output.json ? report.json : report.text(on: console))
    return report.unreadable.isEmpty ? .done : .failed
  }
}

/// A journey listed in a table.
private struct LabelledJourney: Sendable {
  /// The reported path of the clip.
  let name: String
  let clip: String
  let portrait: String?
  let chip: String?
  let document: String?
  let label: Journey.Label
  let subject: String?
  let script: ChallengeScript?

  static func listed(in table: String, root: String) throws -> [LabelledJourney] {
    let bytes = try RegularFile.read(path: table, maximumBytes: 1 << 26)
    return try VerifyError.located(at: table) {
      try CSV.records(bytes).map { line, fields in
        try VerifyError.located(at: "line \(line)") {
          func optional(_ column: String) -> String? { fields[column].flatMap { $0.isEmpty ? nil : $0 } }
          func path(_ column: String) -> String? {
            optional(column).map { $0.hasPrefix("/") ? $0 : root + "/" + $0 }
          }
          guard let name = optional("clip"), let clip = path("clip"), let label = optional("label") else {
            throw VerifyError(.badArgument, "there must be columns called clip and label, and values in them")
          }
          let (portrait, chip, document) = (path("portrait"), path("chip"), path("document"))
          guard (portrait == nil) != (chip == nil && document == nil) else {
            throw VerifyError(.badArgument, "there must be a portrait, or a chip, a document or both, and not all")
          }
          return LabelledJourney(
            name: name, clip: clip, portrait: portrait, chip: chip, document: document,
            label: try Journey.Label(
              label, species: optional("species") ?? "",
              isSimulated: ["yes", "true", "1"].contains(optional("simulated")?.lowercased() ?? "no")),
            subject: optional("subject"), script: try optional("script").map(LivenessOptions.script))
        }
      }
    }
  }
}
