public import CFaceVerify
internal import FaceVerify
internal import Synchronization

final class LivenessSessionObject: ReportingObject, @unchecked Sendable {
  // Sendable: as its superclass.
  override class var name: String { "liveness session" }
  let session: LivenessSession
  /// Of the session, for threads that do not have it.
  let isComplete = Atomic(false)

  init(_ session: LivenessSession) { self.session = session }
}

private func use(_ session: OpaquePointer?, _ body: (LivenessSession) throws -> Void) -> fv_status {
  use(session, LivenessSessionObject.self) { object in
    defer { object.isComplete.store(object.session.isComplete, ordering: .relaxed) }
    try body(object.session)
  }
}

@c @implementation
public func fv_liveness_session_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ request: OpaquePointer?, _ now: Double,
  _ options: UnsafePointer<fv_liveness_options>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
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
public func fv_liveness_session_message(_ session: OpaquePointer?) -> UnsafePointer<CChar>? {
  LivenessSessionObject.message(of: session)
}

@c @implementation
public func fv_liveness_session_add(
  _ out: UnsafeMutablePointer<fv_liveness_state>?, _ session: OpaquePointer?,
  _ frame: UnsafePointer<fv_liveness_frame>?
) -> fv_status {
  use(session) { session in
    guard frame != nil else { throw VerifyError(.badArgument, "the frame is NULL") }
    let frame = try Structs.read(frame, defaults: fv_liveness_frame())
    try Structs.write(out) {
      fv_liveness_state(
        try session.add(try frame.pixelBuffer(), at: frame.time, screenColour: try frame.screenColour()))
    }
  }
}

@c @implementation
public func fv_liveness_session_is_complete(_ session: OpaquePointer?) -> CInt {
  Handles.find(session, LivenessSessionObject.self)?.isComplete.load(ordering: .relaxed) == true ? 1 : 0
}

@c @implementation
public func fv_liveness_session_finish(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ session: OpaquePointer?
) -> fv_status {
  out?.pointee = nil
  return use(session) { session in try put(into: out) { LivenessDecisionObject(try session.finish()) } }
}

/// A field that is 1 or 0.
private func flag(_ value: Int64, _ name: String) throws -> Bool {
  guard value == 0 || value == 1 else { throw VerifyError(.badArgument, "\(name) is 1 or 0, not \(value)") }
  return value == 1
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
  fileprivate func pixelBuffer() throws -> PixelBuffer {
    switch (image, pixels) {
    case (let image?, nil): try Handles.object(image, ImageObject.self).photo.pixels()
    case (nil, let view?): try Photo(view, limits: .init()).pixels()
    default: throw VerifyError(.badArgument, "a frame must have exactly one of image and pixels")
    }
  }

  fileprivate func screenColour() throws -> SIMD3<Double>? {
    guard try flag(has_screen_colour, "has_screen_colour") else { return nil }
    let colours = [screen_red, screen_green, screen_blue]
    guard colours.allSatisfy({ (0...1).contains($0) }) else {
      throw VerifyError(.badArgument, "the screen's colours are 0 to 1, not \(colours)")
    }
    return SIMD3(colours)
  }
}

extension fv_liveness_state {
  fileprivate init(_ state: LivenessFeedback) {
    self.init()
    time = state.time
    step = stepNumbers.number(of: state.state)
    hint = hintNumbers.number(of: state.hint)
    seconds_left = state.secondsLeft ?? .nan
    challenge = challengeNumbers.number(of: state.challenge)
    phase = phaseNumbers.number(of: state.phase)
    progress = state.progress
    answer_count = Int64(state.answers.count)
    has_face = state.face == nil ? 0 : 1
    let motion = state.motion
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
