import ArgumentParser
import FaceVerifyStore
import Glibc

struct Console {
  /// Colour is for people at a terminal (https://no-color.org).
  let hasColour: Bool
  /// Whether messages go to a terminal.
  let showsMessagesOnTerminal = isatty(2) == 1
  var isJSON = false
  var isQuiet = false
  private let state = Lock((hasResult: false, isReplaced: false))

  /// Whether a result was written: no error may follow it on standard output.
  var hasResult: Bool { state.withLock(\.hasResult) }

  init() { hasColour = isatty(1) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb" }

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

  // MARK: Results

  /// Writes the result: as JSON with --json; as text otherwise, unless an output or --quiet replaces that.
  ///
  /// - Returns: ``ExitStatus/done``, the status of a command that shows its result and decides nothing.
  @discardableResult
  func show(_ json: @autoclosure () throws -> JSONValue, _ text: @autoclosure () throws -> String) throws -> ExitStatus
  {
    if isJSON {
      try write(json().text)
    } else if !isQuiet && !state.withLock(\.isReplaced) {
      try write(text())
    }
    return .done
  }

  /// Writes to standard output; throws ``VerifyError/Code/unwritable``.
  func write(_ text: String) throws { try write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) throws {
    if let failure = write(bytes, to: 1) {
      let reason = failure == EPIPE ? "the reader has closed the pipe" : RegularFile.reason(failure)
      throw VerifyError(.unwritable, "standard output: \(reason)")
    }
    state.withLock { $0.hasResult = true }
  }

  /// Checks before the work that the outputs can be written; one may be `-`, standard output in place of the text.
  ///
  /// - Throws: a usage error, or ``VerifyError/Code/unwritable``.
  func prepare(_ outputs: String?...) throws {
    let outputs = outputs.compactMap(\.self)
    let twice = outputs.first { one in outputs.count { $0 == one } > 1 }
    try require(twice == nil, "two outputs cannot both be \(twice ?? "")")
    let isReplaced = outputs.contains("-")
    try require(!isReplaced || !isJSON, "standard output is that of --json: name a file in place of -")
    state.withLock { $0.isReplaced = isReplaced }
    try RegularFile.checkWritable(outputs.filter { $0 != "-" })
  }

  /// Writes an output whose name was checked by ``prepare(_:)``; nothing if it has no name.
  func save(
    _ bytes: @autoclosure () throws -> some Collection<UInt8>, to path: String?, permissions: UInt32 = 0o644
  ) throws {
    guard let path else { return }
    if path == "-" {
      try write(Array(bytes()))
    } else {
      try RegularFile.write(bytes(), to: path, permissions: permissions)
    }
  }

  // MARK: Messages

  /// Writes lines for people, in addition to the result and unescaped.
  func message(_ text: String, newline: Bool = true) {
    _ = write(Array((newline && !text.hasSuffix("\n") ? text + "\n" : text).utf8), to: 2)
  }

  /// Writes a line of progress, unless --quiet: on a terminal in place of the previous one.
  func progress(_ line: String) {
    guard !isQuiet else { return }
    message(showsMessagesOnTerminal ? Self.lineStart + line : line, newline: !showsMessagesOnTerminal)
  }

  /// Removes the last line of ``progress(_:)`` from a terminal.
  func endProgress() {
    if showsMessagesOnTerminal && !isQuiet { message(Self.lineStart, newline: false) }
  }

  /// Returns to the start of the line, and erases it.
  private static let lineStart = "\r\u{1B}[K"

  /// Writes an error in one line; unprintable characters are escaped.
  func warn(_ text: String) { message("faceverify: \(text.printable)") }

  /// - Parameter text: one line; unprintable characters are escaped.
  func styled(_ text: String, _ style: Style) -> String {
    hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if written >= 0 { done += written } else if errno != EINTR { return errno }
      }
      return nil
    }
  }
}

/// The meaning of a text: its terminal escape sequence, and its colour in a picture.
enum Style: String {
  case good = "32"
  case caution = "33"
  case bad = "31"
  case strong = "1"
  case faint = "2"

  var colour: UInt32 {
    switch self {
    case .good: FaceMarks.Colour.taken
    case .caution: FaceMarks.Colour.caution
    case .bad: FaceMarks.Colour.refused
    case .strong: FaceMarks.Colour.text
    case .faint: FaceMarks.Colour.faint
    }
  }
}

extension CheckStatus {
  var style: Style { self == .passed ? .good : self == .failed ? .bad : .caution }
  var exit: ExitStatus { self == .passed ? .done : self == .failed ? .noMatch : .refused }
}

/// Shows progress and remaining time: on a terminal in one line that is rewritten, otherwise in separate lines.
struct Progress: Sendable {
  private let console: Console
  private let count: Int
  private let interval: Duration
  private let start = ContinuousClock.now
  private let state = Lock((done: 0, skipped: 0, lastLine: ContinuousClock.Instant?.none))

  /// - Parameter interval: between two lines without a terminal; zero for one line per file.
  init(_ count: Int, interval: Duration = .zero, on console: Console) {
    (self.count, self.interval, self.console) = (count, interval, console)
  }

  /// - Parameter isSkipped: the item took no time; ignored in the estimate of the remaining time.
  func show(_ text: String, isSkipped: Bool = false) {
    guard !console.isQuiet else { return }
    state.withLock { state in
      state.done += 1
      if isSkipped { state.skipped += 1 }
      let now = ContinuousClock.now
      let isTerminal = console.showsMessagesOnTerminal
      if !isTerminal, let last = state.lastLine, now - last < interval, state.done < count { return }
      state.lastLine = now
      let rest = rest(done: state.done, worked: state.done - state.skipped, now)
      let line = "\(state.done) of \(count)\(rest)  \(text.printable)"
      console.progress(isTerminal ? String(line.prefix(100)) : line)
    }
  }

  func show(_ step: Gallery.Enrolment) {
    switch step {
    case .embedded(let photo): show(photo.path)
    case .unchanged(let path): show(path, isSkipped: true)
    }
  }

  func end() { console.endProgress() }

  private func rest(done: Int, worked: Int, _ now: ContinuousClock.Instant) -> String {
    let seconds = (now - start) / .seconds(1)
    // The first seconds include loading models.
    guard seconds >= 5, worked >= 3, done < count else { return "" }
    let left = seconds / Double(worked) * Double(count - done)
    let text =
      left < 100
      ? "\(max(1, Int(left.rounded()))) s"
      : left < 6000 ? "\(Int((left / 60).rounded())) min" : "\(Int((left / 3600).rounded())) h"
    return ", about \(text) left"
  }
}
