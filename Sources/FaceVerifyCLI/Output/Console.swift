import FaceVerify
import Glibc

/// Where results and messages go.
struct Console {
  /// Colour is for people at a terminal (https://no-color.org).
  let hasColour: Bool
  private let result = Lock(false)

  /// A result was written: no error may follow it on standard output.
  var hasResult: Bool { result.withLock(\.self) }

  init() {
    func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    hasColour = isatty(1) == 1 && environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"
  }

  /// A file that is opened must not become standard output because the caller had closed that.
  func secureStandardFiles() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // Reading from where is written, and the reverse, fails as the closed file would.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    // Then writing to a closed pipe, or beyond the size that a file may have, is an error with a message.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Writes a result.
  ///
  /// - Throws: ``VerifyError/Code/unwritable``.
  func write(_ text: String) throws {
    if let failure = write(text, to: 1) {
      let reason = failure == EPIPE ? "the reader has closed the pipe" : RegularFile.reason(failure)
      throw VerifyError(.unwritable, "standard output: \(reason)")
    }
    result.withLock { $0 = true }
  }

  /// Writes lines for people beside the result, as they are.
  func message(_ text: String, newline: Bool = true) {
    _ = write(newline && !text.hasSuffix("\n") ? text + "\n" : text, to: 2)
  }

  /// Writes what went wrong, in one line: what is not printable is escaped.
  func warn(_ text: String) { message("faceverify: \(text.printable)") }

  /// - Parameter text: of one line: what is not printable is escaped.
  func styled(_ text: String, _ style: Style) -> String {
    hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
  }

  private func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let written = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if written >= 0 { done += written } else if errno != EINTR { return errno }
      }
      return nil
    }
  }
}

/// The codes of terminals.
enum Style: String {
  case good = "32"
  case caution = "33"
  case bad = "31"
  case strong = "1"
  case faint = "2"
}
