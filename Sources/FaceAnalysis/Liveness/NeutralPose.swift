/// How a person looks when nothing is asked of them: what their movements are measured against.
public struct NeutralPose: Sendable, Hashable {
  /// Medians over the frames.
  public let motion: FaceObservation

  /// Seconds that are needed: half a second, so that a blink (0.1 to 0.4 seconds) does not count for more than half.
  static let duration = 0.5
  private static let frames = 5

  /// Nil unless the frames span ``duration``, are five at least, and show a head that faces the camera and keeps still:
  /// within 20 degrees (a selfie's warning is at 25), and within 10 of its own middle.
  public init?(_ motions: [FaceObservation]) {
    guard let first = motions.first, let last = motions.last, motions.count >= Self.frames,
      last.time - first.time >= Self.duration
    else { return nil }
    func median(_ value: (FaceObservation) -> Double) -> Double { motions.map(value).median ?? 0 }
    let angles: [(FaceObservation) -> Double] = [{ $0.pose.yaw }, { $0.pose.pitch }, { $0.pose.roll }]
    for angle in angles {
      let middle = median(angle)
      guard abs(middle) <= 20, motions.allSatisfy({ abs(angle($0) - middle) <= 10 }) else { return nil }
    }
    let centre = Point(x: median { $0.centre.x }, y: median { $0.centre.y })
    motion = FaceObservation(
      time: last.time,
      pose: HeadPose(yaw: median(angles[0]), pitch: median(angles[1]), roll: median(angles[2])),
      leftOpenness: median { $0.leftOpenness }, rightOpenness: median { $0.rightOpenness },
      mouthOpening: median { $0.mouthOpening }, mouthWidth: median { $0.mouthWidth },
      mouthLift: median { $0.mouthLift }, size: median { $0.size }, centre: centre,
      smile: motions.compactMap(\.smile).median)
  }
}

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
