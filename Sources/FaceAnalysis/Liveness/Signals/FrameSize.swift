/// How often frames changed their size, other than by being turned: a camera has one for a session.
struct FrameSize: LivenessMeasuring {
  static let signal = LivenessSignal.frameSize
  static let unit = "frames"
  static let source = "a camera's format is chosen once, before the first frame"
  let failure = "The frames changed their size during the session."
  let maximum: Double? = 0

  private var last: SIMD2<Int>?
  private var frames = 0
  private var changes = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    let (width, height) = (frame.picture.width, frame.picture.height)
    let size = SIMD2(max(width, height), min(width, height))
    if let last, last != size { changes += 1 }
    last = size
    frames += 1
  }

  var measured: Measured {
    frames > 1 ? .value(Double(changes)) : .unavailable("There were too few frames.")
  }
}
