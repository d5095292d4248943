public import CFaceVerify
internal import FaceVerify

final class LivenessRequestObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "liveness request" }
  /// The script of a session, and the expiry if a server requested it.
  let script: ChallengeScript
  let nonce: [UInt8]
  let request: LivenessRequest?

  /// Empty without a nonce to derive them from.
  var colours: [ColourSequence.Interval] { (try? ColourSequence(nonce: nonce))?.intervals ?? [] }

  init(_ request: LivenessRequest) {
    script = request.script
    nonce = request.nonce
    self.request = request
  }

  init(_ script: ChallengeScript, nonce: [UInt8]) {
    self.script = script
    self.nonce = nonce
    request = nil
  }
}

/// Parameters for deriving a script.
struct Draw {
  var count = 3
  var challenges = ChallengeScript.standardChallenges

  init(_ pointer: UnsafePointer<fv_challenge_draw>?) throws {
    let draw = try Structs.read(pointer, defaults: fv_challenge_draw())
    if draw.challenge_count != 0 { count = Int(draw.challenge_count) }
    if draw.challenges != 0 { challenges = try members(draw.challenges, "challenges") }
  }
}

/// Validates a time in seconds since 1970.
func date(_ time: Double) throws -> Double {
  guard time.isFinite else { throw VerifyError(.badArgument, "\(time) is no time in seconds since 1970") }
  return time
}

/// A nonce passed by the program; may be empty.
private func nonce(_ start: UnsafeRawPointer?, _ count: Int) throws -> [UInt8] {
  guard start != nil || count != 0 else { return [] }
  // One byte above the maximum is enough to detect an invalid nonce.
  return Array(try bytes(start, count, "nonce").prefix(ChallengeScript.maximumNonceBytes + 1))
}

@c @implementation
public func fv_liveness_request_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ nonceBytes: Int,
  _ draw: UnsafePointer<fv_challenge_draw>?, _ expires: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let draw = try Draw(draw)
    return LivenessRequestObject(
      try LivenessRequest(
        nonce: try nonce(start, nonceBytes), count: draw.count, from: draw.challenges,
        expires: expires == .infinity ? expires : try date(expires)))
  }
}

@c @implementation
public func fv_liveness_request_from_script(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ prompts: UnsafePointer<fv_challenge_prompt>?, _ promptCount: Int,
  _ start: UnsafeRawPointer?, _ nonceBytes: Int, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let prompts else { throw VerifyError(.badArgument, "prompts is NULL") }
    // Checked before the prompts are read.
    guard (1...Challenge.allCases.count).contains(promptCount) else {
      throw VerifyError(.badArgument, "a script has 1 to \(Challenge.allCases.count) challenges")
    }
    let script = try Structs.read(prompts, count: promptCount, defaults: fv_challenge_prompt()).map { prompt in
      guard let challenge = Challenge(number: prompt.challenge) else {
        throw VerifyError(.badArgument, "\(prompt.challenge) is no challenge")
      }
      return try ChallengeScript.Prompt(challenge, hold: prompt.hold, pause: prompt.pause)
    }
    let nonce = try nonce(start, nonceBytes)
    guard nonce.count <= ChallengeScript.maximumNonceBytes else {
      throw VerifyError(.badArgument, "a nonce has at most \(ChallengeScript.maximumNonceBytes) bytes")
    }
    return LivenessRequestObject(try ChallengeScript(prompts: script), nonce: nonce)
  }
}

@c @implementation
public func fv_liveness_request_free(_ request: OpaquePointer?) { Handles.free(request, LivenessRequestObject.self) }

@c @implementation
public func fv_liveness_request_describe(
  _ out: UnsafeMutablePointer<fv_liveness_request_info>?, _ request: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try Handles.object(request, LivenessRequestObject.self)
    try Structs.write(out) {
      var value = fv_liveness_request_info()
      value.nonce = object.text(hexadecimal(object.nonce))
      value.expires = object.request?.expires ?? .infinity
      return value
    }
  }
}

@c @implementation
public func fv_liveness_request_prompt_count(_ request: OpaquePointer?) -> Int {
  Handles.find(request, LivenessRequestObject.self)?.script.prompts.count ?? 0
}

@c @implementation
public func fv_liveness_request_prompt_at(
  _ out: UnsafeMutablePointer<fv_challenge_prompt>?, _ request: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let prompt = try Handles.object(request, LivenessRequestObject.self).script.prompts.element(index)
    try Structs.write(out) {
      var value = fv_challenge_prompt()
      value.challenge = prompt.challenge.number
      value.hold = prompt.hold
      value.pause = prompt.pause
      return value
    }
  }
}

@c @implementation
public func fv_liveness_request_colour_count(_ request: OpaquePointer?) -> Int {
  Handles.find(request, LivenessRequestObject.self)?.colours.count ?? 0
}

@c @implementation
public func fv_liveness_request_colour_at(
  _ out: UnsafeMutablePointer<fv_screen_colour>?, _ request: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let step = try Handles.object(request, LivenessRequestObject.self).colours.element(index)
    try Structs.write(out) {
      var value = fv_screen_colour()
      (value.red, value.green, value.blue) = (step.colour.x, step.colour.y, step.colour.z)
      value.begin = step.begin
      value.seconds = step.seconds
      return value
    }
  }
}
