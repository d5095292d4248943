import FaceVerify
import Glibc
import Synchronization

/// Runs another program to its end, with this one's standard files.
enum ChildProcess {
  /// - Parameter arguments: the program, looked for in PATH, and its arguments.
  /// - Returns: its exit code, or 128 and the signal that ended it.
  static func run(_ arguments: [String]) throws -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var ignored = none
    sigaddset(&ignored, SIGPIPE)
    sigaddset(&ignored, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    // A group of its own: a Ctrl-C reaches it once, through ``Interruption``.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    let child: pid_t = try Interruption.state.withLock { state in
      var child: pid_t = 0
      let failure = posix_spawnp(&child, arguments[0], nil, &attributes, strings + [nil], environ)
      guard failure == 0 else {
        throw VerifyError(
          .unreadable,
          "\(arguments[0]) cannot be started (\(RegularFile.reason(failure))): apt-get install \(arguments[0])")
      }
      state.child = child
      return child
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let isEnding = Interruption.state.withLock { state in
      state.child = nil
      return state.isEnding
    }
    // The child ended because of a signal to this process: what it says of that is not the outcome.
    while isEnding { pause() }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
