import ArgumentParser
import FaceVerify

struct TemplateCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "template",
    abstract: "Make a face template from a photo, to be compared later.",
    discussion: """
      A template is biometric data: 580 bytes that only the same models can
      compare. It is written readable for its owner alone; keep it as short and
      as safely as the photo. Nothing is written if the policy refuses the photo.

      Examples:
        faceverify template portrait.jpg --output person.fvt
        faceverify compare selfie.jpg person.fvt

      \(ExitStatus.help)
      """)

  @Argument(help: "The photo: \(PictureFormat.list).", completion: .file())
  var photo: String

  @Option(name: [.short, .long], help: ArgumentHelp("Write the template to this file.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("How good the photo must be: selfie, document or chip.", valueName: "policy"))
  var policy: PolicyOption = .selfie

  @OptionGroup var json: JSONOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var limits: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    let picture = try Photo(path: photo, limits: limits.limits)
    let engine = try engine.engine()
    let sample = try engine.sample(picture, policy: policy.policy, budget: budget)
    guard let template = sample.template else {
      try console.write(json.json ? sample.json : refusal(sample, on: console))
      return .refused
    }
    try RegularFile.write(template.serialised(), to: output, permissions: 0o600)
    if json.json {
      var record = sample.jsonValue
      let set = JSONValue.string(engine.modelVersion.set.rawValue)
      record = PhotoRecord.with("template", PhotoRecord.with("modelSet", set, in: template.jsonValue), in: record)
      try console.write(PhotoRecord.with("version", .string(FaceVerifyVersion.string), in: record).text)
    } else {
      var text = "template of \(photo.printable) written to \(output.printable)"
      text += template.quality.map { ", quality \($0) of 100" } ?? ""
      text += ", models \(engine.modelVersion.set)"
      for note in sample.warnings.map(\.text) + [sample.choice].compactMap({ $0 }) { text += "\n  \(note)" }
      for check in sample.quality.warnings { text += "\n  \(console.styled("note", .caution))  \(check.advice)" }
      try console.write(text + "\n")
    }
    return .done
  }

  private func refusal(_ sample: FaceSample, on console: Console) -> String {
    var text = console.styled("\(photo): \(QualityText.title(sample.quality))", .caution) + "\n"
    for check in sample.quality.refusals { text += "  \(check.advice)\n" }
    return text
  }
}
