import ArgumentParser
import FaceVerify

struct VersionCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the version.",
    discussion: """
      Example:
        faceverify version
      """)

  @OptionGroup var output: JSONOption

  func run(on console: Console) throws -> ExitStatus {
    let record: JSONValue = ["version": .string(FaceVerifyVersion.string)]
    try console.write(output.json ? record.text : "faceverify \(FaceVerifyVersion.string)\n")
    return .done
  }
}
