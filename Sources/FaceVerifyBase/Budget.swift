internal import Synchronization

/// Deadline and cancellation of one call.
///
/// It covers the whole call, including the decoding of pictures: a call ends some milliseconds after its deadline, and
/// a picture whose decoding cannot be interrupted is refused if too little time is left (see docs/pictures.md). A call
/// that it ends throws ``VerifyError/Code/timeout`` or ``VerifyError/Code/cancelled`` and leaves nothing behind. It
/// never changes a result.
public struct Budget: Sendable {
  /// No deadline; the call still ends when its Swift task is cancelled.
  public static let unlimited = Budget()
  /// No deadline, and cancelling the Swift task does not end the call: for work that must not be interrupted.
  package static let uninterrupted: Budget = {
    var budget = Budget()
    budget.followsTask = false
    return budget
  }()

  private let seconds: Double?
  private let deadline: ContinuousClock.Instant?
  private let cancellation: Cancellation?
  private var followsTask = true

  /// - Parameters:
  ///   - seconds: the time limit of the call, from now; nil for none. 0 or less ends it immediately; a call with a
  ///     budget of NaN throws ``VerifyError/Code/badArgument``.
  ///   - cancellation: ends the call from another thread.
  public init(seconds: Double? = nil, cancellation: Cancellation? = nil) {
    self.seconds = seconds
    // A day or more is no limit; a larger value could overflow the clock.
    deadline = seconds.flatMap { $0 < 86_400 ? .now + .seconds(max(0, $0)) : nil }
    self.cancellation = cancellation
  }

  /// - Throws: ``VerifyError/Code/timeout`` after the deadline, ``VerifyError/Code/cancelled`` once the call or its
  ///   task was cancelled, ``VerifyError/Code/badArgument`` if the time limit is NaN.
  package func check() throws {
    if seconds?.isNaN ?? false { throw VerifyError(.badArgument, "a budget must be a number of seconds, not nan") }
    if cancellation?.isCancelled ?? false || followsTask && Task.isCancelled {
      throw VerifyError(.cancelled, "the call was cancelled")
    }
    if let deadline, let seconds, deadline <= .now {
      throw VerifyError(.timeout, "the call exceeded its budget of \(seconds) s")
    }
  }

  /// Whether at least this many seconds are left.
  package func hasLeft(_ needed: Double) -> Bool {
    (try? check()) != nil && deadline.map { .now + .seconds(needed) <= $0 } ?? true
  }
}

/// Ends calls from another thread. Thread-safe; a cancellation cannot be undone.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}
  public func cancel() { flag.store(true, ordering: .releasing) }
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}
