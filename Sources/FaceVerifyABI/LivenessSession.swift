public import CFaceVerify
internal import FaceVerify
internal import Synchronization

final class LivenessSessionObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  override class var name: String { "liveness session" }
  let session: LivenessSession
  /// The session's `isComplete`, for other threads.
  let isComplete = Atomic(false)

  init(_ session: LivenessSession) { self.session = session }
}

/// Runs `body` with exclusive use of a session.
private func use<Result>(_ session: OpaquePointer?, _ body: (LivenessSession) throws -> Result) throws -> Result {
  let object = try Handles.object(session, LivenessSessionObject.self)
  return try object.use {
    defer { object.isComplete.store(object.session.isComplete, ordering: .relaxed) }
    return try body(object.session)
  }
}

@c @implementation
public func fv_liveness_policy_at(_ index: Int) -> UnsafePointer<CChar>? {
  (try? LivenessPolicy.all.element(index)).map { HandleObject.constants.text($0.name) }
}

@c @implementation
public func fv_liveness_hint_text(_ hint: fv_liveness_hint) -> UnsafePointer<CChar>? {
  HandleObject.constants.text(LivenessHint(number: hint)?.text ?? "")
}

@c @implementation
public func fv_liveness_session_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ request: OpaquePointer?, _ now: Double,
  _ options: UnsafePointer<fv_liveness_options>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let asked = request == nil ? nil : try Handles.object(request, LivenessRequestObject.self)
    let configuration = try LivenessSession.Configuration(options)
    let session =
      if let request = asked?.request {
        try LivenessSession(engine: engine, request: request, now: try date(now), configuration: configuration)
      } else {
        try LivenessSession(
          engine: engine, script: asked?.script, nonce: asked?.nonce ?? [], configuration: configuration)
      }
    return LivenessSessionObject(session)
  }
}

@c @implementation
public func fv_liveness_session_free(_ session: OpaquePointer?) { Handles.free(session, LivenessSessionObject.self) }

@c @implementation
public func fv_liveness_session_add(
  _ out: UnsafeMutablePointer<fv_liveness_feedback>?, _ session: OpaquePointer?,
  _ frame: UnsafePointer<fv_liveness_frame>?, _ budget: UnsafePointer<fv_budget>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    try use(session) { session in
      let frame = try Structs.require(frame, fv_liveness_frame(), "frame")
      let budget = try Budget(budget)
      try Structs.write(out) {
        let (picture, colour) = (try frame.pixelBuffer(), try frame.screenColour())
        let received = try flag(frame.has_received, "has_received") ? frame.received : nil
        return fv_liveness_feedback(
          try session.add(picture, at: frame.time, received: received, screenColour: colour, budget: budget))
      }
    }
  }
}

@c @implementation
public func fv_liveness_session_is_complete(_ session: OpaquePointer?) -> fv_bool {
  Handles.find(session, LivenessSessionObject.self)?.isComplete.load(ordering: .relaxed) == true ? 1 : 0
}

@c @implementation
public func fv_liveness_session_finish(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ session: OpaquePointer?, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { LivenessDecisionObject(try use(session) { try $0.finish() }) }
}

extension LivenessSession.Configuration {
  fileprivate init(_ pointer: UnsafePointer<fv_liveness_options>?) throws {
    self.init()
    let options = try Structs.read(pointer, defaults: fv_liveness_options())
    if let name = try options.policy.map({ try string($0, "policy's name") }) {
      guard let named = LivenessPolicy.all.first(where: { $0.name == name }) else {
        throw VerifyError(.badArgument, "there is no liveness policy \"\(name)\"")
      }
      policy = named
    }
    if options.portrait != nil { portrait = try Handles.object(options.portrait, TemplateObject.self).template }
    switch (options.camera_driver, options.camera_name) {
    case (let driver?, let name?):
      camera = CameraFacts(driver: try string(driver, "camera's driver"), name: try string(name, "camera's name"))
    case (nil, nil): break
    default: throw VerifyError(.badArgument, "camera_driver and camera_name are both known, or both NULL")
    }
    if options.challenge_timeout != 0 { challengeTimeout = options.challenge_timeout }
    if options.timeout != 0 { timeout = options.timeout }
    rotation = Int(options.rotation)
    isMirrored = try flag(options.is_mirrored, "is_mirrored")
  }
}

extension fv_liveness_frame {
  func pixelBuffer() throws -> PixelBuffer {
    switch (image, pixels) {
    case (let image?, nil): try Handles.object(image, ImageObject.self).photo.pixels()
    case (nil, let view?): try Photo(view, limits: .init()).pixels()
    default: throw VerifyError(.badArgument, "a frame must have exactly one of image and pixels")
    }
  }

  func screenColour() throws -> SIMD3<Double>? {
    guard try flag(has_screen_colour, "has_screen_colour") else { return nil }
    let colours = [screen_red, screen_green, screen_blue]
    guard colours.allSatisfy({ (0...1).contains($0) }) else {
      throw VerifyError(.badArgument, "the screen's colours are 0 to 1, not \(colours)")
    }
    return SIMD3(colours)
  }
}

extension fv_liveness_feedback {
  init(_ feedback: LivenessFeedback) {
    self.init()
    time = feedback.time
    state = feedback.state.number
    hint = feedback.hint?.number ?? 0
    seconds_left = feedback.secondsLeft ?? .nan
    challenge = feedback.challenge?.number ?? 0
    phase = feedback.phase?.number ?? 0
    progress = feedback.progress
    answer_count = Int64(feedback.answers.count)
    has_face = feedback.face == nil ? 0 : 1
    let motion = feedback.motion
    yaw = motion?.pose.yaw ?? .nan
    pitch = motion?.pose.pitch ?? .nan
    roll = motion?.pose.roll ?? .nan
    left_eye_openness = motion?.leftOpenness ?? .nan
    right_eye_openness = motion?.rightOpenness ?? .nan
    mouth_opening = motion?.mouthOpening ?? .nan
    mouth_width = motion?.mouthWidth ?? .nan
    mouth_lift = motion?.mouthLift ?? .nan
    face_size = motion?.size ?? .nan
    face_x = motion?.centre.x ?? .nan
    face_y = motion?.centre.y ?? .nan
  }
}
