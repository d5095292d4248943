import Testing

@testable import FaceAnalysis

@Suite("ChallengeCompliance: the result of the script as a signal")
struct ChallengeComplianceTests {
  /// - Parameter seconds: duration for which a person, following the prompts or not, is visible; nil until the end of
  ///   the script.
  private func check(
    _ challenges: [Challenge]?, answers: Bool = true, seconds: Double? = nil
  ) throws -> LivenessCheck {
    var progress = try challenges.map { challenges in
      try ScriptProgress(ChallengeScript(prompts: challenges.map { try .init($0) }))
    }
    var signal = ChallengeCompliance(LivenessContext(calibration: nil, script: progress))
    var person = SimulatedPerson(seed: 1)
    let picture = try PixelBuffer(width: 1, height: 1, rgb: [0, 0, 0])
    var time = 0.0
    while time < seconds ?? 60, let now = progress, !now.isOver {
      var motion = answers ? person.next(now) : SimulatedPerson.calm
      time = answers ? motion.time : time + 1 / 30
      motion.time = time
      progress?.update(motion, at: time)
      signal.add(
        LivenessFrame(
          time: time, refused: 0, picture: picture, face: nil, motion: motion, smoothed: motion, isFound: false,
          isSampled: false, texture: nil, portraitSample: nil, screenColour: nil))
    }
    return LivenessCheck(signal)
  }

  @Test("an answered script passes, an unanswered one fails with its reason")
  func answered() throws {
    let passed = try check([.turnLeft, .lookUp])
    #expect(passed.status == .passed && passed.value == 1 && passed.minimum == 1 && passed.text.isEmpty)
    let failed = try check([.turnLeft, .lookUp], answers: false)
    #expect(failed.status == .failed && failed.value == 0)
    #expect(failed.text == "turn-left was not met before its timeout.")
  }

  @Test("an undecided script is not checked")
  func notChecked() throws {
    #expect(try check(nil).text == "No challenge was requested.")
    #expect(try check([.turnLeft], seconds: 1).text == "The stream ended before the script did.")
    let moved = try check([.lookUp])
    #expect(moved.status == .notChecked && moved.text.hasPrefix("A moved picture"))
    for check in [try check(nil), try check([.turnLeft], seconds: 0)] {
      #expect(check.status == .notChecked && check.value == nil && check.name == .challengeCompliance)
    }
    #expect(LivenessSignal.allCases.first == .challengeCompliance)
  }
}
