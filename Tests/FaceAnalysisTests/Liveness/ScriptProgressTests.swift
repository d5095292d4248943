import FaceAnalysis
import Testing

@Suite("ScriptProgress: an answer counts only for its own prompt")
struct ScriptProgressTests {
  private static func script(_ number: Int) throws -> ChallengeScript {
    try ChallengeScript(nonce: (0..<16).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* ($0 + number)) })
  }

  /// A simulated person answers a script; the movements are the recording.
  private func answer(_ script: ChallengeScript, seed: UInt64) throws -> (ScriptProgress, [FaceObservation]) {
    var progress = try ScriptProgress(script)
    var person = SimulatedPerson(seed: seed)
    var recording: [FaceObservation] = []
    while !progress.isOver {
      let motion = person.next(progress)
      progress.update(motion, at: motion.time)
      recording.append(motion)
    }
    return (progress, recording)
  }

  private func play(_ recording: [FaceObservation], to script: ChallengeScript) throws -> ScriptProgress {
    var progress = try ScriptProgress(script)
    for motion in recording { progress.update(motion, at: motion.time) }
    // Afterwards the attacker can show only a still face.
    let end = recording.last?.time ?? 0
    for i in 1...900 {
      var motion = SimulatedPerson.calm
      motion.time = end + Double(i) / 30
      progress.update(motion, at: motion.time)
    }
    return progress
  }

  @Test("a person who follows the prompts passes any script")
  func passes() throws {
    for number in 0..<100 {
      let (progress, _) = try answer(Self.script(number), seed: UInt64(number))
      #expect(progress.phase == .passed, "\(progress.answers)")
      #expect(progress.answers.map(\.challenge) == progress.script.prompts.map(\.challenge))
      #expect(progress.progress == 1)
    }
  }

  @Test("a recorded correct answer passes only its own script")
  func recordings() throws {
    let scripts = try (0..<40).map(Self.script)
    for (i, script) in scripts.enumerated() {
      let (_, recording) = try answer(script, seed: UInt64(i))
      for other in scripts where other.prompts.map(\.challenge) != script.prompts.map(\.challenge) {
        let progress = try play(recording, to: other)
        #expect(progress.phase == .failed, "\(script.prompts.map(\.challenge)) for \(other.prompts.map(\.challenge))")
      }
    }
  }

  @Test(
    "smoothed motions, delayed by one frame, settle at every frame rate", arguments: [10.0, 24, 25, 30, 60])
  func settling(rate: Double) throws {
    var progress = try ScriptProgress(ChallengeScript(prompts: [.init(.turnLeft)]))
    for i in 1...Int(rate) {
      var motion = SimulatedPerson.calm
      motion.time = Double(i - 1) / rate
      progress.update(motion, at: Double(i) / rate)
    }
    #expect(progress.neutral != nil && progress.phase != .settling)
  }

  @Test("the wrong movement is named")
  func wrongMovement() throws {
    let script = try ChallengeScript(prompts: [.init(.turnLeft)])
    let (_, recording) = try answer(ChallengeScript(prompts: [.init(.turnRight)]), seed: 1)
    let answer = try #require(try play(recording, to: script).answers.first)
    #expect(answer.outcome == .wrongMovement)
    #expect(answer.movement == .turnRight)
    #expect(answer.challenge == .turnLeft)
  }

  @Test("the right movement before its prompt is too early")
  func tooEarly() throws {
    let (_, recording) = try answer(ChallengeScript(prompts: [.init(.turnLeft, pause: 0)]), seed: 1)
    let late = try ChallengeScript(prompts: [.init(.turnLeft, pause: 4)])
    let answer = try #require(try play(recording, to: late).answers.first)
    #expect(answer.outcome == .wrongMovement)
    #expect(answer.asked == nil)
  }

  @Test("no movement is a timeout, no face an interruption, and without a face the script does not start")
  func absent() throws {
    let script = try ChallengeScript(prompts: [.init(.smile)])
    #expect(try play([], to: script).answers.map(\.outcome) == [.timeout])
    var progress = try ScriptProgress(script)
    for i in 0..<60 {
      var motion = SimulatedPerson.calm
      motion.time = Double(i) / 30
      progress.update(motion, at: motion.time)
    }
    for i in 60..<180 { progress.update(nil, at: Double(i) / 30) }
    #expect(progress.answers.map(\.outcome) == [.interrupted])
    progress = try ScriptProgress(script)
    for i in 0..<180 { progress.update(nil, at: Double(i) / 30) }
    #expect(progress.phase == .settling)
  }
}
