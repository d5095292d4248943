/// How far the eyes move in their sockets while the head turns.
///
/// Whoever turns the head keeps the gaze on the screen: the eyes turn back as far (the vestibulo-ocular reflex), and jump
/// ahead in between. In an animated photo the irises stay where they are between the corners of the eyes, apart from what
/// the warp of a turned head adds, which is proportional to the turn.
struct EyeMovement: FrameMeasuring {
  static let signal = LivenessSignal.eyeMovement
  static let unit = "share"
  static let source = "photos animated in software: docs/liveness-signals.md"
  let failure = "The eyes do not move in the head while it turns: a photo that is animated."
  /// Of the eyes' width: five living people whose head turns, and recordings of them, have at least 0.018, and 51 animated
  /// photos of two programs at most 0.0104 (simulated, 2026-11; chosen on these).
  let minimum: Double? = 0.012

  /// The standard deviation of the head's turn, in degrees. People who look straight ahead hardly move their eyes: the
  /// least value of one whose head turns less is 0.0024.
  private static let turn = 3.0
  /// Degrees from the median: a turned eye is too narrow to measure.
  private static let widest = 25.0
  /// Of the median openness: the iris is hidden in a blink.
  private static let open = 0.75
  /// The movement of the irises in a warped photo, eye widths per degree: -0.0011 to 0.0043 in the same photos, and
  /// -0.007 in an eye that keeps its gaze (a radius of 12 mm, 30 mm between the corners).
  private static let warp = -0.002...0.004
  private static let fewest = 24
  /// Memory is constant: beyond this, half of the samples are dropped, and the others taken at half the rate.
  private static let most = 256

  private struct Sample {
    var time, yaw, place, openness: Double
  }

  private var last: [Sample] = []
  private var samples: [Sample] = []
  /// Seconds between samples; a saccade takes less.
  private var step = 0.08
  private var portraits = (all: 0, hidden: 0)

  mutating func add(_ frame: LivenessFrame) {
    if let visible = frame.portraitSample?.quality[.eyesVisible] {
      portraits.all += 1
      if visible.status == .failed { portraits.hidden += 1 }
    }
    guard let motion = frame.motion, let landmarks = frame.face?.landmarks, let right = landmarks.rightEye?.irisPlace,
      let left = landmarks.leftEye?.irisPlace
    else {
      last = []
      return
    }
    // Both run from the outer corner to the inner one.
    last.append(
      Sample(
        time: frame.time, yaw: motion.pose.yaw, place: (right - left) / 2,
        openness: (motion.rightOpenness + motion.leftOpenness) / 2))
    if last.count > 3 { last.removeFirst() }
    guard last.count == 3, frame.time - (samples.last?.time ?? -.infinity) >= step,
      let place = last.map(\.place).median, let openness = last.map(\.openness).min()
    else { return }
    samples.append(Sample(time: frame.time, yaw: last[1].yaw, place: place, openness: openness))
    guard samples.count == Self.most else { return }
    samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    step *= 2
  }

  var measured: Measured {
    // Of most portraits: an attacker who paints glasses on some frames does not evade the check.
    guard 2 * portraits.hidden <= portraits.all else { return .unavailable("Glasses hide the eyes.") }
    guard let open = samples.map(\.openness).median, let ahead = samples.map(\.yaw).median else {
      return .unavailable("No frame shows the eyes.")
    }
    let seen = samples.filter { $0.openness >= Self.open * open && abs($0.yaw - ahead) <= Self.widest }
    let count = Double(seen.count)
    let (yaw, place) = (seen.map(\.yaw).reduce(0, +) / count, seen.map(\.place).reduce(0, +) / count)
    let deviations = seen.map { (yaw: $0.yaw - yaw, place: $0.place - place) }
    let turned = deviations.reduce(0) { $0 + $1.yaw * $1.yaw }
    guard seen.count >= Self.fewest, turned >= count * Self.turn * Self.turn else {
      return .unavailable("The head does not turn enough, with open eyes, for this check.")
    }
    let slope = deviations.reduce(0) { $0 + $1.yaw * $1.place } / turned
    let warp = min(Self.warp.upperBound, max(Self.warp.lowerBound, slope))
    let rest = deviations.reduce(0) { $0 + ($1.place - warp * $1.yaw) * ($1.place - warp * $1.yaw) }
    return .value((rest / count).squareRoot())
  }
}

extension EyeContour {
  /// Where the centre of the iris is between the corners: 0 in the middle, 0.5 at the inner one; nil without width.
  fileprivate var irisPlace: Double? {
    guard lids.count > 8, let iris = iris.first else { return nil }
    let (outer, inner) = (lids[0], lids[8])
    let (x, y) = (inner.x - outer.x, inner.y - outer.y)
    let square = x * x + y * y
    guard square > 0 else { return nil }
    return ((iris.x - outer.x) * x + (iris.y - outer.y) * y) / square - 0.5
  }
}
