import FaceVerifyCapture
import Glibc
import Synchronization

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
