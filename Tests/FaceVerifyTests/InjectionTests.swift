import EngineTestSupport
import FaceVerify
import Glibc
import ScriptedModels
import Testing

/// Streams that no camera produces, each with the check that rejects it. The signals have separate tests of the pixels.
@Suite("Injected frames")
struct InjectionTests {
  /// A recording of a person who follows `script`.
  private func recording(_ script: [Challenge]) throws -> [ScriptedPicture] {
    let session = try Scripted.session(asking: script)
    var person = DrawnPerson()
    var pictures: [ScriptedPicture] = []
    try session.play(seconds: 40) { _, feedback in
      pictures.append(person.next(feedback, rate: 10))
      return pictures[pictures.count - 1]
    }
    #expect(try session.finish().result == .live)
    return pictures
  }

  /// A person who follows the prompts; `received` maps capture to arrival times.
  private func decision(
    seconds: Double = 40, received: (Double) -> Double?
  ) throws -> LivenessDecision {
    let session = try Scripted.session(asking: [.turnLeft, .openMouth, .smile])
    var person = DrawnPerson()
    var last: LivenessFeedback?
    for i in 0..<Int(seconds * 10) where !session.isComplete {
      let time = Double(i) / 10
      last = try session.add(person.next(last, rate: 10).pixels(), at: time, received: received(time))
    }
    return try session.finish()
  }

  private func codes(_ decision: LivenessDecision) -> [String] { decision.reasons.map(\.code) }

  // Rows: V4.14-a
  @Test("a recorded answer to one script does not answer another")
  func replayedScript() throws {
    let pictures = try recording([.turnLeft, .openMouth])
    for script: [Challenge] in [[.openMouth, .turnLeft], [.turnRight, .smile]] {
      let session = try Scripted.session(asking: script)
      try session.play(seconds: Double(pictures.count) / 10) { i, _ in pictures[i] }
      let decision = try session.finish()
      #expect(decision.result == .undecided && codes(decision).first == "challenge-compliance")
      #expect(decision.retry == .wrongMovement)
    }
  }

  @Test("a guessed nonce answers no request; a request answered twice or too late is rejected")
  func nonces() throws {
    let store = LivenessRequestStore()
    let request = try store.issue(lifetime: 60, now: 1000)
    let guessed = try LivenessRequest(nonce: [UInt8](repeating: 7, count: 32), expires: 1060)
    func answer(_ request: LivenessRequest) throws -> LivenessDecision {
      let session = try LivenessSession(engine: Scripted.engine.get(), request: request, now: 1000)
      try session.play(DrawnPerson())
      return try session.finish()
    }
    let forged = try answer(guessed)
    #expect(throws: VerifyError(.wrongState, "")) { try store.accept(forged, now: 1001) }
    let right = try answer(request)
    try store.accept(right, now: 1001)
    let second = #expect(throws: VerifyError(.wrongState, "")) { try store.accept(right, now: 1002) }
    #expect(second?.message.contains("answered already") == true)
    let late = try store.issue(lifetime: 60, now: 2000)
    let slow = try LivenessSession(engine: Scripted.engine.get(), request: late, now: 2000).finish()
    let error = #expect(throws: VerifyError(.wrongState, "")) { try store.accept(slow, now: 2060) }
    #expect(error?.message.contains("too late") == true)
  }

  @Test("frames in real time pass: late at first, in batches, delayed by a second")
  func honestArrival() throws {
    let networks: [(Double) -> Double] = [
      { 1.7e9 + $0 }, { $0 - 5 },
      // Connection set-up, batches of half a second, a stalled network, a growing queue.
      { 0.3 + max($0, 1) }, { ($0 * 2).rounded(.up) / 2 }, { (2...3).contains($0) ? 3 : $0 }, { $0 * 1.05 },
    ]
    for network in networks {
      let decision = try decision(received: network)
      #expect(decision.result == .live, "\(decision.reasons)")
      #expect(decision[.arrivalRate]?.status == .passed && decision[.arrivalDelay]?.status == .passed)
    }
    let unknown = try decision { _ in nil }
    #expect(unknown.result == .live)
    #expect(unknown[.arrivalRate]?.status == .notChecked && unknown[.arrivalDelay]?.status == .notChecked)
  }

  // Rows: V4.14-a
  @Test("frames at half or double speed contradict the caller's clock", arguments: [2, 1.5, 1 / 1.5, 0.5])
  func speed(_ secondsForEach: Double) throws {
    let decision = try decision { 1000 + $0 * secondsForEach }
    #expect(decision.result == .presentationAttack && codes(decision).contains("arrival-rate"))
    #expect(abs((decision[.arrivalRate]?.value ?? 0) - 1 / secondsForEach) < 0.01)
    #expect(decision[.arrivalRate]?.text.contains("clock") == true)
  }

  @Test("frames delayed by three seconds, permanently or temporarily, are too late")
  func delay() throws {
    for network: (Double) -> Double in [{ $0 < 2 ? $0 : $0 + 3 }, { (2...5).contains($0) ? 5 : $0 }] {
      let decision = try decision(received: network)
      #expect(decision.result != .live && codes(decision).contains("arrival-delay"))
      #expect(abs((decision[.arrivalDelay]?.value ?? 0) - 3) < 0.11)
    }
    // All frames at the same time.
    let burst = try decision { _ in 50 }
    #expect(codes(burst) == ["arrival-rate"])
  }

  @Test("answers before the prompt can have arrived are a recording sent in batches")
  func earlyAnswer() throws {
    let script: [Challenge] = [.turnLeft, .openMouth]
    let pictures = try recording(script)
    func played(received: (Double) -> Double?) throws -> LivenessDecision {
      let session = try Scripted.session(asking: script)
      for (i, picture) in pictures.enumerated() where !session.isComplete {
        try session.add(picture.pixels(), at: Double(i) / 10, received: received(Double(i) / 10))
      }
      return try session.finish()
    }
    #expect(try played { _ in nil }.result == .live)
    #expect(try played { 7 + $0 }.result == .live)
    // Batches of a second and a half, each sent with its last frame. If both prompts are issued at about the last frame
    // of their batch, they could have been seen.
    let decisions = try stride(from: 0, to: 1.5, by: 0.3).map { start in
      try played { start + (($0 - start) / 1.5).rounded(.up) * 1.5 }
    }
    let refused = decisions.filter { $0.result != .live }
    #expect(refused.count >= decisions.count - 1 && refused.allSatisfy { codes($0).first == "challenge-compliance" })
    let texts = refused.compactMap { $0[.challengeCompliance]?.text }
    #expect(texts.contains("turn-left was answered faster than a person can react."), "\(texts)")
  }

  @Test("late prompts with correspondingly late answers pass: batches of 0.5 to 1.5 seconds", arguments: [0.5, 1, 1.5])
  func lateAnswer(batch: Double) throws {
    let session = try Scripted.session(asking: [.turnLeft, .openMouth, .smile])
    var person = DrawnPerson()
    var seen: LivenessFeedback?
    var next: LivenessFeedback?
    for i in 0..<400 where !session.isComplete {
      let time = Double(i) / 10
      let received = (time / batch).rounded(.up) * batch
      next = try session.add(person.next(seen, rate: 10).pixels(), at: time, received: received)
      if received == time { seen = next }
    }
    let decision = try session.finish()
    #expect(decision.result == .live, "\(decision.reasons)")
  }

  /// A person who follows the prompts while a screen reports `claimed`, lit by `light`, which the camera sees 0.1 s
  /// later.
  private func lit(
    claiming claimed: ColourSequence, by light: ColourSequence?,
    _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessDecision {
    let session = try Scripted.session(asking: [.turnLeft, .openMouth, .smile, .turnRight], change)
    var person = DrawnPerson()
    var last: LivenessFeedback?
    for i in 0..<400 where !session.isComplete {
      let time = Double(i) / 10
      var picture = person.next(last, rate: 10)
      if let colour = light?.colour(at: time - 0.1) { picture.faceLight = 0.4 + 0.6 * colour / 0.7 }
      last = try session.add(picture.pixels(), at: time, screenColour: claimed.colour(at: time))
    }
    return try session.finish()
  }

  @Test("wrong colours are not live: other colours than drawn, others on the face, none on the face")
  func colours() throws {
    let drawn = try ColourSequence(nonce: Array("sixteen bytes...".utf8))
    let other = try ColourSequence(nonce: Array("another sixteen.".utf8))
    let honest = try lit(claiming: drawn, by: drawn)
    #expect(honest.result == .live && honest[.colourResponse]?.status == .passed, "\(honest.reasons)")

    // A recording with the colours that lit its face.
    let claimed = try lit(claiming: other, by: other)
    #expect(claimed.result == .undecided && codes(claimed) == ["colour-response"])
    #expect(claimed[.colourResponse]?.value == 0 && claimed[.colourResponse]?.text.hasPrefix("A frame reports") == true)
    // The drawn colours are claimed.
    let wrong = try lit(claiming: drawn, by: other)
    #expect(wrong.result == .undecided && codes(wrong) == ["colour-response"])
    #expect(wrong[.colourResponse]?.text.hasPrefix("The face reflected other colours") == true)

    // In a bright room no face shows the colours: the configuration must require them.
    #expect(try lit(claiming: drawn, by: nil).result == .live)
    let standard = LivenessPolicy.standard
    let asking = try LivenessPolicy(
      name: "light", required: standard.required.union([.colourResponse]), fatal: standard.fatal)
    let none = try lit(claiming: drawn, by: nil) { $0.policy = asking }
    #expect(none.result == .undecided && codes(none) == ["colour-response"])
    #expect(none[.colourResponse]?.text.hasPrefix("The screen's light has no measurable effect") == true)
  }

  @Test("a session of a second or two is too short for the rate check, but not for the delay check")
  func short() throws {
    let decision = try decision(seconds: 2) { 1.4 * $0 }
    #expect(decision[.arrivalRate]?.status == .notChecked && decision[.arrivalDelay]?.status == .passed)
    #expect(decision.result == .undecided)
  }

  @Test(
    "an invalid arrival time is a usage error and does not affect the decision",
    arguments: [Double.nan, Double.infinity, -Double.infinity, 1e12, -1e300, 9.9, nil])
  func badArrival(received: Double?) throws {
    let session = try Scripted.session()
    let frame = try ScriptedPicture.one.pixels()
    try session.add(frame, at: 0, received: 10)
    let error = #expect(throws: VerifyError(.badArgument, "")) { try session.add(frame, at: 1, received: received) }
    let word = received == nil ? "or none" : received == 9.9 ? "must not go back" : "must be a number of seconds"
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    try session.add(frame, at: 1, received: 10)
    let decision = try session.finish()
    #expect(decision.chain.count == 2 && decision.refusedFrames == 0 && decision.span == 0...1)
  }

  @Test("arrival times are all given or all omitted")
  func arrivalFromTheMiddle() throws {
    let session = try Scripted.session()
    let frame = try ScriptedPicture.one.pixels()
    try session.add(frame, at: 0)
    #expect(code { try session.add(frame, at: 1, received: 1) } == .badArgument)
    #expect(try session.add(frame, at: 1).state == .capturing)
  }

  // Rows: V4.14-a
  @Test("repeated, reversed or omitted frames are not from a camera")
  func sequences() throws {
    func played(_ order: [Int], _ time: (Int) -> Double = { Double($0) / 30 }) throws -> LivenessDecision {
      let session = try Scripted.session()
      for (i, number) in order.enumerated() {
        // A swaying head that never returns to a previous position.
        let t = Double(number) / 30
        let picture = ScriptedPicture(person: 1, frame: number) {
          $0.x += 30 * sin(1.7 * t) + 8 * t
          $0.y += 20 * sin(2.9 * t) - 4 * t
        }
        _ = try? session.add(picture.pixels(), at: time(i))
      }
      return try session.finish()
    }
    func faults(_ decision: LivenessDecision) -> [String] { codes(decision).filter { $0.hasPrefix("frame-") } }
    #expect(faults(try played(Array(0..<90))).isEmpty)
    let loop = try played(Array(0..<45) + Array(0..<45))
    #expect(loop.result == .undecided && faults(loop).contains("frame-repetition"))
    let exchanged = try played((0..<90).map { $0 % 10 == 4 ? $0 + 1 : $0 % 10 == 5 ? $0 - 1 : $0 })
    #expect(exchanged.result == .undecided && faults(exchanged) == ["frame-order"])
    // Repeated with their old times; and with a part of the stream missing.
    let again = try played(Array(0..<90)) { Double($0 % 2 == 0 ? $0 : $0 - 3) / 30 }
    #expect(again.result == .presentationAttack && faults(again).contains("frame-clock"))
    let gap = try played(Array(0..<90)) { Double($0) / 30 + ($0 > 45 ? 3 : 0) }
    #expect(gap.result == .presentationAttack && faults(gap).contains("frame-clock"))
  }

  @Test("a stream of a still picture repeats itself and answers nothing")
  func stillPicture() throws {
    let session = try Scripted.session(asking: [.turnLeft, .blink]) { $0.challengeTimeout = 3 }
    try session.play(seconds: 10) { _, _ in ScriptedPicture(person: 1, frame: 1) }
    let decision = try session.finish()
    #expect(decision.result == .undecided && codes(decision).contains("frame-repetition"))
    #expect(codes(decision).contains("challenge-compliance"))
  }
}
