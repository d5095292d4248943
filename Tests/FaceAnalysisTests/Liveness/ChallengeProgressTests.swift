import FaceAnalysis
import Testing

@Suite("ChallengeProgress")
struct ChallengeProgressTests {
  /// Amounts at times, interpolated linearly.
  private typealias Curve = [(time: Double, amount: Double)]
  private static let done: Curve = [(0, 0), (0.5, 0), (0.9, 1.3), (1.8, 1.3), (2.2, 0), (3, 0)]
  private static let blinked: Curve = [(0, 0), (0.5, 0), (0.6, 1.7), (0.65, 1.7), (0.8, 0), (1.5, 0)]

  private func play(
    _ challenge: Challenge, _ curve: Curve, rate: Double = 30, timeout: Double = 8,
    as shown: (Double) -> FaceObservation? = { _ in nil }
  ) throws -> ChallengeProgress {
    var progress = try ChallengeProgress(.init(challenge, hold: 0.6), from: SimulatedPerson.neutral(), timeout: timeout)
    let end = try #require(curve.last).time
    for frame in 0...Int(end * rate) {
      let time = Double(frame) / rate
      let next = curve.firstIndex { $0.time > time } ?? curve.count - 1
      let (a, b) = (curve[max(0, next - 1)], curve[next])
      let part = b.time > a.time ? min(1, max(0, (time - a.time) / (b.time - a.time))) : 1
      let amount = a.amount + part * (b.amount - a.amount)
      var motion = shown(amount) ?? SimulatedPerson.pose(challenge, amount)
      motion.time = time
      progress.update(motion)
      #expect((0...1).contains(progress.progress))
    }
    return progress
  }

  private static let movements = Challenge.allCases.filter { ![.holdStill, .blink, .follow].contains($0) }

  @Test("a movement with hold and return passes, at 10 to 60 frames per second", arguments: movements)
  func passes(challenge: Challenge) throws {
    for rate in [10.0, 15, 30, 60] {
      let progress = try play(challenge, Self.done, rate: rate)
      #expect(progress.phase == .passed && progress.progress == 1 && progress.failedTries == 0)
    }
  }

  @Test("no movement passes another challenge", arguments: movements)
  func onlyItsOwn(challenge: Challenge) throws {
    for other in Self.movements + [.blink] where other != challenge {
      let progress = try play(other, Self.done, as: { SimulatedPerson.pose(challenge, $0) })
      #expect(progress.phase != .passed, "\(challenge) passed \(other)")
    }
  }

  @Test("a movement that is too small, too short, or not reversed does not pass", arguments: movements)
  func incomplete(challenge: Challenge) throws {
    #expect(try play(challenge, [(0, 0), (1, 0.9), (3, 0.9), (4, 0)]).phase != .passed)
    let short = try play(challenge, [(0, 0), (0.5, 1.3), (0.8, 1.3), (1, 0), (2, 0)])
    #expect(short.phase == .moving && short.failedTries == 1)
    #expect(try play(challenge, [(0, 0), (0.5, 1.3), (4, 1.3)]).phase == .returning)
    #expect(try play(challenge, [(0, 1.3), (4, 1.3)]).phase == .starting)
    #expect(try play(challenge, [(0, 0), (9, 0)]).phase == .failed)
  }

  @Test("a second attempt counts", arguments: movements)
  func secondTry(challenge: Challenge) throws {
    let progress = try play(
      challenge, [(0, 0), (0.5, 1.3), (0.7, 1.3), (1, 0), (1.5, 0), (2, 1.3), (3, 1.3), (3.5, 0), (4, 0)])
    #expect(progress.phase == .passed && progress.failedTries == 1)
  }

  @Test("a blink passes, at 10 to 60 frames per second")
  func blink() throws {
    for rate in [10.0, 15, 30, 60] { #expect(try play(.blink, Self.blinked, rate: rate).phase == .passed) }
  }

  @Test("a wink, a squint, and eyes that close slowly or stay closed are not a blink")
  func noBlink() throws {
    for wink in [true, false] {
      let progress = try play(.blink, Self.blinked) { amount in
        var motion = SimulatedPerson.pose(.blink, amount)
        let calm = SimulatedPerson.calm
        if wink { motion.leftOpenness = calm.leftOpenness } else { motion.rightOpenness = calm.rightOpenness }
        return motion
      }
      #expect(progress.phase != .passed)
    }
    #expect(try play(.blink, [(0, 0), (0.5, 0), (0.6, 0.5), (0.7, 0.5), (0.8, 0), (2, 0)]).phase != .passed)
    let slow = try play(.blink, [(0, 0), (0.5, 0), (1.5, 1.6), (1.6, 0), (2, 0)])
    #expect(slow.phase != .passed && slow.failedTries == 1)
    let long = try play(.blink, [(0, 0), (0.5, 0), (0.6, 1.7), (2, 1.7), (2.1, 0), (3, 0)])
    #expect(long.phase != .passed && long.failedTries == 1)
  }

  @Test("a smile with closed lips passes if the network detects it, and a mouth that only widens does not")
  func seenSmile() throws {
    var neutral = SimulatedPerson.calm
    neutral.smile = 0.02
    let frames = (0..<20).map { i in
      var motion = neutral
      motion.time = Double(i) / 30
      return motion
    }
    for (look, isSmile) in [(0.6, true), (0.05, false)] {
      var progress = try ChallengeProgress(.init(.smile), from: #require(NeutralPose(frames)))
      for i in 0..<90 {
        var motion = neutral
        motion.time = Double(i) / 30
        if (15..<45).contains(i) {
          motion.mouthWidth *= 1.09
          motion.mouthLift += 0.013
          motion.smile = look
        }
        progress.update(motion)
      }
      #expect((progress.phase == .passed) == isSmile)
    }
  }

  @Test("a still person passes hold-still, a moving one does not")
  func holdStill() throws {
    #expect(try play(.holdStill, Self.done, as: { _ in SimulatedPerson.calm }).phase == .passed)
    let moving = try play(
      .holdStill, [(0, 0), (1, 3), (2, 0), (3, 3), (4, 0)], as: { SimulatedPerson.pose(.turnLeft, $0) })
    #expect(moving.phase != .passed && moving.failedTries > 0)
  }

  @Test("a timeout is 2 to 30 seconds, and cannot be disabled")
  func timeouts() throws {
    let neutral = try SimulatedPerson.neutral()
    for timeout in [0, 1.9, 30.1, -1, .infinity, .nan] {
      #expect(throws: VerifyError(.badArgument, "")) {
        _ = try ChallengeProgress(.init(.smile), from: neutral, timeout: timeout)
      }
    }
    #expect(try play(.smile, [(0, 0), (2.5, 0), (3, 1.3), (4, 1.3), (5, 0), (6, 0)], timeout: 2).phase == .failed)
  }

  @Test("invalid values in a frame are ignored")
  func nonsense() throws {
    var progress = try ChallengeProgress(.init(.turnLeft), from: SimulatedPerson.neutral())
    var motion = SimulatedPerson.calm
    motion.pose.yaw = .nan
    progress.update(motion)
    #expect(progress.phase == .starting)
  }

  @Test("the neutral pose requires half a second of a frontal, still head")
  func neutralPose() {
    func motions(_ count: Int, rate: Double = 30, _ change: (inout FaceObservation, Int) -> Void = { _, _ in })
      -> [FaceObservation]
    {
      (0..<count).map { i in
        var motion = SimulatedPerson.calm
        motion.time = Double(i) / rate
        change(&motion, i)
        return motion
      }
    }
    #expect(NeutralPose([]) == nil && NeutralPose(motions(10)) == nil && NeutralPose(motions(4, rate: 5)) == nil)
    #expect(NeutralPose(motions(20))?.motion.pose == SimulatedPerson.calm.pose)
    #expect(NeutralPose(motions(20) { $0.pose.yaw = 25 + 0 * Double($1) }) == nil)
    #expect(NeutralPose(motions(20) { $0.pose.yaw = Double($1) * 2 }) == nil)
    // A blink in the middle does not count.
    let blinking = NeutralPose(motions(20) { if (5..<9).contains($1) { $0.leftOpenness = 0.03 } })
    #expect(blinking?.motion.leftOpenness == SimulatedPerson.calm.leftOpenness)
  }
}
