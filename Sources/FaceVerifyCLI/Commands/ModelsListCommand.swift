import ArgumentParser
import FaceVerify

struct ModelsListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the models: what each does, its licence and source, and whether it is there.",
    discussion: """
      Examples:
        faceverify models list
        faceverify models list --json
      """)

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.folder())
    let items = installation.check()
    guard !output.json else {
      try console.write(installation.jsonValue(of: items).text)
      return .done
    }
    var table = Table()
    table.add(
      ["id", "role", "version", "size", "licence", "sets", "source", "state"].map {
        .init($0, .faint, right: $0 == "size")
      })
    for item in items {
      let model = item.model
      table.add(
        .init(model.id), .init(model.role), .init(model.version), .init(Text.megabytes(model.size), right: true),
        .init(model.licence), .init(item.sets.isEmpty ? "-" : item.sets.joined(separator: ",")),
        .init(item.sourceText), ModelsText.state(item))
    }
    try console.write("\(installation.folder)\n" + table.text(on: console))
    return .done
  }
}
