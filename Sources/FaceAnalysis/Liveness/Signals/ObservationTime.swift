/// The time for which the face was visible: the evidence of a replay takes time to appear.
struct ObservationTime: FrameMeasuring {
  static let signal = LivenessSignal.observationTime
  static let unit = "seconds"
  static let source = "a replay of 2.5 seconds passed every passive signal"
  let failure = "The face was visible for less than the required 3 seconds."
  let minimum: Double? = 3

  /// The maximum seconds counted between two frames: nothing was observed during a longer pause.
  private static let longestStep = 0.5

  private var last: Double?
  private var frames = 0
  private var seen = 0.0

  mutating func add(_ frame: LivenessFrame) {
    frames += 1
    if let last, frame.face != nil { seen += min(frame.time - last, Self.longestStep) }
    last = frame.face == nil ? nil : frame.time
  }

  var measured: Measured { frames > 1 ? .value(seen) : .unavailable("A single frame has no duration.") }
}
