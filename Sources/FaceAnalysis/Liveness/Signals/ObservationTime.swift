/// For how long the face was seen: what a replay betrays itself by takes time to show.
struct ObservationTime: LivenessMeasuring {
  static let signal = LivenessSignal.observationTime
  static let unit = "seconds"
  static let source = "a replay of 2.5 seconds passed every passive signal"
  let failure = "The face was not seen for long enough: that takes 3 seconds."
  let minimum: Double? = 3

  /// Seconds between two frames that count at most: what comes between them in a longer pause was not seen.
  private static let longestStep = 0.5

  private var last: Double?
  private var frames = 0
  private var seen = 0.0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    frames += 1
    if let last, frame.face != nil { seen += min(frame.time - last, Self.longestStep) }
    last = frame.face == nil ? nil : frame.time
  }

  var measured: Measured {
    frames > 1 ? .value(seen) : .unavailable("A single frame has no duration.")
  }
}
