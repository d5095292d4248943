import FaceVerify
import Glibc

/// Tells the person at the terminal how far the work is: on one line that is written anew, or a line for each file.
struct EvaluationProgress: Sendable {
  private let console: Console
  private let count: Int
  private let isTerminal = isatty(2) == 1

  init(_ count: Int, on console: Console) {
    self.count = count
    self.console = console
  }

  func show(_ done: Int, _ presentation: Presentation) {
    let text = "\(done) of \(count)  \(presentation.path.printable): \(presentation.result)"
    if isTerminal {
      console.message("\r\u{1B}[K\(text.prefix(100))", newline: false)
    } else {
      console.message(text)
    }
  }

  func end() {
    if isTerminal { console.message("\r\u{1B}[K", newline: false) }
  }
}
