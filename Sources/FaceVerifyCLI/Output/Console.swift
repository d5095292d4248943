import FaceVerify
import Glibc

/// The output of results and messages.
struct Console {
  /// Colour is for people at a terminal (https://no-color.org).
  let hasColour: Bool
  private let result = Lock(false)

  /// Whether a result was written: no error may follow it on standard output.
  var hasResult: Bool { result.withLock(\.self) }

  init() {
    func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    hasColour = isatty(1) == 1 && environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"
  }

  /// Prevents an opened file from becoming standard output if the caller closed that.
  func secureStandardFiles() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // Opened in the opposite direction, so that using them fails as with the closed file.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    // Turns writing to a closed pipe, or beyond the file size limit, into an error with a message.
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

  /// Writes lines for people, in addition to the result and unescaped.
  func message(_ text: String, newline: Bool = true) {
    _ = write(newline && !text.hasSuffix("\n") ? text + "\n" : text, to: 2)
  }

  /// Writes an error in one line; unprintable characters are escaped.
  func warn(_ text: String) { message("faceverify: \(text.printable)") }

  /// - Parameter text: one line; unprintable characters are escaped.
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

/// Terminal escape sequences.
enum Style: String {
  case good = "32"
  case caution = "33"
  case bad = "31"
  case strong = "1"
  case faint = "2"
}
