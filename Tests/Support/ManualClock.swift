package import FaceVerifyBase

/// A clock that stands still until a test moves it. Thread-safe.
package final class ManualClock: Clock {
  private let now: Lock<(monotonic: Double, wall: Double)>

  package init(monotonic: Double = 1000, wall: Double) { now = Lock((monotonic, wall)) }

  package var monotonic: Double { now.read(\.monotonic) }
  package var wall: Double { now.read(\.wall) }

  package func advance(by seconds: Double) {
    now.withLock { ($0.monotonic, $0.wall) = ($0.monotonic + seconds, $0.wall + seconds) }
  }

  /// Sets the machine's time, as an operator or NTP does.
  package func set(wall: Double) { now.withLock { $0.wall = wall } }
}
