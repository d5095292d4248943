import ArgumentParser

/// A command that runs; the others only group subcommands.
protocol Subcommand: ParsableCommand {
  func run(on console: Console) throws -> ExitStatus
}
