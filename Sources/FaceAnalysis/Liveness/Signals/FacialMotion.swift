/// The movement of eyes and mouth within the face, relative to the most that a moved and bent picture reaches.
///
/// Lids are measured relative to their own median, the mouth by the range of its opening, both only in views similar to
/// the first, since a turn changes them; while the head turns, the irises between the corners of the eyes
/// (``EyeMovement``). A replayed video of a living face moves as that face did.
struct FacialMotion: FrameMeasuring {
  static let signal = LivenessSignal.facialMotion
  static let unit = "ratio"
  static let source = "photos as videos, and simulated prints moved by hands: docs/liveness-signals.md"
  let failure = "Neither the eyes nor the mouth moved."
  let minimum: Double? = 1

  /// The apparent closing of a picture's lids, as a fraction of their openness (simulated prints: 0.08), and the
  /// apparent opening of its mouth, in heights of the face (0.025), with a margin; the movement of its irises, in widths
  /// of the eyes (photos moved and turned in software: 0.0125).
  private static let picture = (lids: 0.12, mouth: 0.04, irises: 0.02)
  /// Seconds without movement after which it counts as missing. People who look at a screen blink 4 to 15 times per
  /// minute (Patel et al. 1991; Tsubota and Nakamori 1993), and their mouths are seldom still.
  private static let patience = 10.0
  /// Degrees.
  private static let frontal = 20.0
  private static let alike = 12.0
  /// Extremes count if at least this many frames reach them: a single one may be blurred.
  private static let minimumFrames = 2

  private var view: HeadPose?
  private var last: Double?
  private var seconds = 0.0
  private var lids = Histogram(0...0.5)
  private var mouth = Histogram(0...0.4)
  private var eyes = EyeMovement()

  mutating func add(_ frame: LivenessFrame) {
    eyes.add(frame)
    guard let motion = frame.motion else {
      last = nil
      return
    }
    let pose = motion.pose
    if view == nil, abs(pose.yaw) < Self.frontal, abs(pose.pitch) < Self.frontal { view = pose }
    guard let view, abs(pose.yaw - view.yaw) < Self.alike, abs(pose.pitch - view.pitch) < Self.alike else {
      last = nil
      return
    }
    // Gaps between frames are not counted.
    if let last { seconds += min(0.2, motion.time - last) }
    last = motion.time
    lids.add(max(motion.leftOpenness, motion.rightOpenness))
    mouth.add(motion.mouthOpening)
  }

  var measured: Measured {
    if case .value(let place) = eyes.measured, place >= Self.picture.irises {
      return .value(max(place / Self.picture.irises, moved ?? 0))
    }
    guard let moved else { return .unavailable("Too few frames show the face from the front.") }
    guard moved >= 1 || seconds >= Self.patience else {
      return .unavailable(
        "Neither the eyes nor the mouth moved, but the face was not visible for long enough to decide.")
    }
    return .value(moved)
  }

  /// The movement of lids and mouth; nil with too few frames.
  private var moved: Double? {
    guard lids.count >= 15 else { return nil }
    let closing = 1 - lids.value(at: Self.minimumFrames) / lids.value(at: lids.count / 2)
    let opening = mouth.value(at: mouth.count - Self.minimumFrames) - mouth.value(at: Self.minimumFrames)
    return max(closing / Self.picture.lids, opening / Self.picture.mouth)
  }

  /// A histogram with 200 equal bins.
  private struct Histogram {
    private let range: ClosedRange<Double>
    private var counts = [Int](repeating: 0, count: 200)
    private(set) var count = 0

    init(_ range: ClosedRange<Double>) { self.range = range }

    mutating func add(_ value: Double) {
      guard value.isFinite else { return }
      let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      counts[Int(max(0, min(Double(counts.count - 1), share * Double(counts.count))))] += 1
      count += 1
    }

    /// Returns the value that `rank` of the values do not exceed.
    func value(at rank: Int) -> Double {
      var sum = 0
      let step = counts.firstIndex { n in
        sum += n
        return sum >= rank
      }
      let share = (Double(step ?? counts.count) + 0.5) / Double(counts.count)
      return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
  }
}
