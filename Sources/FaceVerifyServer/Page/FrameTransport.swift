internal import FaceVerify

/// Statistics of the delivery of a session's frames, for the operator.
struct FrameTransport {
  var frames = 0
  var refused = 0
  var bytes = 0
  var batches = 0
  var hidden = 0
  var gaps = 0
  var attempts = 0
  var faults: [String] = []
  /// What the person declined: `light`, `movement`.
  var declined: [String] = []
  /// How often the person continued on another device.
  var handOffs = 0
  var camera: JSONValue = .null
  private var answerSeconds: [Double] = []
  /// The maxima of all attempts, in seconds.
  private var worstLag = 0.0
  private var longestGap = 0.0
  private var serverDelay = 0.0

  mutating func answered(after seconds: Double) {
    answerSeconds.append(seconds)
    if answerSeconds.count > 2000 { answerSeconds.removeFirst(1000) }
  }

  /// Adds the maxima of an attempt.
  mutating func add(_ clock: StreamClock) {
    worstLag = max(worstLag, clock.worstLag)
    longestGap = max(longestGap, clock.longestSeenGap)
    serverDelay = max(serverDelay, clock.worstBacklog)
  }

  /// - Parameter clock: of the last attempt.
  func jsonValue(_ clock: StreamClock) -> JSONValue {
    var all = self
    all.add(clock)
    let times = answerSeconds.sorted()
    func at(_ share: Double) -> JSONValue {
      times.isEmpty ? .null : .rounded(times[min(times.count - 1, Int(share * Double(times.count)))], 3)
    }
    return [
      "frames": .integer(frames), "refused": .integer(refused), "bytes": .integer(bytes), "batches": .integer(batches),
      "hidden": .integer(hidden), "dropped": .integer(gaps), "attempts": .integer(attempts),
      "faults": .array(faults.map(JSONValue.string)), "declined": .array(declined.map(JSONValue.string)),
      "handOffs": .integer(handOffs), "camera": camera, "worstLag": .rounded(all.worstLag, 2),
      "longestGap": .rounded(all.longestGap, 2),
      "serverDelay": .rounded(all.serverDelay, 2), "clockRate": .rounded(clock.rate, 4),
      "answerSeconds": ["median": at(0.5), "p95": at(0.95)],
    ]
  }
}
