internal import Synchronization

/// Deadline and cancellation of one call.
///
/// It bounds the whole call, the decoding of pictures included: a call ends some milliseconds after its deadline, and a picture
/// that cannot be decoded in steps is refused before (see docs/pictures.md). A call that it ends throws
/// ``VerifyError/Code/timeout`` or ``VerifyError/Code/cancelled`` and leaves nothing behind. It never changes an answer.
public struct Budget: Sendable {
  /// No bound; the call still ends when its Swift task is cancelled.
  public static let unlimited = Budget()
  /// No bound, and the cancellation of the Swift task does not end the call: for work that must not stop halfway.
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
  ///   - seconds: how long the call may take, counted from now; nil for any time. 0 or less ends it at once; a call with a budget
  ///     of NaN throws ``VerifyError/Code/badArgument``.
  ///   - cancellation: ends the call from another thread.
  public init(seconds: Double? = nil, cancellation: Cancellation? = nil) {
    self.seconds = seconds
    // Longer than a day is no bound, and would overflow a clock before it does a Double.
    deadline = seconds.flatMap { $0 < 86_400 ? .now + .seconds(max(0, $0)) : nil }
    self.cancellation = cancellation
  }

  /// - Throws: ``VerifyError/Code/timeout`` once the time is over, ``VerifyError/Code/cancelled`` once the call or its
  ///   task was cancelled, ``VerifyError/Code/badArgument`` if the time is no number.
  package func check() throws {
    if seconds?.isNaN ?? false { throw VerifyError(.badArgument, "a budget must be a number of seconds, not nan") }
    if cancellation?.isCancelled ?? false || followsTask && Task.isCancelled {
      throw VerifyError(.cancelled, "the call was cancelled")
    }
    if let deadline, let seconds, deadline <= .now {
      throw VerifyError(.timeout, "the call was ended after the \(seconds) s that it was given")
    }
  }

  /// Whether the call may go on for so many seconds.
  package func hasLeft(_ needed: Double) -> Bool {
    (try? check()) != nil && deadline.map { .now + .seconds(needed) <= $0 } ?? true
  }
}

extension VerifyError {
  /// The call's ``Budget`` ended it: nothing is wrong with what was analysed.
  package var endsCall: Bool { code == .timeout || code == .cancelled }
}

/// Ends calls from another thread. Any threads may use it at the same time; once cancelled, it stays so.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public func cancel() { flag.store(true, ordering: .releasing) }

  public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}
