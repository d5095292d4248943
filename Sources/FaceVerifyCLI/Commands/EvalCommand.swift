import ArgumentParser
import FaceVerify

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval", abstract: "Measure error rates on labelled recordings, photos or identity checks.",
    discussion: """
      Examples:
        faceverify eval liveness recordings/
        faceverify eval liveness recordings/ --html report.html
        faceverify eval match people/ --html report.html
        faceverify eval journey journeys.csv
      """,
    subcommands: [EvalLivenessCommand.self, EvalMatchCommand.self, EvalJourneyCommand.self])

  static let exitCodes = """
    Exit codes:
      0  measured, whatever the rates
      2  usage error
      3  runtime error, or a file is unreadable; the others are measured
    """
}

struct ReportOptions: ParsableArguments {
  @Option(help: .init("Write the rates to this CSV file.", "file")) var csv: String?
  @Option(help: .init("Write the result of each file to this CSV file.", "file")) var details: String?
  @Option(help: .init("Write a report with charts and pictures to this HTML file.", "file")) var html: String?

  func save(
    rates: @autoclosure () -> String, details: @autoclosure () -> String, page: @autoclosure () -> String,
    on console: Console
  ) throws {
    try console.save(rates().utf8, to: csv)
    try console.save(details().utf8, to: self.details)
    try console.save(page().utf8, to: html)
  }
}
