import ArgumentParser
import FaceVerify

struct TemplateCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "template", abstract: "Make face templates from photos, for later comparisons.",
    discussion: """
      A template is biometric data: 580 bytes that only the same models can
      compare. Only its owner can read the file; keep it as short and as safely as
      the photo. Nothing is written for a photo that the policy refuses.

      With several photos or a folder, --output is a folder, in which each
      template has the name of its photo and the ending .fvt.

      Examples:
        faceverify template portrait.jpg --output person.fvt
        faceverify template photos/ --output templates/ --threads 4
        faceverify compare selfie.jpg person.fvt

      Exit codes:
        0  a template was written for every photo
        2  usage error
        3  runtime error, or a photo cannot be read or shows no face
        4  a photo is refused
      """)

  @Argument(help: "Photos, or folders of them: \(PictureFormat.list).", completion: .file()) var photos: [String]
  @Option(name: .output, help: .init("The file of the template, or the folder of several.", "file"))
  var target: String
  @OptionGroup var quality: QualityOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var batch: BatchOptions

  func run(on console: Console) throws -> ExitStatus {
    let budget = batch.time.budget()
    let files = try Input.photos(photos)
    let isSingle = photos.count == 1 && !Folder.isFolder(photos[0]) && !Folder.isFolder(target)
    let targets = isSingle ? [files[0]: target] : try names(of: files)
    if isSingle { try console.prepare(target) }
    let engine = try batch.makeEngine()
    let set = JSONValue.string(engine.modelVersion.set.rawValue)
    let policy = quality.policy
    var results = PhotoResults(on: console)
    try results.add(files, batch.photo, batch.threads) {
      try engine.sample($0, policy: policy, budget: budget)
    } describe: { photo, sample in
      guard let template = sample.template else {
        return (.refused, QualityText.refusal(photo, sample.quality, on: console), sample.jsonValue)
      }
      let target = targets[photo] ?? target
      try console.save(template.serialised(), to: target, permissions: 0o600)
      var text = "template of \(photo.printable) written to \(target.printable)"
      text += template.quality.map { ", quality \($0) of 100" } ?? ""
      text += ", models \(engine.modelVersion.set)"
      for note in sample.notes { text += "\n  \(note)" }
      for check in sample.quality.warnings { text += "\n  \(console.styled("note", .caution))  \(check.text)" }
      let made = template.jsonValue.with("modelSet", set)
      return (.done, text + "\n", sample.jsonValue.with("template", made))
    }
    try results.show(by: engine)
    return results.status
  }

  /// Returns the file of each template in a folder, which is made if necessary.
  private func names(of files: [String]) throws -> [String: String] {
    let names = files.map { file in
      let name = FileName.last(file)
      return "\(target)/\(name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name).fvt"
    }
    var seen = Set<String>()
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw VerifyError(.badArgument, "two photos would have the template \(twice); rename one")
    }
    try RegularFile.makeFolder(target)
    try RegularFile.checkWritable([names[0]])
    return Dictionary(zip(files, names)) { first, _ in first }
  }
}
