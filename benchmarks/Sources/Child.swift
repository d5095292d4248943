import Glibc

/// A child process that ran to its end; its output is discarded.
struct Child {
  /// nil if it was terminated by a signal.
  let exitCode: Int32?
  /// Seconds from before its start to its end.
  let wall: Double
  /// Maximum resident memory in bytes. Linux includes the memory of this process at the start of the child, so children
  /// are measured before any model is loaded.
  let peakMemory: Int

  init(_ arguments: [String], environment: [String: String]) throws {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }

    let start = now(CLOCK_MONOTONIC)
    var process: pid_t = 0
    guard posix_spawn(&process, arguments[0], &files, nil, &argv, &envp) == 0 else {
      throw Failure("\(arguments[0]) cannot be started")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
    wall = now(CLOCK_MONOTONIC) - start
    exitCode = status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    peakMemory = usage.ru_maxrss * 1024
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
