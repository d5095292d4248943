import ArgumentParser
import FaceVerify

struct QualityCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "quality", abstract: "Judge whether photos are good enough, and how to improve them.",
    discussion: """
      Measures the most prominent face of each photo as in ISO/IEC 29794-5; of a
      folder, all photos in it and below. A check is passed, failed or not checked.
      A failed check is a warning, or refuses the photo, as the policy says.

      Examples:
        faceverify quality selfie.jpg
        faceverify quality portraits/ --quality document --json
        faceverify quality selfie.jpg --annotate marked.png

      Exit codes:
        0  every photo is accepted
        2  usage error
        3  runtime error, or a photo cannot be read or shows no face
        4  a photo is refused
      """)

  @Argument(help: "Photos, or folders of them: \(PictureFormat.list).", completion: .file()) var photos: [String]
  @OptionGroup var quality: QualityOption
  @Flag(help: "List the checks that passed as well.") var all = false
  @OptionGroup var drawing: AnnotateOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var batch: BatchOptions

  func run(on console: Console) throws -> ExitStatus {
    let budget = batch.time.budget()
    let files = try drawing.files(photos, on: console)
    let engine = try batch.makeEngine()
    let policy = quality.policy
    var results = PhotoResults(on: console)
    let last = try results.add(files, batch.photo, batch.threads, keepsPictures: drawing.isWanted) { photo in
      (photo: photo, sample: try engine.assess(photo, policy: policy, budget: budget))
    } describe: { path, found in
      (
        found.sample.quality.isAccepted ? .done : .refused, describe(path, found.sample, on: console),
        found.sample.jsonValue
      )
    }
    try results.show(by: engine)
    if let last { try drawing.save(sheet(files[0], last.photo, last.sample), on: console) }
    return results.status
  }

  private func describe(_ path: String, _ sample: FaceSample, on console: Console) -> String {
    let quality = sample.quality
    var text = console.styled(Input.name(path), .strong) + "  " + QualityText.title(quality) + "\n"
    for note in sample.notes { text += "  \(note)\n" }
    var table = Table()
    for check in quality.checks where all || check.status != .passed {
      let (word, style) = QualityText.word(check)
      table.add(
        .init(word, style), .init(check.name.rawValue), .init(QualityText.value(check), right: true),
        .init(Text.range(check.minimum, check.maximum), .faint), .init(check.text))
    }
    text += table.text(indent: 2, on: console)
    let passed = quality.checks.count { $0.status == .passed }
    if !all && passed > 0 { text += "  \(passed) of \(quality.checks.count) checks passed; --all lists them\n" }
    return text
  }

  private func sheet(_ path: String, _ photo: Photo, _ sample: FaceSample) throws -> PixelBuffer {
    let quality = sample.quality
    let colour = (quality.isAccepted ? Style.good : .bad).colour
    var marks = try FaceMarks(photo, width: Sheet.single.width, height: Sheet.single.height)
    marks.draw(sample.faces, colour: colour)
    var lines = [Sheet.Line(text: QualityText.title(quality), colour: colour, isTitle: true)]
    for check in quality.refusals + quality.warnings {
      let range = Text.range(check.minimum, check.maximum)
      lines.append(
        .init(
          name: check.name.rawValue, text: "\(QualityText.value(check)) (\(range)): \(check.text)",
          colour: (check.consequence == .refuse ? Style.bad : .caution).colour))
    }
    let passed = quality.checks.count { $0.status == .passed }
    let open = quality.checks.count { $0.status == .notChecked }
    lines.append(
      .init(text: "\(passed) of \(quality.checks.count) checks passed, \(open) not checked", colour: Style.faint.colour)
    )
    let caption = "\(FileName.last(path)): \(DecisionText.size(sample))"
    return try Sheet.make([marks.picture], captions: [caption], lines: lines)
  }
}
