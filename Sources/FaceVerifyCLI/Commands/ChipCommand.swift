import ArgumentParser
import FaceVerify

struct ChipCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "chip", abstract: "Read the files of a passport's chip, and check whether they are genuine.",
    discussion: """
      The folder holds files of the chip: EF.COM, EF.DG1, EF.DG2 ..., EF.SOD;
      binary, hexadecimal or base64, under any usual name. Without --trust the
      signer is unknown, and the chip is neither authentic nor invalid.

      Examples:
        faceverify chip chip/ --trust csca/
        faceverify chip chip/ --trust csca/ --date 2024-08-07 --json
        faceverify chip chip/ --save-portrait portrait.jpg

      Exit codes:
        0  authentic and in date
        1  not genuine, or not in date
        2  usage error
        3  runtime error: the files cannot be read...
        4  not checked, or files are missing that EF.SOD or EF.COM names
      """, helpNames: .long)

  @Argument(help: "The folder with the chip's files.", completion: .directory) var folder: String
  @Option(help: .init("Write the portrait of EF.DG2 into a file, as it is stored.", "file")) var savePortrait: String?
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var output: OutputOptions

  func run(on console: Console) throws -> ExitStatus {
    try console.prepare(savePortrait)
    let day = try date.day()
    let chip = ChipReading(
      try ChipFiles(folder: folder), trust: try trust.store(on: console, for: day), date: DateTime(day),
      policy: trust.policy)
    try console.show(chip.jsonValue, ChipText.text(chip, on: console))
    try console.save(chip.portrait().bytes, to: savePortrait)
    return switch chip.authentication.status {
    case .passed: chip.evidence.problem == nil ? .done : .refused
    case .failed: .noMatch
    case .notChecked: .refused
    }
  }
}
