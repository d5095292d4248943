import ArgumentParser
import FaceVerify

struct EvalLivenessCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "liveness",
    abstract: "Measure how often attacks pass, and how often living people do not.",
    discussion: """
      FOLDER has a folder for living people, called live or bona-fide, and one
      for each species of attack, called by it: print, screen, mask... Below
      these, every file is a video or a photo. Or --labels lists the files: a
      CSV file with the columns path (below FOLDER) and label (as the folders),
      and if wanted species (then the label is attack, or simulated, or not
      there), simulated (yes or no), subject, source and script. With a source
      (a data set, a camera, a site) the rates are given for each one, too. A
      species whose name begins with simulated- is one that was made from
      pictures of living people, and is marked wherever it is named.

      Photos are judged by the policy photo, videos by passive-only, or by
      standard if they have a script, unless --policy says otherwise. Rates are
      those of ISO/IEC 30107-3, with exact (Clopper-Pearson) two-sided bounds
      at 95 %:
        APCER  of attacks with a response: taken for live, for each species
        BPCER  of living people with a response: taken for attacks
        APNRR  of attacks in which a face was seen: it could not be told
        BPNRR  of living people whose face was seen: it could not be told
        FTA    of all that could be read: no face was seen
      The species with the highest APCER counts, not the mean.

      Examples:
        faceverify eval liveness recordings/
        faceverify eval liveness recordings/ --threads 4 --html report.html
        faceverify eval liveness . --labels labels.csv --json > result.json
        faceverify eval liveness photos/ --csv rates.csv --details all.csv

      Exit codes:
        0  measured, whatever the rates
        2  wrong use of the command
        3  could not be done, or a file could not be read; the others are
           measured all the same
      """)

  @Argument(help: "The folder of the recordings.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("Take the files that this CSV file lists, with their labels.", valueName: "file"),
    completion: .file())
  var labels: String?

  @Option(help: ArgumentHelp("Write the rates to this CSV file, a line for each species.", valueName: "file"))
  var csv: String?

  @Option(
    help: ArgumentHelp("Write what came of each file to this CSV file, with all its checks.", valueName: "file"))
  var details: String?

  @Option(
    help: ArgumentHelp(
      "Write a page to this HTML file, with pictures of what was not taken for what it is.", valueName: "file"))
  var html: String?

  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions

  func run(on console: Console) throws -> ExitStatus {
    let files = try files(on: console)
    guard !files.isEmpty else {
      throw VerifyError(
        .badArgument,
        "there is nothing to judge in \(labels ?? folder); see faceverify eval liveness --help")
    }
    try RegularFile.checkWritable([csv, details, html])
    let engine = try engine.engine(threads: threads.threads)
    let run = LivenessEvaluationRun(
      engine: engine,
      configuration: liveness.configuration(timeout: LivenessSession.timeouts.upperBound, hasScript: false),
      policy: liveness.policy?.policy, script: try liveness.script.map(LivenessOptions.script),
      wantsPictures: html != nil)
    let progress = Progress(files.count, on: console)
    let judged = run.judge(files, threads: threads.threads) { progress.show("\($0.path.printable): \($0.result)") }
    progress.end()
    let report = LivenessReport(engine, judged)
    for presentation in report.unreadable {
      let (name, message) = (presentation.path.printable, presentation.error?.message ?? "")
      console.warn(message.contains(name) ? message : "\(name): \(message)")
    }
    if let csv { try RegularFile.write(report.rates.utf8, to: csv) }
    if let details { try RegularFile.write(report.details.utf8, to: details) }
    if let html { try RegularFile.write(LivenessReportPage(report).text.utf8, to: html) }
    try console.write(output.json ? report.json : report.text(on: console))
    return report.unreadable.isEmpty ? .done : .failed
  }

  private func files(on console: Console) throws -> [LabelledFile] {
    if let labels { return try LabelledFile.listed(in: labels, root: folder, script: LivenessOptions.script) }
    return try LabelledFile.inFolders(of: folder) { name in
      console.warn("\(name) is not in a folder that tells what it shows: left out")
    }
  }
}
