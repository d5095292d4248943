import EngineTestSupport
import ScriptedModels
import Testing

@testable import FaceVerify

@Suite("Hints and retry reasons of a session")
struct SessionHintTests {
  /// The fault of a picture that causes this hint; nil if no still picture does.
  private static func fault(_ hint: LivenessHint) -> ((inout ScriptedPicture) -> Void)? {
    func face(_ change: @escaping (inout ScriptedFace) -> Void) -> (inout ScriptedPicture) -> Void {
      { change(&$0.faces[0]) }
    }
    return switch hint {
    case .moveFaceIntoFrame: { $0.faces = [] }
    case .multipleFaces:
      {
        ($0.faces[0].x, $0.faces[0].eyes) = (100, 40)
        $0.faces.append(ScriptedFace { ($0.person, $0.x, $0.eyes) = (2, 220, 40) })
      }
    case .lightingTooDark: { $0.light = 0.02 }
    case .lightingTooBright: { $0.light = 4 }
    case .sunglasses: { $0.wearsSunglasses = true }
    case .obscuredFace: { $0.wearsMask = true }
    case .faceTooClose: face { ($0.y, $0.eyes) = (110, 100) }
    case .moveFaceCloser: face { $0.eyes = 26 }
    case .centreFace: face { ($0.x, $0.eyes) = (70, 45) }
    case .levelEyesAndDevice: face { $0.roll = 25 }
    case .raiseChin: face { $0.pitch = 25 }
    case .lowerChin: face { $0.pitch = -25 }
    case .turnFaceLeft: face { $0.yaw = -25 }
    case .turnFaceRight: face { $0.yaw = 25 }
    case .eyesClosed: face { ($0.leftOpenness, $0.rightOpenness) = (0.02, 0.02) }
    default: nil
    }
  }

  private static func picture(_ i: Int, _ hint: LivenessHint) -> ScriptedPicture {
    ScriptedPicture([ScriptedFace { $0.person = 1 }]) {
      $0.frame = i
      fault(hint)?(&$0)
    }
  }

  private static let faults = LivenessHint.allCases.filter { fault($0) != nil }

  // Rows: V4.12-c V6-states-face
  @Test("each fault of a picture causes its hint", arguments: faults)
  func hint(_ hint: LivenessHint) throws {
    let session = try Scripted.session()
    let feedback = try session.play(seconds: 2.5) { i, _ in Self.picture(i, hint) }
    #expect(feedback.last?.hint == hint)
    // Not immediately: it must persist.
    #expect(feedback[0].hint == nil && feedback[3].hint == nil)
  }

  // Rows: V4.11-b V6-states-face
  @Test("the two hints without a still picture are for restlessness and for holding a position")
  func others() throws {
    #expect(Set(LivenessHint.allCases).subtracting(Self.faults) == [.tooMuchMovement, .holdStill])
    let restless = try Scripted.session(asking: [.blink])
    let feedback = try restless.play(seconds: 5) { i, _ in
      ScriptedPicture(person: 1, frame: i) { $0.yaw = i % 4 < 2 ? -14 : 14 }
    }
    #expect(feedback.last?.hint == .tooMuchMovement && feedback.last?.challenge == nil)
    let holding = try Scripted.session([.init(.turnLeft, hold: 2)])
    let held = try holding.play(DrawnPerson())
    let seconds = held.compactMap(\.secondsLeft)
    #expect(held.contains { $0.hint == .holdStill })
    #expect(seconds.count > 10 && seconds == seconds.sorted(by: >) && (seconds.first ?? 0) <= 2)
  }

  @Test("a person who follows the prompts gets no hint")
  func none() throws {
    let session = try Scripted.session()
    #expect(try session.play(seconds: 3) { i, _ in Self.picture(i, .init(rawValue: "")) }.allSatisfy { $0.hint == nil })
  }

  @Test("of two faults the more important one is reported", arguments: zip(faults.dropLast(), faults.dropFirst()))
  func order(first: LivenessHint, second: LivenessHint) throws {
    #expect(
      LivenessHint.allCases.firstIndex(of: first) ?? 99 < LivenessHint.allCases.firstIndex(of: second) ?? 0)
  }

  @Test("a prompted movement is not a fault", arguments: [Challenge.turnLeft, .lookUp, .moveCloser, .tiltRight])
  func asked(_ challenge: Challenge) throws {
    let session = try Scripted.session([.init(challenge, hold: 1)])
    let feedback = try session.play(DrawnPerson())
    #expect(Set(feedback.compactMap(\.hint)).isSubset(of: [.holdStill]))
    #expect(feedback.last?.answers.first?.outcome == .passed)
  }

  // Rows: RT-faceMisaligned RT-multipleFaces RT-lightingTooDark RT-lightingTooBright RT-sunglasses RT-obscuredFace
  // Rows: RT-faceTooClose RT-faceTooFar RT-eyesClosed V4.9-b V6-failures
  @Test(
    "the longest obstacle is the retry reason",
    arguments: [
      (LivenessHint.moveFaceIntoFrame, RetryReason.faceMisaligned), (.multipleFaces, .multipleFaces),
      (.lightingTooDark, .lightingTooDark), (.lightingTooBright, .lightingTooBright), (.sunglasses, .sunglasses),
      (.obscuredFace, .obscuredFace), (.faceTooClose, .faceTooClose), (.moveFaceCloser, .faceTooFar),
      (.centreFace, .faceMisaligned), (.levelEyesAndDevice, .faceMisaligned), (.raiseChin, .faceMisaligned),
      (.lowerChin, .faceMisaligned), (.turnFaceLeft, .faceMisaligned), (.turnFaceRight, .faceMisaligned),
      (.eyesClosed, .eyesClosed),
    ])
  func retry(_ hint: LivenessHint, _ reason: RetryReason) throws {
    let session = try Scripted.session()
    try session.play(seconds: 4) { i, _ in Self.picture(i, i < 5 ? .init(rawValue: "") : hint) }
    let decision = try session.finish()
    #expect(decision.result == .undecided && decision.retry == reason, "\(decision.reasons)")
  }

  // Rows: RT-tooMuchMovement RT-userTimeout RT-generic V4.9-b V6-failures
  @Test("too much movement, no answer, a wrong one, a lost face and no specific reason are retry reasons, too")
  func otherRetries() throws {
    var found: [RetryReason] = []
    func decide(
      _ session: LivenessSession, _ seconds: Double, _ picture: (Int, LivenessFeedback?) throws -> ScriptedPicture
    ) throws {
      try session.play(seconds: seconds, picture)
      let decision = try session.finish()
      #expect(decision.result == .undecided, "\(decision.reasons)")
      found += decision.retry.map { [$0] } ?? []
    }
    try decide(Scripted.session(asking: [.blink]), 5) { i, _ in
      ScriptedPicture(person: 1, frame: i) { $0.yaw = i % 4 < 2 ? -14 : 14 }
    }
    try decide(Scripted.session(asking: [.blink]) { $0.challengeTimeout = 2 }, 9) { i, _ in
      ScriptedPicture(person: 1, frame: i)
    }
    var person = DrawnPerson { $0.stubborn = .turnRight }
    try decide(Scripted.session(asking: [.turnLeft]), 9) { _, feedback in person.next(feedback, rate: 10) }
    try decide(Scripted.session(asking: [.turnLeft]), 9) { i, _ in
      i < 15 ? ScriptedPicture(person: 1, frame: i) : ScriptedPicture([]) { $0.frame = i }
    }
    try decide(Scripted.session(), 2) { i, _ in ScriptedPicture(person: 1, frame: i) }
    #expect(found == [.tooMuchMovement, .userTimeout, .wrongMovement, .interrupted, .generic])
    // Together with those of the hints, these are all.
    let all = LivenessHint.allCases.map { RetryReason($0) } + found
    #expect(Set(all) == Set(RetryReason.allCases))
  }
}
