/// Finds a neutral pose in a person's motions as they come.
public struct NeutralPoseSearch: Sendable, Hashable {
  private var recent: [FaceObservation] = []

  public init() {}

  /// The pose, once the motions up to this one show it; motions must be in the order of their times.
  public mutating func add(_ motion: FaceObservation) -> NeutralPose? {
    recent.append(motion)
    recent.removeAll { motion.time - $0.time > 2 * NeutralPose.duration }
    // The shortest run up to now that is long enough: fidgeting before it does not matter. By the motions' own times,
    // since smoothed ones are of the frame before.
    let start = recent.lastIndex { motion.time - $0.time >= NeutralPose.duration } ?? recent.startIndex
    return NeutralPose(Array(recent[start...]))
  }
}
