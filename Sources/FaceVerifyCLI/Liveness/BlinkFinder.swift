import FaceVerify

/// Finds a neutral pose and every blink, requested or not, by the rules of the blink challenge.
struct BlinkFinder {
  private(set) var neutral: NeutralPose?
  /// The end time of each blink.
  private(set) var blinks: [Double] = []
  /// Further blinks are only counted: their marks would be indistinguishable.
  private(set) var count = 0
  private static let kept = 1000

  private var search = NeutralPoseSearch()
  private var eyes = BlinkSearch()

  mutating func add(_ motion: FaceObservation) {
    neutral = neutral ?? search.add(motion)
    guard eyes.add(motion) else { return }
    count += 1
    if blinks.count < Self.kept { blinks.append(motion.time) }
  }
}
