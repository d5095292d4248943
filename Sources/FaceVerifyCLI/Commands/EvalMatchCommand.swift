import ArgumentParser
import FaceVerifyEvaluation

struct EvalMatchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Measure false-match and false non-match rates.",
    discussion: """
      SOURCE is a folder with a folder for each person, or a CSV file with the
      columns path_a, path_b, same (1 or 0) and optionally fold. In a folder, each
      photo is compared with each; --labels names the photos below it instead: a
      CSV file with the columns path, subject and others, by which --group forms
      groups. Without a subject, each photo shows another person.

      Rates are those of ISO/IEC 19795-1:
        FMR   share of non-mated comparisons that match
        FNMR  share of mated comparisons that do not match
        FTA   share of photos without a template: no face, refused by the
              policy, or unreadable
      with 95 % bounds from bootstrapping subjects 1,000 times. They are reported
      at the thresholds of the calibration, and at thresholds for these photos.

      Examples:
        faceverify eval match people/
        faceverify eval match people/ --threads 4 --work people.fvg
        faceverify eval match . --labels staff.csv --group site --group sex,age
        faceverify eval match pairs.csv --root photos/ --json > result.json

      Exit codes:
        0  measured, whatever the rates; a photo without a template is a result
        2  usage error
        3  runtime error
      """)

  @Argument(help: "The folder of the photos, or the CSV file of the pairs.", completion: .file()) var source: String
  @Option(help: .init("Take the photos and subjects from this CSV file.", "file"), completion: .file())
  var labels: String?
  @Option(help: .init("The folder of relative paths in a list of pairs; default: that of the list.", "folder"))
  var root: String?
  @Option(
    name: .customLong("group"),
    help: .init(
      "Report rates for each value of this column of the labels, or each combination of some.", "column[,column]"))
  var groups: [String] = []
  @Option(
    help: .init(
      "Required quality of photos, by their kind: any (none is refused), selfie, document or chip.", "kind"))
  var quality: Quality = .any
  @Flag(
    help: .init(
      "Exclude non-mated pairs that are so close that they are probably one person under two names; they are listed."))
  var leaveOutSuspected = false
  @OptionGroup var reports: ReportOptions
  @Option(help: .init("Write the score of each comparison to this CSV file.", "file")) var scores: String?
  @Option(help: .init("Write the DET curve to this SVG file.", "file")) var svg: String?
  @Option(help: .init("Keep the templates in this gallery, so that an interrupted run is resumable.", "file"))
  var work: String?
  @OptionGroup var key: GalleryCommand.KeyOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var limits: PhotoOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    try require(work != nil || key.galleryKey == nil, "--gallery-key needs --work, which it encrypts")
    try require(scores != "-", "--scores needs a file")
    try require(labels != nil || groups.isEmpty, "--group needs --labels, whose columns it names")
  }

  func run(on console: Console) throws -> ExitStatus {
    let labelled = try labelledPhotos()
    guard !labelled.photos.isEmpty else {
      throw VerifyError(.badArgument, "no photo in \(labels ?? source); see `faceverify eval match --help`")
    }
    try console.prepare(reports.csv, reports.details, scores, svg, reports.html)
    let (gallery, engine) = try opened()
    let photos = try embedded(labelled.photos, by: engine, keptIn: gallery, on: console)
    var options = MatchEvaluation.Options()
    options.leavesOutSuspected = leaveOutSuspected
    options.threads = threads.threads
    let evaluation = try MatchEvaluation(
      photos, pairs: labelled.pairs, shipped: engine.calibration?.thresholds ?? [], options: options)
    let report = MatchReport(models: engine.modelVersion, policy: quality.policy, evaluation: evaluation)
    let pictures = MatchPictures(labelled.photos.map(\.path), engine: engine, limits: limits.limits)
    try reports.save(
      rates: report.rates, details: report.details, page: MatchReportPage(report: report, pictures: pictures).text,
      on: console)
    if let scores { try report.writeScores(pairs: labelled.pairs, to: scores) }
    try console.save(report.det.file.utf8, to: svg)
    return try console.show(report.json, report.text(on: console))
  }

  private func labelledPhotos() throws -> LabelledPhotos {
    guard !Folder.isFolder(source) else {
      let groupings = groups.map { $0.split(separator: ",").map(String.init) }
      return try labels.map { try .listed(in: $0, root: source, groupings: groupings) } ?? .inFolders(of: source)
    }
    guard labels == nil else {
      throw VerifyError(.badArgument, "\(source) is not a folder: --labels names photos in one")
    }
    return try .pairs(in: source, root: root ?? FileName.folder(of: source) ?? ".")
  }

  private func opened() throws -> (Gallery?, FaceEngine) {
    guard let work else { return (nil, try engine.engine(threads: threads.threads)) }
    return try key.open(work, with: engine, threads: threads.threads, mayCreate: true)
  }

  private func embedded(
    _ photos: [LabelledPhotos.Photo], by engine: FaceEngine, keptIn gallery: Gallery?, on console: Console
  ) throws -> [MatchEvaluation.Photo] {
    let (paths, policy, limits) = (photos.map(\.path), quality.policy, limits.limits)
    let progress = Progress(photos.count, interval: .seconds(10), on: console)
    defer { progress.end() }
    if let gallery {
      try gallery.enrol(paths, policy: policy, limits: limits) { progress.show($0) }
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
  fileprivate func embedded(_ photo: EmbeddedPhoto) -> MatchEvaluation.Photo {
    MatchEvaluation.Photo(
      EmbeddedPhoto(
        path: name, sha256: photo.sha256, quality: photo.quality, policy: photo.policy, template: photo.template),
      subject: subject, groups: groups)
  }
}
