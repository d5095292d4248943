internal import FaceVerify
package import Glibc

package enum Spawning {
  /// Starts a program with this one's environment, no signal blocked or ignored, and a process group of its own, so
  /// that Ctrl-C reaches only this program.
  ///
  /// - Parameters:
  ///   - arguments: the program, searched in PATH, and its arguments.
  ///   - files: its file descriptors 0, 1, 2 and so on; by default, those of this program.
  /// - Returns: the process, which the caller must wait for.
  /// - Throws: ``VerifyError/Code/unreadable`` if the program is not installed; the message says what to install.
  package static func start(_ arguments: [String], files: [Int32] = []) throws -> pid_t {
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
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Duplicates above all targets, so that no target replaces a descriptor that is still needed.
    let copies = files.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
    defer { for copy in copies where copy >= 0 { close(copy) } }
    for (target, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, Int32(target)) }

    let strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    var child: pid_t = 0
    let failure =
      copies.contains { $0 < 0 }
      ? EMFILE : posix_spawnp(&child, arguments[0], &actions, &attributes, strings + [nil], environ)
    guard failure == 0 else {
      // ffprobe is part of the package ffmpeg.
      let package = arguments[0].hasSuffix("ffprobe") ? "ffmpeg" : arguments[0]
      throw VerifyError(
        .unreadable, "\(arguments[0]) cannot be started (\(RegularFile.reason(failure))): apt-get install \(package)")
    }
    return child
  }

  /// Waits for a program to exit; returns its exit code, or 128 plus the signal that ended it.
  package static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
