import ArgumentParser

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "List, install, check or remove the models.",
    discussion: """
      Examples:
        faceverify models list
        faceverify models install
        faceverify models install --from /media/stick/models
        faceverify models verify
      """,
    subcommands: [
      ModelsListCommand.self, ModelsInstallCommand.self, ModelsVerifyCommand.self, ModelsCleanCommand.self,
    ])
}
