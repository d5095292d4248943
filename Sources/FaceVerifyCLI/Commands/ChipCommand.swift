import ArgumentParser
import FaceVerify

struct ChipCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "chip", abstract: "Read a passport's chip, and check whether it is genuine.",
    discussion: """
      The folder holds files of the chip: EF.COM, EF.DG1, EF.DG2 ..., EF.SOD;
      binary, hexadecimal or base64, under any usual name. Without --trust the
      signer is unknown, and the chip is neither authentic nor invalid.

      With --reader the chip is read from the document on a smart card reader. It
      is opened with --mrz, --can, or the zone in a photo of the page, --document.
      Then it must also prove that it is not a copy; a chip without a protocol
      for that is not checked, because a copy of it looks the same.

      Examples:
        faceverify chip chip/ --trust csca/
        faceverify chip chip/ --trust csca/ --date 2024-08-07 --json
        faceverify chip chip/ --save-portrait portrait.jpg
        faceverify chip --reader --mrz L898902C3,740812,120415 --trust csca/
        faceverify chip --reader --document passport.jpg --trust csca/ --json
        faceverify chip --reader identiv --can 123456 --save-chip chip/

      Exit codes:
        0  authentic and in date; with --reader also proved not to be a copy
        1  not genuine, not in date, or suspected to be a copy
        2  usage error
        3  runtime error: the files cannot be read, no card, no reader...
        4  not checked, files are missing that EF.SOD lists, or the chip
           refused the password
      """, helpNames: .long)

  @Argument(help: "The folder with the chip's files.", completion: .directory) var folder: String?
  @OptionGroup var reader: ReaderOptions
  @Option(
    help: .init("Open the chip with the zone in this photo of the document's page.", "file"), completion: .file())
  var document: String?
  @Option(help: .init("Write the portrait of EF.DG2 into a file, as it is stored.", "file")) var savePortrait: String?
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    try require(
      (folder == nil) != (reader.reader == nil), "name a folder with the chip's files, or a reader with --reader")
    let passwords = [reader.mrz, reader.can, document].count { $0 != nil }
    try require(
      passwords == (folder == nil ? 1 : 0), "--reader needs one of --mrz, --can and --document; a folder none")
  }

  func run(on console: Console) throws -> ExitStatus {
    try console.prepare(savePortrait)
    let day = try date.day()
    let store = try trust.store(on: console, for: day)
    let files =
      try folder.map { try ChipFiles(folder: $0) }
      ?? reader.read(page: document, by: { try engine.engine() }, on: day, budget: time.budget(), console: console)
    guard let files else { return .refused }
    let chip = ChipReading(files, trust: store, date: DateTime(day), policy: trust.policy)
    try console.show(chip.jsonValue, ChipText.text(chip, on: console))
    try console.save(chip.portrait().bytes, to: savePortrait)
    return chip.status.exit
  }
}
