/// The rate of the frames' clock relative to the caller's: 1 for a stream played at its own pace. Frames that were
/// generated more slowly than they claim, or are played faster, differ.
///
/// The slope of a line fitted to all frames, so that a network stall of a second hardly changes it.
struct ArrivalRate: FrameMeasuring {
  static let signal = LivenessSignal.arrivalRate
  static let unit = "ratio"
  static let source =
    "clocks run alike; a network that stalls for one second of five changes it by 0.1, frames at half or double speed "
    + "by 0.5 and 1 (simulated, 2026-11)"
  let failure = "The frames' clock runs faster or slower than the caller's: the stream was not recorded live."
  let minimum: Double? = 0.8
  let maximum: Double? = 1.25

  /// Seconds on either clock.
  private static let minimumSpan = 3.0
  private static let minimumFrames = 15

  private var first: FrameArrival?
  private var last: FrameArrival?
  private var frames = 0
  private var mean = (time: 0.0, received: 0.0)
  private var variance = 0.0
  private var covariance = 0.0

  mutating func add(_ frame: LivenessFrame) {
    guard let arrival = FrameArrival(frame) else { return }
    let first = first ?? arrival
    (self.first, last) = (first, arrival)
    frames += 1
    // Welford 1962.
    let (time, received) = (arrival.time - first.time, arrival.received - first.received)
    let step = time - mean.time
    mean.time += step / Double(frames)
    mean.received += (received - mean.received) / Double(frames)
    variance += step * (time - mean.time)
    covariance += step * (received - mean.received)
  }

  var measured: Measured {
    guard let first, let last else { return FrameArrival.missing }
    guard frames >= Self.minimumFrames,
      max(last.time - first.time, last.received - first.received) >= Self.minimumSpan
    else { return .unavailable("The session was too short to compare the frames' clock with the caller's.") }
    // Frames that arrive all together, or in reverse order, have no rate: the maximum is reported.
    return .value(covariance > 0 ? min(variance / covariance, 1000) : 1000)
  }
}

/// The maximum delay of a frame relative to the fastest one: the time that an attacker needs to answer a challenge
/// elsewhere, or a network delay.
///
/// A constant delay from the first frame cannot be distinguished from a clock offset: the clocks have no common origin.
struct ArrivalDelay: FrameMeasuring {
  static let signal = LivenessSignal.arrivalDelay
  static let unit = "seconds"
  static let source = "chosen: frames older than 2 seconds cannot answer the current prompt (2026-11)"
  let failure = "Frames arrived much later than their timestamps: they were delayed, or the network is too slow."
  let maximum: Double? = 2

  private var least: Double?
  private var delay = 0.0

  mutating func add(_ frame: LivenessFrame) {
    guard let arrival = FrameArrival(frame) else { return }
    let lag = arrival.received - arrival.time
    least = min(least ?? lag, lag)
    delay = max(delay, lag - (least ?? lag))
  }

  var measured: Measured { least == nil ? FrameArrival.missing : .value(delay) }
}

/// A frame's time on its own clock and on the caller's.
private struct FrameArrival {
  let time: Double
  let received: Double

  static let missing = Measured.unavailable("The caller does not report arrival times.")

  init?(_ frame: LivenessFrame) {
    guard let received = frame.received else { return nil }
    (time, self.received) = (frame.time, received)
  }
}
