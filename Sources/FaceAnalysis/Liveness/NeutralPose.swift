/// A person's resting pose, the reference for their movements.
public struct NeutralPose: Sendable, Hashable {
  /// Medians over the frames.
  public let motion: FaceObservation

  /// The required seconds: half a second, so that a blink (0.1 to 0.4 seconds) does not dominate the median.
  static let duration = 0.5
  private static let frames = 5

  /// Nil unless there are at least five frames that span ``duration`` and show a still head facing the camera: within
  /// 20 degrees (a selfie's warning is at 25), and within 10 of its median.
  public init?(_ motions: [FaceObservation]) {
    guard let first = motions.first, let last = motions.last, motions.count >= Self.frames,
      last.time - first.time >= Self.duration
    else { return nil }
    motion = motions.median(at: last.time)
    for angle in [\HeadPose.yaw, \.pitch, \.roll] {
      let middle = motion.pose[keyPath: angle]
      guard abs(middle) <= 20, motions.allSatisfy({ abs($0.pose[keyPath: angle] - middle) <= 10 }) else { return nil }
    }
  }
}

/// Finds a neutral pose in a stream of observations.
public struct NeutralPoseSearch: Sendable, Hashable {
  private var recent: [FaceObservation] = []

  public init() {}

  /// Returns the pose once the observations up to this one show it; they must be in order of time.
  public mutating func add(_ motion: FaceObservation) -> NeutralPose? {
    recent.append(motion)
    recent.removeAll { motion.time - $0.time > 2 * NeutralPose.duration }
    // The shortest run up to now that is long enough: earlier fidgeting does not matter. Uses the observations' own
    // times, since smoothed ones are delayed by a frame.
    let start = recent.lastIndex { motion.time - $0.time >= NeutralPose.duration } ?? recent.startIndex
    return NeutralPose(Array(recent[start...]))
  }
}
