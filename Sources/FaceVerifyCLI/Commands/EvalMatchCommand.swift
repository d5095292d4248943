import ArgumentParser
import FaceVerify

struct EvalMatchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Measure how often strangers match, and how often one person does not.",
    discussion: """
      SOURCE is a folder with a folder for each person, or a CSV file with the
      columns path_a, path_b, same (1 or 0) and, if wanted, fold. In a folder,
      each photo is compared with each; --labels names the photos below it
      instead: a CSV file with the columns path, subject and any others, by
      which --group forms groups. Without a subject, each photo shows somebody
      else.

      Rates are those of ISO/IEC 19795-1:
        FMR   of comparisons between strangers: a match
        FNMR  of comparisons of one person: no match
        FTA   of all photos: no template, because there is no face in them, or
              the policy refuses them, or they cannot be read
      with 95 % bounds from drawing people anew 1,000 times. They are given at
      the thresholds that the calibration ships, and at those that these photos
      would ask for.

      Examples:
        faceverify eval match people/
        faceverify eval match people/ --threads 4 --work people.fvg
        faceverify eval match . --labels staff.csv --group site --group sex,age
        faceverify eval match pairs.csv --root photos/ --json > result.json

      Exit codes:
        0  measured, whatever the rates
        2  wrong use of the command
        3  could not be done; a photo that has no template is a result, and
           not the end
      """)

  @Argument(help: "The folder of the photos, or the CSV file of the pairs.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp("Take the photos that this CSV file lists, with who they show.", valueName: "file"),
    completion: .file())
  var labels: String?

  @Option(help: ArgumentHelp("Where the paths of a list of pairs begin; without this, beside it.", valueName: "folder"))
  var root: String?

  @Option(
    name: .customLong("group"),
    help: ArgumentHelp(
      "Give rates for each value of this column of the labels, or each combination of some.",
      valueName: "column[,column]"))
  var groups: [String] = []

  @Option(
    help: ArgumentHelp(
      "How good photos must be: any (none is refused), selfie, document or chip.", valueName: "policy"))
  var policy: EnrolmentPolicyOption = .any

  @Flag(
    help: ArgumentHelp(
      "Leave strangers out who are so close that they are probably one person under two names; they are listed."))
  var leaveOutSuspected = false

  @Option(
    help: ArgumentHelp("Write the rates to this CSV file, a line for each threshold and group.", valueName: "file"))
  var csv: String?

  @Option(help: ArgumentHelp("Write what came of each photo to this CSV file.", valueName: "file"))
  var details: String?

  @Option(help: ArgumentHelp("Write the score of each comparison to this CSV file: many lines.", valueName: "file"))
  var scores: String?

  @Option(help: ArgumentHelp("Write the DET curve to this SVG file.", valueName: "file"))
  var svg: String?

  @Option(help: ArgumentHelp("Write a page to this HTML file, with pictures of the worst pairs.", valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Keep what was embedded in this gallery, so that an interrupted run can be gone on with.", valueName: "file"))
  var work: String?

  @OptionGroup var key: GalleryCommand.KeyOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var limits: PhotoOptions
  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    if work == nil, key.file != nil { throw ValidationError("--key needs --work, which it encrypts") }
    if labels == nil, !groups.isEmpty { throw ValidationError("--group needs --labels, whose columns it names") }
  }

  func run(on console: Console) throws -> ExitStatus {
    let labelled = try labelledPhotos()
    guard !labelled.photos.isEmpty else {
      throw VerifyError(
        .badArgument, "there is no photo in \(labels ?? source); see faceverify eval match --help")
    }
    try RegularFile.checkWritable([csv, details, scores, svg, html])
    let (gallery, engine) = try opened()
    let photos = try embedded(labelled.photos, by: engine, keptIn: gallery, on: console)
    var options = MatchEvaluation.Options()
    options.leavesOutSuspected = leaveOutSuspected
    options.threads = threads.threads
    let evaluation = try MatchEvaluation(
      photos, pairs: labelled.pairs, shipped: engine.calibration?.thresholds ?? [], options: options)
    let report = MatchReport(models: engine.modelVersion, policy: policy.policy, evaluation: evaluation)
    if let csv { try RegularFile.write(report.rates.utf8, to: csv) }
    if let details { try RegularFile.write(report.details.utf8, to: details) }
    if let scores { try report.writeScores(pairs: labelled.pairs, to: scores) }
    if let svg { try RegularFile.write(MatchChart(evaluation).standalone.utf8, to: svg) }
    if let html {
      let pictures = MatchPictures(labelled.photos.map(\.path), engine: engine, limits: limits.limits)
      try RegularFile.write(MatchReportPage(report, pictures: pictures).text.utf8, to: html)
    }
    try console.write(output.json ? report.json : report.text(on: console))
    return .done
  }

  private func labelledPhotos() throws -> LabelledPhotos {
    guard !Folder.isFolder(source) else {
      let groupings = groups.map { $0.split(separator: ",").map(String.init) }
      return try labels.map { try .listed(in: $0, root: source, groupings: groupings) } ?? .inFolders(of: source)
    }
    guard labels == nil else { throw VerifyError(.badArgument, "\(source) is no folder: --labels names photos in one") }
    let beside = source.lastIndex(of: "/").map { String(source[..<$0]) } ?? "."
    return try .pairs(in: source, root: root ?? beside)
  }

  private func opened() throws -> (Gallery?, FaceEngine) {
    guard let work else { return (nil, try engine.engine(threads: threads.threads)) }
    return try key.open(work, with: engine, threads: threads.threads, mayCreate: true)
  }

  private func embedded(
    _ photos: [LabelledPhotos.Photo], by engine: FaceEngine, keptIn gallery: Gallery?, on console: Console
  ) throws -> [MatchEvaluation.Photo] {
    let (paths, policy, limits) = (photos.map(\.path), policy.policy, limits.limits)
    let progress = Progress(photos.count, interval: .seconds(10), on: console)
    defer { progress.end() }
    if let gallery {
      try gallery.enrol(paths, policy: policy, limits: limits) { step in
        switch step {
        case .embedded(let photo): progress.show(photo.path)
        case .unchanged(let path): progress.show(path, isSkipped: true)
        }
      }
      return try photos.map { photo in
        guard let kept = try gallery.photo(at: photo.path) else {
          throw VerifyError(.wrongState, "\(gallery.path): \(photo.path) was removed by another process")
        }
        return photo.embedded(kept)
      }
    }
    let done = Lock<[MatchEvaluation.Photo]>([])
    try engine.embed(paths, policy: policy, limits: limits) { embedded in
      done.withLock { $0.append(photos[$0.count].embedded(embedded)) }
      progress.show(embedded.path)
    }
    return done.withLock { $0 }
  }
}

extension LabelledPhotos.Photo {
  /// The reported name.
  fileprivate func embedded(_ photo: EmbeddedPhoto) -> MatchEvaluation.Photo {
    MatchEvaluation.Photo(
      EmbeddedPhoto(
        path: name, sha256: photo.sha256, quality: photo.quality, policy: photo.policy, template: photo.template),
      subject: subject, groups: groups)
  }
}
