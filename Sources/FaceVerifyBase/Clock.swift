package import Glibc

/// Time as a value: monotonic for durations, wall for dates. Tests pass a clock that they set.
package protocol Clock: Sendable {
  /// Seconds; only differences have a meaning. Setting the machine's time does not change it.
  var monotonic: Double { get }
  /// Seconds since 1970.
  var wall: Double { get }
}

package struct SystemClock: Clock {
  package init() {}
  package var monotonic: Double { steadyClock() }
  package var wall: Double { wallClock() }
}

/// Seconds since 1970, truncated to milliseconds as in journeys.
package func wallClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + (Double(time.tv_nsec) / 1e6).rounded(.down) / 1e3
}

/// Seconds on a monotonic clock.
package func steadyClock() -> Double { seconds(on: CLOCK_MONOTONIC) }

package func seconds(on clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
