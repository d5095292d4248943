import FaceVerify
import Glibc

/// Shows progress and remaining time: on a terminal in one line that is rewritten, otherwise in separate lines.
struct Progress: Sendable {
  private struct State {
    var done = 0
    var skipped = 0
    var lastLine: ContinuousClock.Instant?
  }

  private let console: Console
  private let count: Int
  private let interval: Duration
  private let isTerminal = isatty(2) == 1
  private let start = ContinuousClock.now
  private let state = Lock(State())

  /// - Parameter interval: between two lines without a terminal; zero for one line per file.
  init(_ count: Int, interval: Duration = .zero, on console: Console) {
    self.count = count
    self.interval = interval
    self.console = console
  }

  /// - Parameters:
  ///   - text: the current item.
  ///   - isSkipped: the item took no time; ignored in the estimate of the remaining time.
  func show(_ text: String, isSkipped: Bool = false) {
    state.withLock { state in
      state.done += 1
      if isSkipped { state.skipped += 1 }
      let now = ContinuousClock.now
      if !isTerminal, let last = state.lastLine, now - last < interval, state.done < count { return }
      state.lastLine = now
      let line = "\(state.done) of \(count)\(rest(state, now))  \(text.printable)"
      console.message(isTerminal ? "\r\u{1B}[K\(line.prefix(100))" : line, newline: !isTerminal)
    }
  }

  func end() {
    if isTerminal { console.message("\r\u{1B}[K", newline: false) }
  }

  private func rest(_ state: State, _ now: ContinuousClock.Instant) -> String {
    let worked = state.done - state.skipped
    let seconds = (now - start) / .seconds(1)
    // The first seconds include loading models.
    guard seconds >= 5, worked >= 3, state.done < count else { return "" }
    return ", about \(Self.written(seconds / Double(worked) * Double(count - state.done))) left"
  }

  static func written(_ seconds: Double) -> String {
    switch seconds {
    case ..<100: "\(max(1, Int(seconds.rounded()))) s"
    case ..<6000: "\(Int((seconds / 60).rounded())) min"
    default: "\(Int((seconds / 3600).rounded())) h"
    }
  }
}
