public import CFaceVerify
internal import FaceVerify

final class LivenessRequestObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  /// The script of a session, and the expiry if a server requested it.
  let script: ChallengeScript
  let nonce: [UInt8]
  let request: LivenessRequest?

  init(_ request: LivenessRequest) { (script, nonce, self.request) = (request.script, request.nonce, request) }

  init(_ script: ChallengeScript, nonce: [UInt8]) { (self.script, self.nonce, request) = (script, nonce, nil) }

  var prompts: [ChallengeScript.Prompt] { script.prompts }
  /// Empty without a nonce to derive them from.
  var colours: [ColourSequence.Interval] { (try? ColourSequence(nonce: nonce))?.intervals ?? [] }
}

private func script(_ pointer: In<fv_challenge_draw>) throws -> (count: Int, challenges: [Challenge]) {
  let draw = try Structs.read(pointer, defaults: fv_challenge_draw())
  return (
    draw.challenge_count == 0 ? 3 : Int(draw.challenge_count),
    draw.challenges == 0 ? ChallengeScript.standardChallenges : try members(draw.challenges, "challenges")
  )
}

/// A nonce passed by the program; may be empty.
func nonce(_ start: Bytes, _ count: Int) throws -> [UInt8] {
  guard start != nil || count != 0 else { return [] }
  // One byte above the maximum is enough to detect an invalid nonce.
  return Array(try bytes(start, count, "nonce").prefix(ChallengeScript.maximumNonceBytes + 1))
}

@c @implementation public func fv_liveness_request_create(
  _ out: NewHandle, _ start: Bytes, _ nonceBytes: Int, _ draw: In<fv_challenge_draw>, _ expires: Double,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let draw = try script(draw)
    return LivenessRequestObject(
      try LivenessRequest(
        nonce: try nonce(start, nonceBytes), count: draw.count, from: draw.challenges,
        expires: expires == .infinity ? expires : try date(expires)))
  }
}

@c @implementation public func fv_liveness_request_from_script(
  _ out: NewHandle, _ prompts: In<fv_challenge_prompt>, _ promptCount: Int, _ start: Bytes, _ nonceBytes: Int,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let prompts else { throw VerifyError(.badArgument, "prompts is NULL") }
    // Checked before the prompts are read.
    guard (1...Challenge.allCases.count).contains(promptCount) else {
      throw VerifyError(.badArgument, "a script has 1 to \(Challenge.allCases.count) challenges")
    }
    let nonce = try nonce(start, nonceBytes)
    let script = try Structs.read(prompts, count: promptCount, defaults: fv_challenge_prompt()).map { prompt in
      let challenge: Challenge = try value(prompt.challenge, "challenge")
      return try ChallengeScript.Prompt(
        challenge, hold: prompt.hold, pause: prompt.pause, path: challenge == .follow ? FollowPath(nonce: nonce) : nil)
    }
    guard nonce.count <= ChallengeScript.maximumNonceBytes else {
      throw VerifyError(.badArgument, "a nonce has at most \(ChallengeScript.maximumNonceBytes) bytes")
    }
    return LivenessRequestObject(try ChallengeScript(prompts: script), nonce: nonce)
  }
}

extension fv_liveness_request_info {
  init(_ object: LivenessRequestObject) {
    self.init()
    nonce = object.text(hexadecimal(object.nonce))
    expires = object.request?.expires ?? .infinity
  }
}

extension fv_challenge_prompt {
  init(_ prompt: ChallengeScript.Prompt, of _: HandleObject) {
    self.init()
    challenge = prompt.challenge.number
    hold = prompt.hold
    pause = prompt.pause
  }
}

extension fv_screen_colour {
  init(_ interval: ColourSequence.Interval, of _: HandleObject) {
    self.init()
    (red, green, blue) = (interval.colour.x, interval.colour.y, interval.colour.z)
    begin = interval.begin
    seconds = interval.seconds
  }
}

// MARK: Request store

final class LivenessRequestStoreObject: Box<LivenessRequestStore>, @unchecked Sendable {}

@c @implementation
public func fv_liveness_request_store_create(_ out: NewHandle, _ message: Message, _ messageBytes: Int) -> fv_status {
  create(out, message, messageBytes) { LivenessRequestStoreObject(LivenessRequestStore()) }
}

@c @implementation public func fv_liveness_request_store_issue(
  _ out: NewHandle, _ store: Handle, _ draw: In<fv_challenge_draw>, _ lifetime: Double, _ now: Double,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let store = try LivenessRequestStoreObject.value(of: store)
    let draw = try script(draw)
    return LivenessRequestObject(
      try store.issue(
        count: draw.count, from: draw.challenges, lifetime: lifetime == 0 ? 300 : lifetime, now: try date(now)))
  }
}

@c @implementation public func fv_liveness_request_store_accept(
  _ store: Handle, _ decision: Handle, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    try LivenessRequestStoreObject.value(of: store)
      .accept(try LivenessDecisionObject.value(of: decision), now: try date(now))
  }
}
