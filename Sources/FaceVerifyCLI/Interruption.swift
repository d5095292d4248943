import FaceVerify
import FaceVerifyCapture
import Glibc
import Synchronization

/// Handles termination signals such as Ctrl-C: removes incomplete output, then ends the process with the signal.
///
/// One thread waits for the signals, which all others block: unlike a signal handler, it may take locks.
enum Interruption {
  struct State {
    /// A child process that must end first.
    var child: pid_t?
    /// Called for each signal instead of ending the process.
    var handler: (@Sendable () -> Void)?
    /// A signal was received: nothing else may end the process now.
    var isEnding = false
  }
  static let state = Mutex(State())

  /// Must be called before any other thread is created.
  static func prepare() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    pthread_create(&waiter, nil, { _ in Interruption.wait() }, nil)
    // Threads that libraries created earlier block no signals, and forward those that they receive.
    for number in [SIGINT, SIGTERM, SIGHUP] where sigismember(&signals, number) == 1 {
      signal(number) { number in pthread_kill(Interruption.waiter, number) }
    }
  }

  /// Written before any other thread reads it.
  nonisolated(unsafe) private static var waiter = pthread_t()

  static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    return signals
  }

  /// A signal ignored on start, as by `nohup`, stays ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func wait() -> Never {
    var signals = set
    var number: Int32 = 0
    while true {
      guard sigwait(&signals, &number) == 0 else { continue }
      guard let handler = state.withLock({ $0.handler }) else { break }
      handler()
    }
    let child = state.withLock { state in
      state.isEnding = true
      return state.child
    }
    if let child {
      kill(child, number)
      var information = siginfo_t()
      // Not reaped here, but by the code that started it.
      waitid(P_PID, id_t(child), &information, Int32(WEXITED | WNOWAIT))
    }
    let number2 = number
    TemporaryFile.removeAll {
      var signals = set
      signal(number2, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number2)
      _exit(128 + number2)
    }
  }
}

/// Runs another program to completion, with this process's standard streams.
enum ChildProcess {
  /// - Parameter arguments: the program, searched for in PATH, and its arguments.
  /// - Returns: its exit code, or 128 plus the signal that ended it.
  static func run(_ arguments: [String]) throws -> Int32 {
    // Ctrl-C reaches the child once, through ``Interruption``.
    let child = try Interruption.state.withLock { state in
      let child = try Spawning.start(arguments)
      state.child = child
      return child
    }
    let outcome = Spawning.wait(for: child)
    let isEnding = Interruption.state.withLock { state in
      state.child = nil
      return state.isEnding
    }
    // The child ended because of a signal to this process: its exit code is not the outcome.
    while isEnding { pause() }
    return outcome
  }
}
