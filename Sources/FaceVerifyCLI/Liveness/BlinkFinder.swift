import FaceVerify

/// Finds a neutral pose, and then every blink, whether one is asked for or not: by the rules of the blink challenge.
struct BlinkFinder {
  private(set) var neutral: NeutralPose?
  /// When each ended.
  private(set) var blinks: [Double] = []
  /// The rest is counted only: marks so close to each other could not be told apart.
  private(set) var count = 0
  private static let kept = 1000

  private var search = NeutralPoseSearch()
  private var progress: ChallengeProgress?

  mutating func add(_ motion: FaceObservation) {
    guard let neutral else {
      self.neutral = search.add(motion)
      return
    }
    if progress == nil, let step = try? ChallengeScript.Prompt(.blink) {
      progress = try? ChallengeProgress(step, from: neutral, timeout: ChallengeProgress.timeouts.upperBound)
    }
    progress?.update(motion)
    guard let over = progress, over.isOver else { return }
    if over.phase == .passed {
      count += 1
      if blinks.count < Self.kept { blinks.append(motion.time) }
    }
    progress = nil
  }
}
