import EngineTestSupport
import FaceVerify
import ScriptedModels
import TestSupport
import Testing

@Suite("How challenges of a session end")
struct SessionAnswerTests {
  // Rows: V4.12-b NV79
  @Test("each challenge is passed by a person who performs it", arguments: Challenge.allCases)
  func passed(_ challenge: Challenge) throws {
    // A picture could answer some of them: a blink proves a face.
    let challenges = challenge.needsFace ? [challenge] : [challenge, .blink]
    let session = try Scripted.session(asking: challenges)
    let feedback = try session.play(DrawnPerson())
    let decision = try session.finish()
    #expect(decision.result == .live, "\(decision.reasons) \(decision.answers)")
    #expect(decision.answers.allSatisfy { $0.outcome == .passed && $0.movement == nil })
    let answer = try #require(decision.answers.first)
    #expect(answer.challenge == challenge && answer.asked ?? .infinity < answer.ended)
    #expect(feedback.contains { $0.challenge == challenge && $0.phase != nil })
    #expect(feedback.map(\.progress).max() == 1)
  }

  // Rows: V6-failures
  @Test("each unanswered challenge ends at its deadline", arguments: Challenge.allCases.filter { $0 != .follow })
  func timeout(_ challenge: Challenge) throws {
    let session = try Scripted.session([.init(challenge, hold: 5)]) { $0.challengeTimeout = 2 }
    try session.play(seconds: 6) { i, _ in
      // Nobody is motionless for five seconds.
      ScriptedPicture(person: 1, frame: i) { $0.x += i % 20 < 10 ? 0 : 8 }
    }
    let answer = try #require(try session.finish().answers.first)
    #expect(answer.outcome == .timeout && answer.movement == nil)
    #expect(abs(answer.ended - (answer.asked ?? 0) - 2) < 0.35)
  }

  @Test("a path that nobody follows ends after its last leg, and a turn during it is no other movement")
  func notFollowed() throws {
    for person in [DrawnPerson { $0.stubborn = .turnLeft }, DrawnPerson { $0.stubborn = .holdStill }] {
      let session = try Scripted.session(asking: [.follow])
      try session.play(person)
      let decision = try session.finish()
      let answer = try #require(decision.answers.first)
      #expect(answer.outcome == .notFollowed && answer.match?.isFollowed == false)
      let end = try Scripted.path.duration + 1.2
      #expect(abs(answer.ended - (answer.asked ?? 0) - end) < 0.35)
      #expect(decision.result == .undecided && decision.retry == .wrongMovement)
      #expect(decision[.challengeCompliance]?.text.contains("did not follow the path") == true)
    }
  }

  // Rows: V4.12-b
  @Test(
    "another movement than the prompted one ends the script and is named",
    arguments: [Challenge.turnLeft, .turnRight, .lookUp, .lookDown, .tiltLeft, .tiltRight, .smile, .openMouth])
  func wrongMovement(_ movement: Challenge) throws {
    let session = try Scripted.session(asking: [movement == .smile ? .openMouth : .smile, .blink])
    try session.play(DrawnPerson { $0.stubborn = movement })
    let decision = try session.finish()
    #expect(decision.answers.map(\.outcome) == [.wrongMovement] && decision.answers.first?.movement == movement)
    #expect(decision.result == .undecided && decision.retry == .wrongMovement)
    #expect(decision[.challengeCompliance]?.text.contains("was due, and \(movement) occurred") == true)
  }

  @Test("the right movement before its prompt also ends the script")
  func early() throws {
    let session = try Scripted.session([.init(.turnLeft, pause: 3)])
    try session.play(seconds: 5) { i, _ in ScriptedPicture(person: 1, frame: i) { $0.yaw = i < 10 ? 0 : 20 } }
    let decision = try session.finish()
    let answer = try #require(decision.answers.first)
    #expect(answer.outcome == .wrongMovement && answer.movement == .turnLeft && answer.asked == nil)
    #expect(decision[.challengeCompliance]?.text.contains("while no challenge was due") == true)
  }

  @Test("an absence of the face of more than two seconds interrupts the session, a shorter one does not")
  func interrupted() throws {
    for (absence, outcome) in [(1.5, ScriptProgress.Answer.Outcome.passed), (2.5, .interrupted)] {
      let session = try Scripted.session([.init(.turnLeft)]) { $0.challengeTimeout = 20 }
      var person = DrawnPerson()
      try session.play(seconds: 15) { i, feedback in
        let picture = person.next(feedback, rate: 10)
        return (12..<12 + Int(absence * 10)).contains(i) ? ScriptedPicture([]) { $0.frame = i } : picture
      }
      #expect(try session.finish().answers.map(\.outcome) == [outcome])
    }
  }

  @Test("a pause of the stream of more than two seconds interrupts the session")
  func paused() throws {
    let session = try Scripted.session(asking: [.turnLeft])
    try session.play(seconds: 1.2) { i, _ in ScriptedPicture(person: 1, frame: i) }
    let feedback = try session.play(seconds: 1, from: 4) { i, _ in ScriptedPicture(person: 1, frame: 50 + i) }
    #expect(feedback.last?.answers.map(\.outcome) == [.interrupted])
    #expect(try session.finish().retry == .interrupted)
  }

  @Test("a position released too early must be repeated, and is counted")
  func tries() throws {
    let session = try Scripted.session([.init(.turnLeft, hold: 1)])
    try session.play(seconds: 12) { i, feedback in
      // Half a second each, three times; then for as long as necessary.
      let isHeld = feedback?.challenge != nil && (i % 10 < 5 || i > 50)
      return ScriptedPicture(person: 1, frame: i) { $0.yaw = isHeld && feedback?.phase != .returning ? 20 : 0 }
    }
    let answer = try #require(try session.finish().answers.first)
    #expect(answer.outcome == .passed && answer.failedTries >= 2, "\(answer)")
  }

  @Test("neither a wink nor closing the eyes for a second is a blink")
  func blinks() throws {
    for change in [
      { $0.leftOpenness = 0.02 }, { ($0.leftOpenness, $0.rightOpenness) = (0.02, 0.02) },
    ] as [(inout ScriptedFace) -> Void] {
      let session = try Scripted.session(asking: [.blink]) { $0.challengeTimeout = 4 }
      var asked = 0
      try session.play(seconds: 9) { i, feedback in
        asked += feedback?.challenge == nil ? 0 : 1
        return ScriptedPicture(person: 1, frame: i) { if (5..<17).contains(asked % 20) { change(&$0) } }
      }
      #expect(try session.finish().answers.map(\.outcome) == [.timeout])
    }
  }

  @Test("a script that a moved picture could answer never passes")
  func pictureScript() throws {
    let session = try Scripted.session(asking: [.moveCloser, .tiltLeft])
    try session.play(DrawnPerson())
    let decision = try session.finish()
    #expect(decision.answers.map(\.outcome) == [.passed, .passed])
    #expect(decision[.challengeCompliance]?.status == .notChecked && decision.result == .undecided)
  }

  @Test("a stream that ends before the script leaves it unchecked")
  func unfinished() throws {
    let session = try Scripted.session(asking: [.blink])
    try session.play(seconds: 1) { i, _ in ScriptedPicture(person: 1, frame: i) }
    let decision = try session.finish()
    #expect(decision.answers.isEmpty && decision.result == .undecided)
    #expect(decision[.challengeCompliance]?.text == "The stream ended before the script did.")
  }

  @Test("a server's request is answered once, before its deadline, with its own script", arguments: 0..<3)
  func request(_ number: Int) throws {
    let store = LivenessRequestStore()
    let request = try store.issue(lifetime: 60, now: 1000)
    let session = try LivenessSession(engine: Scripted.engine.get(), request: request, now: 1000)
    try session.play(DrawnPerson())
    let decision = try session.finish()
    #expect(decision.result == .live, "\(request.script.prompts) \(decision.reasons)")
    try store.accept(decision, now: 1059)
    #expect(code { try store.accept(decision, now: 1059) } == .wrongState)
  }
}
