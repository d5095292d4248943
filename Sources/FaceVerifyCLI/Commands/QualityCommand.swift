import ArgumentParser
import FaceVerify

struct QualityCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "quality",
    abstract: "Judge whether photos are good enough, and say what to do better.",
    discussion: """
      The most prominent face of each photo is measured after ISO/IEC 29794-5.
      A check has passed, has failed, or was not checked. A failed check is a
      warning, or refuses the photo, as the policy says. Exit code 4 if a photo
      is refused, 3 if one cannot be read or shows no face.

      Examples:
        faceverify quality selfie.jpg
        faceverify quality portrait.jp2 --policy chip --json
        faceverify quality selfie.jpg --annotate marked.png
      """)

  @Argument(help: "Photos: \(PictureFormat.list).", completion: .file())
  var photos: [String]

  @Option(help: ArgumentHelp("What is asked of the photos: selfie, document or chip.", valueName: "policy"))
  var policy: PolicyOption = .selfie

  @Flag(help: "List the checks that passed as well.")
  var all = false

  @Option(help: ArgumentHelp("Draw what was found into a PNG file; for one photo.", valueName: "file"))
  var annotate: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    if annotate != nil && photos.count > 1 { throw ValidationError("--annotate takes one photo, not \(photos.count)") }
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    let engine = try engine.engine(threads: threads.threads)
    let policy = policy.policy
    let results = PhotoBatch.run(photos, limits: photo.limits, threads: threads.threads) { [annotate] photo in
      let photo = photo.keepingPictures(if: annotate != nil)
      return (photo: photo, sample: try engine.assess(photo, policy: policy, budget: budget))
    }
    var statuses: [ExitStatus] = []
    var text = ""
    var records: [JSONValue] = []
    for (path, result) in zip(photos, results) {
      switch result {
      case .success(let (_, sample)):
        statuses.append(sample.quality.isAccepted ? .done : .refused)
        text += describe(path, sample, on: console)
        records.append(PhotoRecord.with("file", .string(path), in: sample.jsonValue))
      case .failure(let error):
        statuses.append(.failed)
        records.append(PhotoRecord.failed(path, error))
        console.warn(error.message)
      }
    }
    try console.write(output.json ? PhotoRecord.all(records, by: engine).text : text)
    if let annotate, case .success(let found) = results[0] {
      try RegularFile.write(sheet(found.photo, found.sample).encodedAsPNG(), to: annotate)
    }
    return .worst(statuses)
  }

  private func describe(_ path: String, _ sample: FaceSample, on console: Console) -> String {
    let quality = sample.quality
    var text = console.styled(path, .strong) + "  " + QualityText.title(quality) + "\n"
    for note in sample.warnings.map(\.text) + [sample.choice].compactMap({ $0 }) { text += "  \(note)\n" }
    var table = Table()
    for check in quality.checks where all || check.status != .passed {
      let (word, style) = QualityText.word(check)
      table.add(
        .init(word, style), .init(check.measure.rawValue), .init(QualityText.value(check), right: true),
        .init(QualityText.range(check), .faint), .init(check.advice))
    }
    text += table.text(indent: 2, on: console)
    let passed = quality.checks.count { $0.status == .passed }
    if !all && passed > 0 { text += "  \(passed) of \(quality.checks.count) checks passed; --all lists them\n" }
    return text
  }

  private func sheet(_ photo: Photo, _ sample: FaceSample) throws -> PixelBuffer {
    let quality = sample.quality
    let colour = quality.isAccepted ? FaceMarks.Colour.taken : FaceMarks.Colour.refused
    var marks = try FaceMarks(photo, width: Sheet.single.width, height: Sheet.single.height)
    marks.draw(sample.faces, colour: colour)
    var lines = [Sheet.Line(text: QualityText.title(quality), colour: colour, isTitle: true)]
    for check in quality.refusals + quality.warnings {
      lines.append(
        .init(
          name: check.measure.rawValue,
          text: "\(QualityText.value(check)) (\(QualityText.range(check))): \(check.advice)",
          colour: check.consequence == .refuse ? FaceMarks.Colour.refused : FaceMarks.Colour.caution))
    }
    let passed = quality.checks.count { $0.status == .passed }
    let open = quality.checks.count { $0.status == .notChecked }
    lines.append(
      .init(
        text: "\(passed) of \(quality.checks.count) checks passed, \(open) not checked", colour: FaceMarks.Colour.faint)
    )
    let caption = "\(FileName.last(photos[0])): \(DecisionText.size(sample))"
    return try Sheet.make([marks.picture], captions: [caption], lines: lines)
  }
}
