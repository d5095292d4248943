import ArgumentParser
import FaceVerify
internal import FaceVerifyEvaluation

struct EvalLivenessCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "liveness", abstract: "Measure how often attacks are accepted and bona fide presentations rejected.",
    discussion: """
      FOLDER has a folder live or bona-fide, and one for each species of attack
      with its name: print, screen, mask... Every file below is a video or a photo.
      Or --labels names a CSV file with the columns path (below FOLDER) and label
      (as the folders), and optionally species (then the label is attack,
      simulated or absent), simulated (yes or no), subject, source and script.
      Rates are also reported for each source (a data set, a camera, a site).
      Species whose names begin with simulated- were made from pictures of living
      people, and are marked.

      Photos are judged by the policy photo, videos by passive-only, or by
      standard if they have a script, unless --policy names another. Rates are
      those of ISO/IEC 30107-3, with exact (Clopper-Pearson) two-sided bounds at
      95 %:
        APCER  share of attacks of a species with a response, classified as live
        BPCER  share of bona fide presentations with a response, as attacks
        APNRR  share of attacks with a face that were undecided
        BPNRR  share of bona fide presentations with a face that were undecided
        FTA    share of readable files without a face
      The species with the highest APCER counts, not the mean.

      Examples:
        faceverify eval liveness recordings/
        faceverify eval liveness recordings/ --threads 4 --html report.html
        faceverify eval liveness . --labels labels.csv --json > result.json
        faceverify eval liveness photos/ --csv rates.csv --details all.csv

      \(EvalCommand.exitCodes)
      """)

  @Argument(help: "The folder of the recordings.", completion: .directory) var folder: String
  @Option(help: .init("Take the files and labels from this CSV file.", "file"), completion: .file()) var labels: String?
  @OptionGroup var reports: ReportOptions
  @Option(help: .init("Write the value of each signal after each frame as CSV.", "file"), completion: .file())
  var frames: String?
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func run(on console: Console) throws -> ExitStatus {
    let files =
      try labels.map { try LabelledFile.listed(in: $0, root: folder) }
      ?? LabelledFile.inFolders(of: folder) { name in
        console.warn("\(name) is not in a folder that names its label; ignored")
      }
    guard !files.isEmpty else {
      throw VerifyError(.badArgument, "no recording in \(labels ?? folder); see `faceverify eval liveness --help`")
    }
    try console.prepare(reports.csv, reports.details, reports.html, frames)
    let engine = try engine.engine(threads: threads.threads)
    let run = try LivenessEvaluationRun(
      engine, liveness, wantsPictures: reports.html != nil, wantsFrames: frames != nil)
    let progress = Progress(files.count, on: console)
    let judged = run.judge(files, threads: threads.threads) { progress.show("\($0.path.printable): \($0.result)") }
    progress.end()
    let report = LivenessReport(engine, judged)
    for presentation in report.unreadable {
      if let error = presentation.error { console.warn(error.message(naming: presentation.path)) }
    }
    try reports.save(
      rates: report.rates, details: report.details, page: LivenessReportPage(report: report).text, on: console)
    try console.save(report.frames.utf8, to: frames)
    try console.show(report.json, report.text(on: console))
    return report.unreadable.isEmpty ? .done : .failed
  }
}
