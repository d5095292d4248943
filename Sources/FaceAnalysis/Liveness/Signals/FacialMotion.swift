/// How much eyes and mouth moved in themselves, in units of what a picture that is moved and bent does not reach.
///
/// The lids are measured against their own median, the mouth by the range of its opening; only in views alike the first,
/// since a turn changes both. A replayed video of a living face moves as that face did.
struct FacialMotion: LivenessMeasuring {
  static let signal = LivenessSignal.facialMotion
  static let unit = "ratio"
  static let source = "photos as videos, and simulated prints moved by hands: docs/liveness-signals.md"
  let failure = "Neither eyes nor mouth moved in themselves."
  let minimum: Double? = 1

  /// What the lids of a picture lose of their opening (simulated prints: 0.08), and by how much its mouth seems to open,
  /// in heights of the face (0.025).
  private static let picture = (lids: 0.12, mouth: 0.04)
  /// Seconds without any movement after which it is said to be missing. People who look at a screen blink 4 to 15 times
  /// a minute (Patel et al. 1991; Tsubota and Nakamori 1993), and their mouths seldom rest.
  private static let patience = 10.0
  /// Degrees.
  private static let frontal = 20.0
  private static let alike = 12.0
  /// Extremes count if so many frames reached them: one may be blurred.
  private static let minimumFrames = 2

  private var view: HeadPose?
  private var last: Double?
  private var seconds = 0.0
  private var lids = Histogram(0...0.5)
  private var mouth = Histogram(0...0.4)

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
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
    // A pause shows nothing.
    if let last { seconds += min(0.2, motion.time - last) }
    last = motion.time
    lids.add(max(motion.leftOpenness, motion.rightOpenness))
    mouth.add(motion.mouthOpening)
  }

  var measured: Measured {
    guard lids.count >= 15 else { return .unavailable("Too few frames show the face from the front.") }
    let closing = 1 - lids.value(at: Self.minimumFrames) / lids.value(at: lids.count / 2)
    let opening = mouth.value(at: mouth.count - Self.minimumFrames) - mouth.value(at: Self.minimumFrames)
    let moved = max(closing / Self.picture.lids, opening / Self.picture.mouth)
    guard moved >= 1 || seconds >= Self.patience else {
      return .unavailable("Neither eyes nor mouth moved, but the face was not seen for long enough to tell.")
    }
    return .value(moved)
  }

  /// Counts of values in 200 equal steps.
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

    /// What `rank` of the values do not exceed.
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
