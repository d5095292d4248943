import EngineTestSupport
import FaceVerify
import ScriptedModels
import Testing

@Suite("A session's states, limits and frames")
struct SessionStateTests {
  private func still(_ i: Int, _ feedback: LivenessFeedback?) -> ScriptedPicture {
    ScriptedPicture(person: 1, frame: i)
  }

  // Rows: FACE-reasons V6-simulator
  @Test("a session that passes goes through started, capturing, captured and live, and nothing else")
  func passed() throws {
    let session = try Scripted.session(asking: [.turnLeft, .blink])
    #expect(session.state == .started && !session.isComplete && session.refusedFrames == 0)
    let feedback = try session.play(DrawnPerson())
    #expect(feedback.dropLast().allSatisfy { $0.state == .capturing })
    #expect(feedback.last?.state == .captured && session.state == .captured && session.isComplete)
    let decision = try session.finish()
    #expect(decision.result == .live && session.state == .live && session.isComplete, "\(decision.reasons)")
    #expect(decision.reasons.isEmpty && decision.retry == nil)
    #expect(decision.answers.map(\.outcome) == [.passed, .passed])
    #expect(decision.answers.map(\.challenge) == [.turnLeft, .blink])
    #expect(decision.nonce == Array("sixteen bytes...".utf8))
    #expect(decision.modelVersion.set == .scripted)
  }

  @Test("an unanswered session is undecided")
  func undecided() throws {
    let session = try Scripted.session(asking: [.turnLeft]) { $0.challengeTimeout = 2 }
    try session.play(seconds: 10, still)
    #expect(try session.finish().result == .undecided)
    #expect(session.state == .undecided)
  }

  // Rows: FACE-reasons V6-failures
  @Test("another person who replaces the first one is a presentation attack")
  func exchanged() throws {
    let session = try Scripted.session()
    try session.play(seconds: 4) { i, _ in ScriptedPicture(person: i < 20 ? 1 : 2, frame: i) }
    let decision = try session.finish()
    #expect(decision.result == .presentationAttack && session.state == .presentationAttack)
    #expect(decision.retry == nil && decision.reasons.map(\.code) == ["identity-continuity"])
    #expect(decision[.identityContinuity]?.status == .failed)
  }

  @Test("the list of states is complete")
  func states() {
    #expect(
      LivenessSessionState.allCases == [.started, .capturing, .captured, .live, .undecided, .presentationAttack])
  }

  @Test("a decided session rejects frames and keeps its decision")
  func closed() throws {
    let session = try Scripted.session()
    try session.play(seconds: 1, still)
    let decision = try session.finish()
    #expect(code { try session.add(still(9, nil).pixels(), at: 9) } == .wrongState)
    #expect(try session.finish().json == decision.json)
    #expect(decision.chain.count == 10 && decision.refusedFrames == 0)
  }

  @Test("a session without a frame is undecided, because it was interrupted")
  func noFrames() throws {
    let session = try Scripted.session(asking: [.blink])
    let decision = try session.finish()
    #expect(decision.result == .undecided && decision.retry == .interrupted && decision.span == nil)
    #expect(decision.selfie == nil && decision.template == nil && decision.chain.count == 0)
    #expect(decision.reasons.contains { $0.code == "challenge-compliance" })
  }

  @Test("the session's timeout ends it at the next frame")
  func timeout() throws {
    let session = try Scripted.session { $0.timeout = 5 }
    let feedback = try session.play(seconds: 8, rate: 4, still)
    #expect(feedback.last?.time == 5 && feedback.last?.state == .captured && session.isComplete)
    #expect(code { try session.add(still(99, nil).pixels(), at: 5.5) } == .wrongState)
    #expect(try session.finish().span == 0...5)
  }

  @Test(
    "a frame with a non-increasing or non-finite time is rejected, and the session continues",
    arguments: [1, 0.5, -1, -Double.infinity, .infinity, .nan, -.nan, 0.999_999])
  func badTime(time: Double) throws {
    let session = try Scripted.session()
    try session.add(still(0, nil).pixels(), at: 1)
    let frame = try still(1, nil).pixels()
    let error = #expect(throws: VerifyError(.badArgument, "")) { try session.add(frame, at: time) }
    #expect(error?.message.contains(time.isFinite ? "came after" : "must be a number of seconds") == true)
    #expect(session.refusedFrames == 1 && session.state == .capturing)
    try session.add(still(2, nil).pixels(), at: 1.0.nextUp)
    let decision = try session.finish()
    #expect(decision.refusedFrames == 1 && decision.chain.count == 2 && decision.span == 1...1.0.nextUp)
  }

  @Test("the first frame may have any finite time", arguments: [-1e9, 0, -0.0, 1e-300, 1e9, 1.7e9])
  func firstTime(time: Double) throws {
    let session = try Scripted.session()
    #expect(try session.add(still(0, nil).pixels(), at: time).time == time)
    #expect(try session.add(still(1, nil).pixels(), at: time + 0.1).state == .capturing)
  }

  @Test(
    "a frame of unusable size is rejected, and the session continues",
    arguments: [(63, 320), (320, 63), (4097, 64), (64, 4097), (1, 1)])
  func badSize(width: Int, height: Int) throws {
    let session = try Scripted.session()
    let frame = try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: 0, count: 3 * width * height))
    #expect(code { try session.add(frame, at: 0) } == .badArgument)
    #expect(session.refusedFrames == 1 && session.state == .started)
    try session.add(still(0, nil).pixels(), at: 0)
    #expect(try session.finish().chain.count == 1)
  }

  // Rows: V4.10-a
  @Test("frames of the minimum and the maximum size are accepted", arguments: [(64, 64), (4096, 64), (64, 4096)])
  func limits(width: Int, height: Int) throws {
    let session = try Scripted.session()
    let frame = try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: 0, count: 3 * width * height))
    #expect(try session.add(frame, at: 0).face == nil)
  }

  @Test("many rejected frames are no camera's clock: an attack")
  func clock() throws {
    let session = try Scripted.session()
    for i in 0..<30 {
      try session.add(still(i, nil).pixels(), at: Double(i) / 10)
      _ = try? session.add(still(i, nil).pixels(), at: 0)
    }
    let decision = try session.finish()
    #expect(decision.refusedFrames == 30 && decision[.frameClock]?.status == .failed)
    #expect(decision.result == .presentationAttack)
  }

  // Rows: V4.12-a
  @Test("frames of varying size are accepted, but fail a strict policy")
  func sizes() throws {
    for (policy, result) in [
      (LivenessPolicy.standard, LivenessDecision.Result.undecided), (.strict, .presentationAttack),
    ] {
      let session = try Scripted.session { $0.policy = policy }
      let feedback = try session.play(seconds: 3) { i, _ in
        var picture = still(i, nil)
        if i % 10 >= 5 { (picture.width, picture.height) = (400, 340) }
        return picture
      }
      #expect(feedback.allSatisfy { $0.face != nil })
      let decision = try session.finish()
      #expect(decision[.frameSize]?.status == .failed && decision[.identityContinuity]?.status == .passed)
      #expect(decision.result == result, "\(decision.reasons)")
    }
  }

  @Test("frame rates of 7 to 60 per second are recognised", arguments: [7, 12.5, 30, 60.0])
  func rates(rate: Double) throws {
    let session = try Scripted.session(asking: [.turnRight])
    try session.play(DrawnPerson(), rate: rate)
    let decision = try session.finish()
    #expect(decision.result == .live, "\(decision.reasons) \(decision.answers)")
  }

  // Rows: V4.14-a
  @Test("repeated frames are not live: a recording, or a camera that repeats them")
  func repeated() throws {
    let session = try Scripted.session()
    try session.play(seconds: 4) { i, _ in still(i % 10, nil) }
    let decision = try session.finish()
    #expect(decision[.frameRepetition]?.status == .failed && decision.result == .undecided)
  }

  // Rows: NV6 J4 V4.14-a V6-failures
  @Test("a virtual camera, and a face with the texture of a print, are attacks")
  func attacks() throws {
    let virtual = try Scripted.session {
      $0.camera = CameraFacts(driver: "v4l2 loopback", name: "OBS Virtual Camera", isVirtual: true)
    }
    try virtual.play(seconds: 2, still)
    #expect(try virtual.finish()[.cameraDevice]?.status == .failed)
    #expect(try virtual.finish().result == .presentationAttack)
    let print = try Scripted.session()
    try print.play(seconds: 2) { i, _ in ScriptedPicture(person: 1, frame: i) { $0.texture = 0.01 } }
    #expect(try print.finish()[.texture]?.status == .failed)
    #expect(try print.finish().result == .presentationAttack)
  }

  @Test("a session allows a texture for which a single picture is an attack")
  func allowance() throws {
    for (policy, status) in [(LivenessPolicy.photo, CheckStatus.failed), (.passiveOnly, .passed)] {
      let session = try Scripted.session { $0.policy = policy }
      try session.play(seconds: 4) { i, _ in ScriptedPicture(person: 1, frame: i) { $0.texture = 0.1 } }
      #expect(try session.finish()[.texture]?.status == status)
    }
  }

  // Rows: V6-failures
  @Test("the person of the portrait passes, another person is an attack")
  func portrait() throws {
    let engine = try Scripted.engine.get()
    for (person, expected) in [(1, CheckStatus.passed), (2, .failed)] {
      let template = try engine.sample(Scripted.photo(ScriptedPicture(person: person)), policy: .selfie).template
      let session = try Scripted.session { $0.portrait = template }
      try session.play(seconds: 1, still)
      let decision = try session.finish()
      #expect(decision[.portraitIdentity]?.status == expected)
      #expect((decision.result == .presentationAttack) == (expected == .failed))
    }
  }

  @Test("invalid settings are rejected")
  func settings() throws {
    for timeout in [4.9, 901, .nan, .infinity, -1] {
      #expect(code { _ = try Scripted.session { $0.timeout = timeout } } == .badArgument)
    }
    for rotation in [45, -90, 360] {
      #expect(code { _ = try Scripted.session { $0.rotation = rotation } } == .badArgument)
    }
    for timeout in [1.9, 31, .nan] {
      #expect(code { _ = try Scripted.session(asking: [.blink]) { $0.challengeTimeout = timeout } } == .badArgument)
    }
    #expect(
      code {
        _ = try LivenessSession(engine: Scripted.engine.get(), script: nil, nonce: [UInt8](repeating: 0, count: 65))
      } == .badArgument)
    let foreign = FaceTemplate(
      modelIdentifier: "0123456789abcdef", vector: [Float](repeating: 0, count: 128), cohortMean: 1, cohortDeviation: 1,
      quality: nil)
    #expect(code { _ = try Scripted.session { $0.portrait = foreign } } == .incompatibleTemplate)
  }

  // Rows: J28 V4.16-b
  @Test(
    "mirrored and rotated streams show the same person, with the person's left and right", arguments: [0, 90, 180, 270])
  func orientation(rotation: Int) throws {
    let frame = try ScriptedPicture(person: 1) { $0.yaw = 12 }.pixels()
    for isMirrored in [false, true] {
      let camera = frame.upright(rotation: 0, isMirrored: isMirrored)
        .upright(rotation: (360 - rotation) % 360, isMirrored: false)
      let session = try Scripted.session {
        $0.rotation = rotation
        $0.isMirrored = isMirrored
      }
      #expect(try session.add(camera, at: 0).face?.landmarks.pose?.yaw == 12)
    }
  }

  @Test("the same frames give the same decision, byte for byte, which binds each of them")
  func deterministic() throws {
    func decide(changing changed: Int?) throws -> LivenessDecision {
      let session = try Scripted.session(asking: [.smile]) { $0.challengeTimeout = 2 }
      try session.play(seconds: 3) { i, _ in still(i == changed ? 999 : i, nil) }
      return try session.finish()
    }
    let first = try decide(changing: nil)
    #expect(try decide(changing: nil).json == first.json)
    #expect(try decide(changing: 7).chain.head != first.chain.head)
  }

  @Test("the best frames yield the selfie and the template, and match the person")
  func selfie() throws {
    let session = try Scripted.session()
    // Sharp in the middle; before and after, the eyes are half closed.
    try session.play(seconds: 6) { i, _ in
      ScriptedPicture(person: 1, frame: i) {
        ($0.leftOpenness, $0.rightOpenness) = (20..<40).contains(i) ? (0.3, 0.3) : (0.1, 0.1)
      }
    }
    let decision = try session.finish()
    let selfie = try #require(decision.selfie)
    #expect((2.0..<4).contains(selfie.time))
    #expect(decision.averagedFrames == 5)
    let engine = try Scripted.engine.get()
    for (person, isMatch) in [(1, true), (2, false)] {
      let other = try #require(
        try engine.sample(Scripted.photo(ScriptedPicture(person: person)), policy: .selfie).template)
      #expect(try engine.compare(#require(decision.template), other).isMatch == isMatch)
    }
  }
}
