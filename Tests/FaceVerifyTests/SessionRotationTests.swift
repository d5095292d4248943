import EngineTestSupport
import FaceVerify
import ScriptedModels
import Testing

@Suite("Sessions whose frames are upside down or on their side")
struct SessionRotationTests {
  /// Shows a person who follows the prompts, through a camera that is rotated: frames are upright once rotated clockwise
  /// by `rotation` degrees.
  private func decision(
    rotation: Int, isMirrored: Bool = false, empty: Int = 0, of person: DrawnPerson = DrawnPerson()
  ) throws -> LivenessDecision {
    var person = person
    let session = try Scripted.session(asking: [.turnLeft, .blink]) { $0.isMirrored = isMirrored }
    var chain = FrameChain(nonce: session.nonce)
    var feedback: LivenessFeedback?
    for i in 0..<300 where !session.isComplete {
      let picture = i < empty ? ScriptedPicture([]) : person.next(feedback, rate: 10)
      let frame = try received(picture.pixels(), rotation: rotation, isMirrored: isMirrored)
      feedback = try session.add(frame, at: Double(i) / 10)
      #expect(feedback?.rotation == (i < empty ? 0 : rotation) && (feedback?.face == nil) == (i < empty))
      chain.add(frame, at: Double(i) / 10)
    }
    let decision = try session.finish()
    // Of the frames as received.
    #expect(decision.chain == chain && decision.rotation == rotation)
    return decision
  }

  private func received(_ upright: PixelBuffer, rotation: Int, isMirrored: Bool = false) -> PixelBuffer {
    // The session mirrors first.
    upright.upright(rotation: (360 - rotation) % 360, isMirrored: false).upright(rotation: 0, isMirrored: isMirrored)
  }

  /// All of a decision but the chain and the rotation.
  private func content(_ decision: LivenessDecision) -> JSONValue {
    guard case .object(var members) = decision.jsonValue else { return .null }
    members["frames"] = nil
    return .object(members)
  }

  @Test("they are judged like upright ones", arguments: [90, 180, 270])
  func same(rotation: Int) throws {
    let upright = try decision(rotation: 0)
    #expect(upright.result == .live && upright.jsonValue["frames"]?["rotation"] == nil, "\(upright.reasons)")
    for isMirrored in [false, true] {
      let turned = try decision(rotation: rotation, isMirrored: isMirrored)
      #expect(content(turned) == content(upright))
      #expect(turned.jsonValue["frames"]?["rotation"] == .integer(rotation))
    }
  }

  @Test("a person who appears later is found in any rotation", arguments: [0, 90, 180, 270])
  func later(rotation: Int) throws {
    #expect(try decision(rotation: rotation, empty: 8).result == .live)
  }

  @Test("an attack stays one", arguments: [90, 180, 270])
  func attack(rotation: Int) throws {
    let decisions = try [0, rotation].map { rotation in
      let session = try Scripted.session()
      for i in 0..<40 {
        let picture = try ScriptedPicture(person: i < 20 ? 1 : 2, frame: i).pixels()
        try session.add(received(picture, rotation: rotation), at: Double(i) / 10)
      }
      return try session.finish()
    }
    #expect(decisions.allSatisfy { $0.result == .presentationAttack })
    #expect(content(decisions[0]) == content(decisions[1]))
  }

  @Test("a rotation that changes during the session is not followed")
  func change() throws {
    for (first, second) in [(0, 180), (180, 0), (90, 270)] {
      let session = try Scripted.session { $0.policy = .passiveOnly }
      for i in 0..<60 {
        let picture = try ScriptedPicture(person: 1, frame: i).pixels()
        let feedback = try session.add(received(picture, rotation: i < 20 ? first : second), at: Double(i) / 10)
        #expect(feedback.rotation == first && (feedback.face != nil) == (i < 20))
      }
      #expect(try session.finish().result != .live)
    }
  }

  /// A frame on its head in which the detector also finds a face without rotating it, as it does in photos.
  private func doubtful(score: Double, seenUpright: Double, frame: Int) throws -> PixelBuffer {
    let turned = try ScriptedPicture(person: 1, frame: frame) { $0.score = score }.pixels().upright(
      rotation: 180, isMirrored: false)
    let seen = try ScriptedPicture(person: 1) { $0.score = seenUpright }.pixels()
    let cells = 3 * seen.width * 16
    let rgb = Array(seen.rgb[..<cells] + turned.rgb[cells...])
    return try PixelBuffer(width: seen.width, height: seen.height, rgb: rgb)
  }

  @Test("of a face that is found in two rotations, the one with the higher confidence counts")
  func confidence() throws {
    for (turned, upright, rotation) in [(0.95, 0.9, 180), (0.9, 0.95, 0), (0.95, 0.95, 0), (0.6, 0.9, 0)] {
      let feedback = try Scripted.session().add(doubtful(score: turned, seenUpright: upright, frame: 0), at: 0)
      #expect(feedback.rotation == rotation && feedback.face != nil)
    }
  }

  @Test("an uncertain rotation is no attack: the face is not seen, until it is certain")
  func uncertain() throws {
    func session(certainFrom certain: Int) throws -> LivenessSession {
      let session = try Scripted.session { $0.policy = .passiveOnly }
      for i in 0..<50 {
        let score = i < certain ? 0.7 : 0.9
        let feedback = try session.add(doubtful(score: score, seenUpright: 0.65, frame: i), at: Double(i) / 10)
        #expect((feedback.face != nil) == (i >= certain) && feedback.rotation == (i < certain ? 0 : 180))
        if i == 20, i < certain { #expect(feedback.hint == .moveFaceIntoFrame) }
      }
      return session
    }
    let never = try session(certainFrom: 50).finish()
    #expect(never.result == .undecided && never.retry == .faceMisaligned, "\(never.reasons)")
    #expect(try session(certainFrom: 5).finish().rotation == 180)
  }
}
