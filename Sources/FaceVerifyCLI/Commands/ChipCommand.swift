import ArgumentParser
import FaceVerify

struct ChipCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "chip",
    abstract: "Read the files of a passport's chip, and tell whether they are genuine.",
    discussion: """
      The folder holds files of the chip: EF.COM, EF.DG1, EF.DG2 ..., EF.SOD;
      plain, hexadecimal or base64, by any usual name. Without --trust nobody
      knows who signed: then nothing is called authentic, and nothing invalid.

      Exit code 0 if the chip is authentic and in date, 1 if it is not, 3 if
      the files cannot be read, 4 if it could not be told, or if files are
      missing that EF.SOD or EF.COM names.

      Examples:
        faceverify chip chip/ --trust csca/
        faceverify chip chip/ --trust csca/ --date 2024-08-07 --json
        faceverify chip chip/ --portrait portrait.jpg
      """, helpNames: .long)

  @Argument(help: "The folder with the chip's files.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("Write the portrait of EF.DG2 into a file, as it is stored.", valueName: "file"))
  var portrait: String?

  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var output: JSONOption

  func run(on console: Console) throws -> ExitStatus {
    let chip = DocumentChip(
      try ChipFiles(folder: folder), trust: try trust.store(on: console, for: date.day()),
      date: DateTime(try date.day()),
      policy: trust.policy)
    try console.write(output.json ? chip.json : ChipText.text(chip, on: console))
    if let portrait { try RegularFile.write(chip.portrait().bytes, to: portrait) }
    return switch chip.authentication.status {
    case .passed: chip.evidence.problem == nil ? .done : .refused
    case .failed: .noMatch
    case .notChecked: .refused
    }
  }
}
