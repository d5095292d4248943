import ArgumentParser
import FaceVerify

struct ModelsVerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every model file against the manifest.",
    discussion: """
      Exit code 3 if a file is missing or not the right one: the message names
      it, both hashes, and the remedy.

      Example:
        faceverify models verify
      """)

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.folder())
    let items = installation.check()
    let problems = items.compactMap(ModelsText.problem)
    for problem in problems { console.warn(problem) }
    if output.json {
      try console.write(installation.jsonValue(of: items).text)
    } else if problems.isEmpty {
      try console.write("all \(items.count) model files are right in \(installation.folder)\n")
    }
    return problems.isEmpty ? .done : .failed
  }
}
