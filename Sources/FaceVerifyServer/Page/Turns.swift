internal import FaceVerifyBase

/// The order of the changes of one session: one at a time, first come, first served. Waiting takes no thread.
/// Thread-safe.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [@Sendable () -> Void] = []
  }

  /// More requests than a page has open at once.
  private static let longest = 16

  private let state = Lock(State())

  /// Runs `change` when its turn comes, on the thread that gave it; ``give()`` must follow.
  func take(_ change: @escaping @Sendable () -> Void) {
    let isNow = state.withLock { state in
      if state.isTaken { state.waiting.append(change) }
      defer { state.isTaken = true }
      return !state.isTaken
    }
    if isNow { change() }
  }

  /// Waits for a turn.
  ///
  /// - Returns: false if too many are waiting.
  func take() async -> Bool {
    guard state.read({ $0.waiting.count < Self.longest }) else { return false }
    await withCheckedContinuation { continuation in take { continuation.resume() } }
    return true
  }

  /// - Returns: whether the turn is the caller's, which then must ``give()`` it.
  func tryTake() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Ends a turn.
  func give() {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      state.isTaken = !state.waiting.isEmpty
      return state.isTaken ? state.waiting.removeFirst() : nil
    }
    next?()
  }
}
