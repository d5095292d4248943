/// Of the views in which the face seems turned the most: how badly one homography explains the way there.
struct PlanaritySignal: LivenessMeasuring {
  static let signal = LivenessSignal.planarity
  static let unit = "ratio"
  static let source =
    "views turned by 0.25 to 1.4 inter-eye distances: 0.028-0.142 in five clips of turning heads; photos of 22 people, "
    + "turned by up to 55 degrees, never seemed turned that far (2026-11)"
  let failure = "The face turned as a flat picture does."
  let minimum: Double? = 0.02

  /// The most frontal view so far.
  private var frontal: (face: FaceLandmarks, yaw: Double)?
  private var best: Planarity?

  /// Of the nose against the eyes, in inter-eye distances: with less, what heads and pictures leave overlaps (0.014-0.045
  /// and 0.003-0.045).
  private static let minimumTurn = 0.25

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let face = frame.face?.landmarksInPicture, let motion = frame.motion, frame.isSampled else { return }
    guard let frontal, frontal.yaw <= abs(motion.pose.yaw) else {
      frontal = (face, abs(motion.pose.yaw))
      return
    }
    guard let found = Planarity(from: frontal.face, to: face), found.turn > best?.turn ?? Self.minimumTurn else {
      return
    }
    best = found
  }

  var measured: Measured {
    best.map { .value($0.residual) } ?? .unavailable("The head did not turn far enough for this check.")
  }
}
