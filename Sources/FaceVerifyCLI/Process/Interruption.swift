import FaceVerify
import Glibc
import Synchronization

/// Ctrl-C and its relatives: what is half done is removed before the program ends as the signal says.
///
/// One thread waits for the signals, which all others block: it may take locks, as a signal handler may not.
enum Interruption {
  struct State {
    /// A program that was started and is to end first.
    var child: pid_t?
    /// Is told of each signal, in place of the end.
    var handler: (@Sendable () -> Void)?
    /// A signal has come: nothing else may end the process now.
    var isEnding = false
  }
  static let state = Mutex(State())

  /// To be called before any other thread is made.
  static func prepare() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    pthread_create(&waiter, nil, { _ in Interruption.wait() }, nil)
    // A library's threads, made before this one and blocking nothing, pass on what reaches them.
    for number in [SIGINT, SIGTERM, SIGHUP] where sigismember(&signals, number) == 1 {
      signal(number) { number in pthread_kill(Interruption.waiter, number) }
    }
  }

  /// Written before there is anybody to read it.
  nonisolated(unsafe) private static var waiter = pthread_t()

  static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    return signals
  }

  /// As by `nohup`, which must go on working.
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
      // Not reaped here: the one that started it does that.
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
