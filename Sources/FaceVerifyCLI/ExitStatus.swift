/// The exit codes of the command.
enum ExitStatus: Int32 {
  /// A match, a live person, or success.
  case done = 0
  /// Not the same person, or a presentation attack.
  case noMatch = 1
  case usage = 2
  case failed = 3
  /// A photo is not good enough, or the result is undecided.
  case refused = 4
  /// Passed as requested, but by one photo alone: presence was not proved.
  case byPhoto = 5

  static let help = """
    Exit codes:
      0  match, live, or done
      1  no match, or presentation attack
      2  wrong use of the command
      3  could not be done: no face, unreadable file, missing model, disk full...
      4  refused: a photo is not good enough, or something was not checked
      5  live or passed by one photo alone, as --photo or --presence photo asked
    """

  /// The status of several photos: a runtime error precedes refused, which precedes success.
  static func worst(_ all: [ExitStatus]) -> ExitStatus {
    [.failed, .refused].first(where: all.contains) ?? .done
  }
}
