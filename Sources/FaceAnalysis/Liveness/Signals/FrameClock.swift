/// The share of the stream that no camera's clock explains: frames in too quick succession, frames rejected for their
/// time, and pauses.
struct FrameClock: FrameMeasuring {
  static let signal = LivenessSignal.frameClock
  static let unit = "share"
  static let source =
    "webcams deliver 5 to 120 frames per second, and buffered frames arrive in bursts"
  let failure = "The frames' timestamps are not those of a camera."
  /// Chosen, not measured: three in four frames must be on time, a fourth may be in bursts.
  let maximum: Double? = 0.25

  /// Seconds: the interval at 120 frames per second, less a tenth for jitter.
  private static let shortest = 1 / 132.0
  /// Seconds without a frame that count as a pause: exposure in the dark takes a quarter of that.
  private static let pause = 1.0
  private static let minimumFrames = 15

  private var first: Double?
  private var last = 0.0
  private var frames = 0
  private var faults = 0
  private var paused = 0.0

  mutating func add(_ frame: LivenessFrame) {
    frames += 1 + frame.refused
    faults += frame.refused
    if first != nil {
      let interval = frame.time - last
      if interval < Self.shortest { faults += 1 }
      if interval > Self.pause { paused += interval }
    }
    first = first ?? frame.time
    last = frame.time
  }

  var measured: Measured {
    guard let first, frames >= Self.minimumFrames, last > first else {
      return .unavailable("There were too few frames.")
    }
    return .value(Double(faults) / Double(frames) + paused / (last - first))
  }
}

/// The number of times the frames changed size, other than by rotation: a camera has one size per session.
struct FrameSize: FrameMeasuring {
  static let signal = LivenessSignal.frameSize
  static let unit = "frames"
  static let source = "a camera's format is chosen once, before the first frame"
  let failure = "The frame size changed during the session."
  let maximum: Double? = 0

  private var last: SIMD2<Int>?
  private var frames = 0
  private var changes = 0

  mutating func add(_ frame: LivenessFrame) {
    let (width, height) = (frame.picture.width, frame.picture.height)
    let size = SIMD2(max(width, height), min(width, height))
    if let last, last != size { changes += 1 }
    last = size
    frames += 1
  }

  var measured: Measured { frames > 1 ? .value(Double(changes)) : .unavailable("There were too few frames.") }
}
