/// An entry of an engine's operational log. It contains no personal data and no results: no names of photos, no scores,
/// no templates.
public struct LogEntry: Sendable {
  public enum Level: String, Sendable, Codable, CaseIterable {
    /// Each call: its name, "ok" or an error's code, its duration, and an error's origin.
    case debug
    /// Loaded models.
    case info
    /// Reduced speed or function.
    case warning
  }

  public let level: Level
  /// A single line.
  public let text: String

  init(level: Level, text: String) {
    self.level = level
    self.text = text.printable
  }
}

/// Receives log entries, on the thread of the logged call; must not call the engine. nil disables logging.
public typealias LogHandler = @Sendable (LogEntry) -> Void

extension FaceEngine {
  func logged<Result>(_ call: StaticString, _ body: () throws -> Result) throws -> Result {
    guard let log = configuration.log else { return try body() }
    let begin = ContinuousClock.now
    func report(_ outcome: VerifyError.Code?, _ origin: String = "") {
      let parts = (ContinuousClock.now - begin).components
      let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
      log(LogEntry(level: .debug, text: "\(call): \(outcome?.rawValue ?? "ok"), \(milliseconds) ms\(origin)"))
    }
    do {
      let result = try body()
      report(nil)
      return result
    } catch {
      let known = error as? VerifyError
      report(known?.code ?? .internalFailure, known.map { ", \($0.origin)" } ?? "")
      throw error
    }
  }
}
