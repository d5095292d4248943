/// What an engine tells of its work, for an operator's log: never of whom it sees, nor how a comparison came out. There
/// are no names of photos, no scores and no templates in it.
public struct LogEntry: Sendable {
  public enum Level: String, Sendable, Codable, CaseIterable {
    /// How each call went: its name, its time, the code of its error.
    case debug
    /// What was loaded.
    case info
    /// What works, but slower or less well than it could.
    case warning
  }

  public let level: Level
  /// One line.
  public let text: String

  init(level: Level, text: String) {
    self.level = level
    self.text = text.printable
  }
}

/// Where entries go; nil for nowhere. It is called on the thread of the call that it tells of, and must not call the
/// engine.
public typealias LogHandler = @Sendable (LogEntry) -> Void

extension FaceEngine {
  /// Runs a call, and tells the log how it went.
  func logged<Result>(_ call: StaticString, _ body: () throws -> Result) throws -> Result {
    guard let log = configuration.log else { return try body() }
    let begin = ContinuousClock.now
    func tell(_ outcome: String) {
      let parts = (ContinuousClock.now - begin).components
      let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
      log(LogEntry(level: .debug, text: "\(call): \(outcome), \(milliseconds) ms"))
    }
    do {
      let result = try body()
      tell("done")
      return result
    } catch {
      tell((error as? VerifyError)?.code.rawValue ?? VerifyError.Code.internalFailure.rawValue)
      throw error
    }
  }
}
