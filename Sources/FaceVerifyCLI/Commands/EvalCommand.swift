import ArgumentParser

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Measure error rates on recordings or photos of which it is known what they show.",
    discussion: """
      Examples:
        faceverify eval liveness recordings/
        faceverify eval liveness recordings/ --html report.html
        faceverify eval match people/ --html report.html
        faceverify eval journey journeys.csv
      """,
    subcommands: [EvalLivenessCommand.self, EvalMatchCommand.self, EvalJourneyCommand.self])
}
