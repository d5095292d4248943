public import CFaceVerify
internal import FaceVerify

final class LivenessRequestObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "liveness request" }
  /// What a session asks for, and how long that may be answered where a server asks.
  let script: ChallengeScript
  let nonce: [UInt8]
  let request: LivenessRequest?

  /// None without a nonce to draw them from.
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

/// What a script is drawn from.
struct Draw {
  var count = 3
  var challenges = ChallengeScript.standardChallenges

  init(_ pointer: UnsafePointer<fv_liveness_draw>?) throws {
    let draw = try Structs.read(pointer, defaults: fv_liveness_draw())
    if draw.count != 0 { count = Int(draw.count) }
    guard draw.challenges != 0 else { return }
    let known = challengeNumbers.all.filter { draw.challenges & 1 << $0.number != 0 }
    guard known.reduce(0, { $0 | 1 << $1.number }) == draw.challenges else {
      throw VerifyError(.badArgument, "\(draw.challenges) has bits of challenges that are not known")
    }
    challenges = known.map(\.value)
  }
}

/// Seconds since 1970.
func date(_ time: Double) throws -> Double {
  guard time.isFinite else { throw VerifyError(.badArgument, "\(time) is no time in seconds since 1970") }
  return time
}

/// A nonce of the program, or none.
private func nonce(_ start: UnsafeRawPointer?, _ count: Int) throws -> [UInt8] {
  guard start != nil || count != 0 else { return [] }
  // One byte more than a nonce may have is enough to see that it is none.
  return Array(try bytes(start, count, "nonce").prefix(ChallengeScript.maximumNonceBytes + 1))
}

@c @implementation
public func fv_liveness_request_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ count: Int,
  _ draw: UnsafePointer<fv_liveness_draw>?, _ expires: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    let draw = try Draw(draw)
    return LivenessRequestObject(
      try LivenessRequest(
        nonce: try nonce(start, count), count: draw.count, from: draw.challenges,
        expires: expires == .infinity ? expires : try date(expires)))
  }
}

@c @implementation
public func fv_liveness_request_from_script(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ challenges: UnsafePointer<Int64>?, _ holds: UnsafePointer<Double>?,
  _ pauses: UnsafePointer<Double>?, _ count: Int, _ start: UnsafeRawPointer?, _ nonceCount: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    guard let challenges else { throw VerifyError(.badArgument, "challenges is NULL") }
    // Before so many are read.
    guard (0...Challenge.allCases.count).contains(count) else {
      throw VerifyError(.badArgument, "a script has 1 to \(Challenge.allCases.count) challenges")
    }
    let steps = try (0..<count).map { i in
      guard let challenge = challengeNumbers.value(of: challenges[i]) else {
        throw VerifyError(.badArgument, "\(challenges[i]) is no challenge")
      }
      return try ChallengeScript.Prompt(challenge, hold: holds?[i] ?? 0.5, pause: pauses?[i] ?? 0.3)
    }
    let nonce = try nonce(start, nonceCount)
    guard nonce.count <= ChallengeScript.maximumNonceBytes else {
      throw VerifyError(.badArgument, "a nonce has at most \(ChallengeScript.maximumNonceBytes) bytes")
    }
    return LivenessRequestObject(try ChallengeScript(prompts: steps), nonce: nonce)
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
public func fv_liveness_request_task_count(_ request: OpaquePointer?) -> Int {
  Handles.find(request, LivenessRequestObject.self)?.script.prompts.count ?? 0
}

@c @implementation
public func fv_liveness_request_task(
  _ out: UnsafeMutablePointer<fv_liveness_task>?, _ request: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let step = try Handles.object(request, LivenessRequestObject.self).script.prompts.element(index)
    try Structs.write(out) {
      var value = fv_liveness_task()
      value.challenge = challengeNumbers.number(of: step.challenge)
      value.hold = step.hold
      value.pause = step.pause
      return value
    }
  }
}

@c @implementation
public func fv_liveness_request_colour_count(_ request: OpaquePointer?) -> Int {
  Handles.find(request, LivenessRequestObject.self)?.colours.count ?? 0
}

@c @implementation
public func fv_liveness_request_colour(
  _ out: UnsafeMutablePointer<fv_liveness_colour>?, _ request: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let step = try Handles.object(request, LivenessRequestObject.self).colours.element(index)
    try Structs.write(out) {
      var value = fv_liveness_colour()
      (value.red, value.green, value.blue) = (step.colour.x, step.colour.y, step.colour.z)
      value.begin = step.begin
      value.seconds = step.seconds
      return value
    }
  }
}
