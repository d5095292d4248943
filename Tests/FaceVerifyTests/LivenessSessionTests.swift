import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

@Suite("LivenessSession with networks", .needsModels, .needsSamples)
struct LivenessSessionTests {
  private static func frame(_ name: String = "obama.jpg") throws -> PixelBuffer {
    let photo = try Installed.photo(name)
    return try photo.pixels(reduction: [1, 2, 4, 8].first { max(photo.width, photo.height) / $0 <= 800 } ?? 8)
  }

  private func session(
    _ challenges: [Challenge] = [], _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessSession {
    var configuration = LivenessSession.Configuration()
    change(&configuration)
    let script = challenges.isEmpty ? nil : try ChallengeScript(prompts: challenges.map { try .init($0) })
    return try LivenessSession(
      engine: Installed.engine.get(), script: script, nonce: Array("sixteen bytes...".utf8),
      configuration: configuration)
  }

  /// Shows the pictures in order, each for `seconds`.
  @discardableResult
  private func play(
    _ pictures: [PixelBuffer], to session: LivenessSession, seconds: Double, rate: Double = 10
  ) throws -> [LivenessFeedback] {
    var states: [LivenessFeedback] = []
    let each = Int(seconds * rate)
    for i in 0..<pictures.count * each where !session.isComplete {
      states.append(try session.add(pictures[i / each], at: Double(i) / rate))
    }
    return states
  }

  @Test("a still picture answers no challenge, is never live, and has a reproducible decision, byte for byte")
  func stillPicture() throws {
    let texts = try (0..<2).map { _ in
      let session = try session([.blink, .turnLeft]) { $0.challengeTimeout = 2 }
      let states = try play([Self.frame()], to: session, seconds: 10)
      #expect(states.contains { $0.challenge == .blink })
      let decision = try session.finish()
      #expect(decision.result != .live && decision.answers.map(\.outcome) == [.timeout])
      #expect(decision[.challengeCompliance]?.status == .failed)
      return decision.json
    }
    #expect(texts[0] == texts[1])
  }

  @Test("another person who replaces the first one is a presentation attack")
  func otherPerson() throws {
    let session = try session()
    try play([Self.frame(), Self.frame("biden.jpg")], to: session, seconds: 2)
    let decision = try session.finish()
    #expect(decision.result == .presentationAttack)
    #expect(decision[.identityContinuity]?.status == .failed)
    #expect(decision.reasons.contains { $0.code == "identity-continuity" })
  }

  @Test("the person of the portrait passes, another person does not")
  func portrait() throws {
    let engine = try Installed.engine.get()
    for (name, expected) in [("obama2.jpg", CheckStatus.passed), ("biden.jpg", .failed)] {
      let template = try engine.sample(Installed.photo(name), policy: .selfie).template
      let session = try session { $0.portrait = template }
      try play([Self.frame()], to: session, seconds: 1)
      #expect(try session.finish()[.portraitIdentity]?.status == expected)
    }
  }

  @Test("the best frame and the averaged template are returned and match the person")
  func selfie() throws {
    let session = try session()
    try play([Self.frame(), Self.frame("obama2.jpg")], to: session, seconds: 2)
    let decision = try session.finish()
    let template = try #require(decision.template)
    #expect(decision.averagedFrames > 1)
    let selfie = try #require(decision.selfie)
    #expect(selfie.quality.score ?? 0 > 50)
    let engine = try Installed.engine.get()
    let portrait = try #require(try engine.sample(Installed.photo("obama2.jpg"), policy: .selfie).template)
    #expect(try engine.compare(template, portrait).isMatch)
  }

  @Test("a frame that is upside down or on its side is judged like the upright one", arguments: [0, 90, 180, 270])
  func found(rotation: Int) throws {
    for name in ["obama.jpg", "obama2.jpg", "biden.jpg"] {
      let decisions = try [0, rotation].map { rotation in
        let session = try session { $0.policy = .photo }
        try session.add(Self.frame(name).upright(rotation: (360 - rotation) % 360, isMirrored: false), at: 0)
        return try session.finish()
      }
      #expect(decisions[1].rotation == rotation)
      #expect(decisions[0].checks.map(\.jsonValue) == decisions[1].checks.map(\.jsonValue))
      #expect(decisions[0].template?.sha256 == decisions[1].template?.sha256)
    }
  }

  @Test("a mirrored and rotated stream shows the same person, with the person's left and right")
  func orientation() throws {
    let frame = try Self.frame()
    let plain = try #require(try session().add(frame, at: 0).face?.landmarks.pose)
    let mirrored = frame.upright(rotation: 0, isMirrored: true)
    let asSeen = try #require(try session().add(mirrored, at: 0).face?.landmarks.pose)
    #expect(abs(asSeen.yaw + plain.yaw) < 6)
    // The mirroring is applied after the rotation.
    let seen = try session {
      $0.rotation = 90
      $0.isMirrored = true
    }.add(mirrored.upright(rotation: 270, isMirrored: false), at: 0)
    #expect(abs(try #require(seen.face?.landmarks.pose).yaw - plain.yaw) < 0.01)
  }
}

@Suite("FrameChain, LivenessRequestStore and Guidance")
struct LivenessProtocolTests {
  @Test("the chain follows its specification")
  func chain() throws {
    var chain = FrameChain(nonce: (0..<16).map { UInt8($0) })
    chain.add(try PixelBuffer(width: 2, height: 1, rgb: [1, 2, 3, 4, 5, 6]), at: 0)
    chain.add(try PixelBuffer(width: 2, height: 1, rgb: [6, 5, 4, 3, 2, 1]), at: 0.04)
    // From Python's hashlib and struct.pack(">dII", ...).
    #expect(hexadecimal(chain.head) == "a6c2e1129ba8754b39142dd549bcd1ac5f8e2a51c1070ca6dc9c157cfd15e3f9")
    #expect(chain.count == 2)
  }

  @Test("a request is answered once, before its deadline, with its own script")
  func register() throws {
    let engine = try Scripted.engine.get()
    let register = LivenessRequestStore()
    func decision(_ request: LivenessRequest) throws -> LivenessDecision {
      try LivenessSession(engine: engine, request: request, now: 1000).finish()
    }
    let request = try register.issue(lifetime: 60, now: 1000)
    #expect(request.nonce.count == 32)
    #expect(request.script == (try ChallengeScript(nonce: request.nonce)))
    try register.accept(decision(request), now: 1059)
    #expect(code { try register.accept(decision(request), now: 1059) } == .wrongState)
    let late = try register.issue(lifetime: 60, now: 1000)
    #expect(code { try register.accept(decision(late), now: 1060) } == .wrongState)
    #expect(code { _ = try LivenessSession(engine: engine, request: late, now: 1060) } == .wrongState)
    let other = try register.issue(now: 1000)
    let script = try ChallengeScript(prompts: [.init(.blink)])
    let wrong = try LivenessSession(engine: engine, script: script, nonce: other.nonce).finish()
    #expect(code { try register.accept(wrong, now: 1001) } == .wrongState)
    let unknown = try LivenessRequest(nonce: [UInt8](repeating: 7, count: 16), expires: 2000)
    #expect(code { try register.accept(decision(unknown), now: 1001) } == .wrongState)
    #expect(code { _ = try register.issue(lifetime: 1, now: 0) } == .badArgument)
  }

  @Test("a flickering hint is not shown, a stable one is, and the longest one is kept")
  func guidance() {
    var guidance = Guidance()
    for i in 0..<40 {
      guidance.update(i.isMultiple(of: 2) ? .centreFace : nil, at: Double(i) / 10)
      #expect(guidance.shown == nil)
    }
    for i in 40..<50 { guidance.update(.moveFaceCloser, at: Double(i) / 10) }
    #expect(guidance.shown == .moveFaceCloser)
    for i in 50..<53 { guidance.update(.faceTooClose, at: Double(i) / 10) }
    #expect(guidance.shown == .moveFaceCloser)
    for i in 53..<60 { guidance.update(nil, at: Double(i) / 10) }
    #expect(guidance.shown == nil)
    #expect(guidance.prevailing == .moveFaceCloser)
  }
}
