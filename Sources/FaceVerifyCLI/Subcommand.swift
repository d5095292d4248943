import ArgumentParser

/// A command that does something; the others only group these.
protocol Subcommand: ParsableCommand {
  func run(on console: Console) throws -> ExitStatus
}
