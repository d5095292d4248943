import FaceAnalysis
import TestSupport
import Testing

/// The motions of a person who follows the prompts, without pictures.
struct SimulatedPerson {
  /// A person with typical eyes and mouth, slightly tilted.
  static let calm = FaceObservation(
    time: 0, pose: HeadPose(yaw: 3, pitch: -4, roll: 2), leftOpenness: 0.24, rightOpenness: 0.26, mouthOpening: 0.01,
    mouthWidth: 0.55, mouthLift: 0.003, size: 0.5, centre: Point(x: 0.5, y: 0.55))

  static func neutral() throws -> NeutralPose {
    try #require(
      NeutralPose(
        (0..<20).map { i in
          var motion = calm
          motion.time = Double(i) / 30
          return motion
        }))
  }

  /// The pose for a challenge: 0 at rest, 1 the minimum for the challenge.
  static func pose(_ challenge: Challenge, _ amount: Double) -> FaceObservation {
    var motion = calm
    switch challenge {
    case .turnLeft: motion.pose.yaw += 15 * amount
    case .turnRight: motion.pose.yaw -= 15 * amount
    case .lookUp: motion.pose.pitch -= 15 * amount
    case .lookDown: motion.pose.pitch += 15 * amount
    case .tiltLeft: motion.pose.roll -= 15 * amount
    case .tiltRight: motion.pose.roll += 15 * amount
    case .smile:
      motion.mouthWidth *= 1 + 0.12 * amount
      motion.mouthLift += 0.02 * amount
    case .openMouth: motion.mouthOpening += 0.08 * amount
    case .moveCloser: motion.size *= 1 + 0.25 * amount
    case .moveBack: motion.size /= 1 + 0.25 * amount
    case .blink:
      motion.leftOpenness *= 1 - 0.5 * amount
      motion.rightOpenness *= 1 - 0.5 * amount
    default: break
    }
    return motion
  }

  private var random: SplitMix
  private var nextBlink = 2.0
  private var time = 0.0
  private var amount = 0.0

  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// The next motion, a thirtieth of a second later, after a reaction time: towards the prompted pose, holding it, or
  /// returning. In between, this person blinks every 2 to 6 seconds, as people do.
  mutating func next(_ progress: ScriptProgress) -> FaceObservation {
    time += 1.0 / 30
    let challenge = progress.current?.prompt.challenge
    let isForward = [.moving, .holding].contains(progress.current?.phase)
    // A third of a second in each direction; a blink is three times as fast.
    let speed = challenge == .blink ? 0.4 : 0.13
    amount = isForward && challenge != nil ? min(1.4, amount + speed) : max(0, amount - speed)
    last = challenge ?? last
    var motion = Self.pose(last, amount)
    if time >= nextBlink {
      if challenge != .blink {
        motion.leftOpenness *= 0.15
        motion.rightOpenness *= 0.15
      }
      if time >= nextBlink + 0.2 { nextBlink = time + Double.random(in: 2...6, using: &random) }
    }
    motion.time = time
    return motion
  }

  private var last = Challenge.holdStill
}
