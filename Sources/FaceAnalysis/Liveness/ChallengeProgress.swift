/// The progress of one challenge: from the start pose past a threshold, the hold if there is one, and back.
///
///     var progress = try ChallengeProgress(prompt, from: neutral, timeout: 8)
///     for motion in motions { progress.update(motion) }   // until `progress.phase` is passed or failed
///
/// A value type without a clock: times are those of the frames.
public struct ChallengeProgress: Sendable {
  public enum Phase: String, Sendable, Codable, CaseIterable {
    /// The person must first take the start pose.
    case starting
    /// Waiting for the movement, or following a path.
    case moving
    /// The position is being held.
    case holding
    /// Waiting for the return.
    case returning
    case passed
    /// The timeout expired, or the path was not followed.
    case failed
  }

  /// Seconds; the timeout cannot be disabled.
  public static let timeouts = 2.0...30.0

  public let prompt: ChallengeScript.Prompt
  public private(set) var phase = Phase.starting
  /// 0 to 1: a third each for the movement, the hold and the return; the share of a path that is over.
  public private(set) var progress = 0.0
  /// The number of incomplete attempts: released too early, or an invalid blink.
  public private(set) var failedTries = 0
  /// How well the path was followed; nil before its end, if the face was not always seen, and for other challenges.
  public private(set) var match: PathMatch?

  private let neutral: FaceObservation
  private let timeout: Double
  private var start: Double?
  /// When the position was reached.
  private var reached = 0.0
  private var blinks = BlinkSearch()
  /// The reference for holding still.
  private var still: FaceObservation?
  private var following: PathFollowing?

  /// - Parameter timeout: Seconds from the first frame, in ``timeouts``; a path has its own end.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(_ prompt: ChallengeScript.Prompt, from neutral: NeutralPose, timeout: Double = 8) throws {
    try Self.check(timeout: timeout)
    self.prompt = prompt
    self.neutral = neutral.motion
    following = prompt.path.map { PathFollowing($0, from: neutral) }
    self.timeout = following?.duration ?? timeout
  }

  static func check(timeout: Double) throws {
    guard !timeouts.contains(timeout) else { return }
    throw VerifyError(
      .badArgument,
      "a challenge's timeout must be \(timeouts.lowerBound) to \(timeouts.upperBound) seconds, not \(timeout)")
  }

  /// Whether it has passed or failed; further frames change nothing.
  public var isOver: Bool { phase == .passed || phase == .failed }

  /// Advances the time without a detected face.
  public mutating func wait(until time: Double) {
    guard !isOver else { return }
    let begin = start ?? time
    start = begin
    guard time - begin > timeout else { return }
    match = following?.match
    phase = match?.isFollowed ?? false ? .passed : .failed
    if phase == .passed { progress = 1 }
  }

  /// Returns the remaining seconds of the hold; nil unless the position is being held.
  public func holdLeft(at time: Double) -> Double? { phase == .holding ? max(0, prompt.hold - (time - reached)) : nil }

  /// Processes the next frame; its time must be later than the last one's.
  public mutating func update(_ motion: FaceObservation) {
    wait(until: motion.time)
    guard !isOver else { return }
    if following != nil { return follow(motion) }
    if prompt.challenge == .blink { return blink(motion) }
    let amount = prompt.challenge == .holdStill ? stillness(motion) : isAlone(motion) ? movement(motion) : 0
    guard amount.isFinite else { return }
    switch phase {
    case .starting:
      if amount < Self.startBelow || prompt.challenge == .holdStill {
        phase = .moving
        reached = motion.time
      }
    case .moving:
      if amount >= 1 {
        phase = .holding
        reached = motion.time
      }
    case .holding:
      if amount < Self.holdAbove {
        failedTries += 1
        phase = .moving
        still = nil
      } else if motion.time - reached >= prompt.hold {
        phase = prompt.challenge == .holdStill ? .passed : .returning
      }
    case .returning:
      if amount < Self.startBelow { phase = .passed }
    case .passed, .failed: break
    }
    progress = share(amount, at: motion.time)
  }

  private mutating func blink(_ motion: FaceObservation) {
    guard isAlone(motion) else {
      blinks.reset()
      phase = .starting
      progress = 0
      return
    }
    let isBlink = blinks.add(motion)
    failedTries = blinks.failures
    phase = isBlink ? .passed : blinks.isClosed ? .returning : blinks.isReady ? .moving : .starting
    progress = share(blinks.amount, at: motion.time)
  }

  private mutating func follow(_ motion: FaceObservation) {
    let time = motion.time - (start ?? motion.time)
    following?.add(motion, at: time)
    phase = .moving
    progress = time / timeout
  }

  /// Where the face should be at a time; nil unless a path is being followed.
  public func target(at time: Double) -> FollowTarget? {
    isOver ? nil : following?.path.target(at: time - (start ?? time))
  }

  private func share(_ amount: Double, at time: Double) -> Double {
    switch phase {
    case .starting: 0
    case .moving: max(0, min(1, amount)) / 3
    case .holding: (1 + max(0, min(1, prompt.hold > 0 ? (time - reached) / prompt.hold : 1))) / 3
    case .returning: (2 + max(0, min(1, 1 - amount))) / 3
    case .passed: 1
    case .failed: progress
    }
  }

  // A third of the way is still the start pose: in 28 clips nobody kept entirely still.
  private static let startBelow = 0.35
  // Positions drift during a hold.
  private static let holdAbove = 0.7

  /// The angle in degrees from the neutral pose for turns, nods and tilts. In 28 clips heads at rest stayed within 9
  /// degrees of their median yaw, 14 of pitch and 11 of roll; intentional turns reached 16 to 61.
  package static let turn = 15.0
  /// The increase in mouth opening over the neutral pose. Talking opens it by up to 0.2, but briefly: the hold
  /// distinguishes the two.
  package static let opening = 0.08
  // The increase in mouth width and corner lift for a smile and, where appearance is available, in the log-odds of a
  // smile. In 27 clips four smiles of three people were held for half a second after a neutral face: with appearance
  // all four pass, by landmarks alone three; the fourth, with closed lips, lifts the corners by only 0.016. One shout
  // with bared teeth passes both.
  private static let smile = (width: 0.12, lift: 0.02)
  private static let seenSmile = (width: 0.06, lift: 0.01, look: 2.0)

  /// Whether at least half of the movement is complete.
  func isUnderWay(_ motion: FaceObservation) -> Bool {
    phase == .holding || phase == .returning && prompt.challenge == .blink || following != nil
      || isAlone(motion) && movement(motion) >= 0.5
  }

  /// Whether the head is turned in the challenge's direction only. On a face turned away the mesh invents mouth, eyes
  /// and size, and a rotation about one axis resembles a small one about the others.
  private func isAlone(_ motion: FaceObservation) -> Bool {
    let (yaw, pitch, roll) = (
      abs(motion.pose.yaw - neutral.pose.yaw), abs(motion.pose.pitch - neutral.pose.pitch),
      abs(motion.pose.roll - neutral.pose.roll)
    )
    return switch prompt.challenge {
    case .turnLeft, .turnRight: roll < 20
    case .lookUp, .lookDown: yaw < 20 && roll < 20
    case .tiltLeft, .tiltRight: yaw < 20 && pitch < 20
    default: yaw < 20 && pitch < 20 && roll < 20
    }
  }

  /// The fraction of the movement: 0 is the neutral pose, 1 the threshold.
  private func movement(_ motion: FaceObservation) -> Double {
    let (pose, start) = (motion.pose, neutral.pose)
    switch prompt.challenge {
    case .turnLeft: return (pose.yaw - start.yaw) / Self.turn
    case .turnRight: return (start.yaw - pose.yaw) / Self.turn
    case .lookUp: return (start.pitch - pose.pitch) / Self.turn
    case .lookDown: return (pose.pitch - start.pitch) / Self.turn
    case .tiltLeft: return (start.roll - pose.roll) / Self.turn
    case .tiltRight: return (pose.roll - start.roll) / Self.turn
    case .smile:
      // Both are required: grimaces also widen the mouth, but do not lift its corners.
      let (width, lift) = (motion.mouthWidth / neutral.mouthWidth - 1, motion.mouthLift - neutral.mouthLift)
      guard let look = motion.smile, let before = neutral.smile else {
        return min(width / Self.smile.width, lift / Self.smile.lift)
      }
      let seen = (SmileNetwork.logOdds(look) - SmileNetwork.logOdds(before)) / Self.seenSmile.look
      return min(width / Self.seenSmile.width, lift / Self.seenSmile.lift, seen)
    case .openMouth: return (motion.mouthOpening - neutral.mouthOpening) / Self.opening
    case .moveCloser: return (motion.size / neutral.size - 1) / 0.25
    case .moveBack: return (neutral.size / motion.size - 1) / 0.25
    case .blink: return blinks.amount
    default: return .nan
    }
  }

  /// 1 at the position where the hold began, decreasing to 0 and below with the distance from it.
  private mutating func stillness(_ motion: FaceObservation) -> Double {
    guard let still else {
      still = motion
      return 1
    }
    let angles = max(
      abs(motion.pose.yaw - still.pose.yaw), abs(motion.pose.pitch - still.pose.pitch),
      abs(motion.pose.roll - still.pose.roll))
    // A hold allows 0.3 of these: 2.4 degrees, 1.2 % of the frame, 1.8 % in size; the mesh of a still head jitters by
    // half of that.
    let parts = [angles / 8, motion.centre.distance(to: still.centre) / 0.04, abs(motion.size / still.size - 1) / 0.06]
    return 1 - (parts.max() ?? 0)
  }
}
