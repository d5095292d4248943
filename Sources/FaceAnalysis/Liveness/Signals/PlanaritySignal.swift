/// Of the views in which the face seems turned the most: how badly one homography explains the way there.
struct PlanaritySignal: LivenessMeasuring {
  static let signal = LivenessSignal.planarity
  static let unit = "ratio"
  static let source =
    "six clips of turning heads: 0.025-0.086 (medians); photos of 22 people turned by up to 35 degrees: at most 0.014"
  let failure = "The face turned as a flat picture does."
  let minimum: Double? = 0.018

  /// The most frontal view so far.
  private var frontal: (face: FaceLandmarks, yaw: Double)?
  private var best: Planarity?

  /// From here on a head's residual is above what flat pictures reach (measured: see ``source``).
  private static let leastTurn = 0.15

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let face = frame.face?.landmarksInPicture, let motion = frame.motion, frame.isSampled else { return }
    guard let frontal, frontal.yaw <= abs(motion.pose.yaw) else {
      frontal = (face, abs(motion.pose.yaw))
      return
    }
    guard let found = Planarity(from: frontal.face, to: face), found.turn > best?.turn ?? Self.leastTurn else { return }
    best = found
  }

  var measured: Measured {
    best.map { .value($0.residual) } ?? .unavailable("The head did not turn far enough for this check.")
  }
}
