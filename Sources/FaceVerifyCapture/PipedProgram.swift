internal import FaceVerify
internal import Glibc

/// A running program, connected by its standard files. It is killed and waited for when this object is released.
///
/// Its standard error is read meanwhile, so that it never blocks on that. Not thread-safe.
final class PipedProgram {
  enum Input {
    case none
    /// An open file, which the caller owns.
    case file(Int32)
    /// The bytes passed to ``write(_:within:)``.
    case pipe
  }

  /// The program's outputs, as its own arguments name them: its standard output, and `pipe:3`.
  enum Output: Int {
    case standard = 0
    case third = 1
  }

  private let name: String
  private var child: pid_t?
  private var input: Int32 = -1
  private var outputs: [Int32] = []
  private var errors: Int32 = -1
  /// The end of its standard error: enough for the lines that explain a failure.
  private var said: [UInt8] = []
  private static let saidAtMost = 4096

  /// - Throws: ``VerifyError/Code/unreadable``.
  init(_ arguments: [String], input: Input = .none) throws {
    name = arguments[0]
    var theirs: [Int32] = []
    defer { for file in theirs { close(file) } }
    switch input {
    case .none: theirs.append(open("/dev/null", O_RDONLY | O_CLOEXEC))
    case .file(let file): theirs.append(fcntl(file, F_DUPFD_CLOEXEC, 0))
    case .pipe:
      let pair = try Self.pair()
      self.input = pair.ours
      theirs.append(pair.theirs)
    }
    // Standard output, standard error, and one more.
    for _ in 0..<3 {
      let pair = try Self.pair()
      outputs.append(pair.ours)
      theirs.append(pair.theirs)
    }
    errors = outputs.remove(at: 1)
    child = try Spawning.start(arguments, files: theirs)
  }

  deinit {
    if let child {
      kill(child, SIGKILL)
      _ = Spawning.wait(for: child)
    }
    for file in outputs + [input, errors] where file >= 0 { close(file) }
  }

  /// Reads the bytes available, and waits if there are none; returns their number, 0 at the end.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` if there are none within the time.
  func read(_ output: Output, into memory: UnsafeMutableRawBufferPointer, within seconds: Double) throws -> Int {
    let file = outputs[output.rawValue]
    guard try wait(for: file, Int16(POLLIN), within: seconds) else {
      throw VerifyError(.unreadable, "\(name) has given nothing for \(Int(seconds)) s")
    }
    while true {
      let count = Glibc.read(file, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw VerifyError(.unreadable, "\(name): \(RegularFile.reason(errno))") }
    }
  }

  /// Returns all of a short output, as text.
  func text(within seconds: Double) throws -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try read(.standard, into: $0, within: seconds) }
      guard count > 0, text.count < 1 << 20 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  /// Returns false if the program has ended.
  func write(_ bytes: UnsafeRawBufferPointer, within seconds: Double) throws -> Bool {
    var done = 0
    while done < bytes.count {
      guard try wait(for: input, Int16(POLLOUT), within: seconds) else {
        throw VerifyError(.unwritable, "\(name) has taken nothing for \(Int(seconds)) s")
      }
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = send(input, bytes.baseAddress?.advanced(by: done), bytes.count - done, flags)
      if count >= 0 {
        done += count
      } else if errno != EINTR && errno != EAGAIN {
        return false
      }
    }
    return true
  }

  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for the program to exit, or kills it; returns its exit code, or 128 plus the signal that ended it.
  func end(within seconds: Double) -> Int32 {
    guard let child else { return 0 }
    endInput()
    if (try? wait(for: nil, 0, within: seconds)) != true { kill(child, SIGKILL) }
    self.child = nil
    return Spawning.wait(for: child)
  }

  /// The last line of its standard error, without the address of the component that wrote it.
  var lastWords: String? {
    let lines = said.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    guard var line = lines.last else { return nil }
    if line.first == "[", let end = line.firstRange(of: "] ") { line.removeSubrange(..<end.upperBound) }
    return String(line.prefix(200))
  }

  /// All that was kept of its standard error.
  var words: String { String(decoding: said, as: UTF8.self) }

  /// Waits until `file` is ready or, for nil, until the program has closed its standard error, which is read meanwhile.
  /// Returns false after a timeout.
  private func wait(for file: Int32?, _ events: Int16, within seconds: Double) throws -> Bool {
    // Suspends with the machine: CLOCK_MONOTONIC.
    let deadline = SuspendingClock.now + .seconds(seconds)
    while true {
      // poll skips negative descriptors.
      var files = [
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0), pollfd(fd: file ?? -1, events: events, revents: 0),
      ]
      if file == nil && errors < 0 { return true }
      let left = (deadline - .now) / .seconds(1)
      let count = left > 0 ? poll(&files, 2, Int32(min(left * 1000 + 1, 1e9))) : 0
      if count == 0 { return false }
      if count < 0 && errno != EINTR { throw VerifyError(.unreadable, "\(name): \(RegularFile.reason(errno))") }
      guard count > 0 else { continue }
      if files[0].revents != 0 { listen() }
      if files[1].revents != 0 { return true }
    }
  }

  /// Reads the available part of the standard error.
  private func listen() {
    var buffer = [UInt8](repeating: 0, count: Self.saidAtMost)
    let count = Glibc.read(errors, &buffer, buffer.count)
    if count > 0 {
      said += buffer[..<count]
      if said.count > Self.saidAtMost { said.removeFirst(said.count - Self.saidAtMost) }
    } else if count == 0 || errno != EINTR {
      close(errors)
      errors = -1
    }
  }

  /// A pair of sockets, not a pipe: writing to a pipe whose reader has gone would end this program by a signal.
  private static func pair() throws -> (ours: Int32, theirs: Int32) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw VerifyError(.unreadable, "no pipe to another program can be made: \(RegularFile.reason(errno))")
    }
    return (pair[0], pair[1])
  }
}
