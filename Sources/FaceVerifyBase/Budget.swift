internal import Synchronization

/// What one call may cost: how long it may take, and who may end it.
///
/// It bounds the whole call, waiting for a free pipeline included. A call that it ends gives ``VerifyError/Code/timeout``
/// or ``VerifyError/Code/cancelled`` and leaves nothing behind. It never changes an answer.
public struct Budget: Sendable {
  /// No bound; the call still ends when its Swift task is cancelled.
  public static let unlimited = Budget()

  private let seconds: Double?
  private let deadline: ContinuousClock.Instant?
  private let cancellation: Cancellation?

  /// - Parameters:
  ///   - seconds: how long the call may take, counted from now; nil for any time. 0 or less ends it at once.
  ///   - cancellation: ends the call from another thread.
  public init(seconds: Double? = nil, cancellation: Cancellation? = nil) {
    self.seconds = seconds
    // Longer than a day is no bound, and would overflow a clock before it does a Double.
    deadline = seconds.flatMap { $0 < 86_400 ? .now + .seconds($0.isNaN ? 0 : max(0, $0)) : nil }
    self.cancellation = cancellation
  }

  /// - Throws: ``VerifyError/Code/timeout`` once the time is over, ``VerifyError/Code/cancelled`` once the call or its
  ///   task was cancelled.
  package func check() throws {
    if cancellation?.isCancelled ?? false || Task.isCancelled {
      throw VerifyError(.cancelled, "the call was cancelled")
    }
    if let deadline, let seconds, deadline <= .now {
      throw VerifyError(.timeout, "the call was ended after the \(seconds) s that it was given")
    }
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
