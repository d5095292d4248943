import FaceVerifyCapture
import Glibc
import Synchronization

/// Runs another program to its end, with this one's standard files.
enum ChildProcess {
  /// - Parameter arguments: the program, looked for in PATH, and its arguments.
  /// - Returns: its exit code, or 128 and the signal that ended it.
  static func run(_ arguments: [String]) throws -> Int32 {
    // A Ctrl-C reaches it once, through ``Interruption``.
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
    // The child ended because of a signal to this process: what it says of that is not the outcome.
    while isEnding { pause() }
    return outcome
  }
}
