public import CFaceVerify
internal import FaceVerifyJourney
internal import Synchronization

final class LivenessSessionObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  private let session: LivenessSession
  /// The session's `isComplete`, for other threads.
  let isComplete = Atomic(false)

  init(_ session: LivenessSession) { self.session = session }

  /// Runs `body` with exclusive use of a session.
  static func use<Result>(_ handle: Handle, _ body: (LivenessSession) throws -> Result) throws -> Result {
    let object = try of(handle)
    return try object.use {
      defer { object.isComplete.store(object.session.isComplete, ordering: .relaxed) }
      return try body(object.session)
    }
  }
}

@c @implementation public func fv_liveness_policy_at(_ index: Int) -> Text {
  (try? LivenessPolicy.all.element(index)).flatMap { constant($0.name) }
}

@c @implementation public func fv_challenge_text(_ challenge: fv_challenge) -> Text {
  constant(Challenge(number: challenge)?.text ?? "")
}

@c @implementation
public func fv_liveness_hint_text(_ hint: fv_liveness_hint) -> Text { constant(LivenessHint(number: hint)?.text ?? "") }

@c @implementation public func fv_liveness_session_create(
  _ out: NewHandle, _ engine: Handle, _ request: Handle, _ now: Double, _ options: In<fv_liveness_options>,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let asked = request == nil ? nil : try LivenessRequestObject.of(request)
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

@c @implementation public func fv_liveness_session_add(
  _ out: Out<fv_liveness_feedback>, _ session: Handle, _ frame: In<fv_liveness_frame>, _ budget: In<fv_budget>,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    try LivenessSessionObject.use(session) { session in
      let frame = try Structs.require(frame, fv_liveness_frame(), "frame")
      let budget = try Budget(budget)
      try Structs.write(out) {
        let frame = try JourneyFrame(frame)
        return fv_liveness_feedback(
          try session.add(
            frame.picture, at: frame.time, received: frame.received, screenColour: frame.screenColour, budget: budget))
      }
    }
  }
}

@c @implementation public func fv_liveness_session_is_complete(_ session: Handle) -> fv_bool {
  fv_bool(LivenessSessionObject.find(session)?.isComplete.load(ordering: .relaxed) ?? false)
}

@c @implementation public func fv_liveness_session_finish(
  _ out: NewHandle, _ session: Handle, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    LivenessDecisionObject(try LivenessSessionObject.use(session) { try $0.finish() })
  }
}

extension LivenessSession.Configuration {
  fileprivate init(_ pointer: In<fv_liveness_options>) throws {
    self.init()
    let options = try Structs.read(pointer, defaults: fv_liveness_options())
    if let name = try optionalString(options.policy, "policy's name") {
      guard let named = LivenessPolicy.all.first(where: { $0.name == name }) else {
        throw VerifyError(.badArgument, "there is no liveness policy \"\(name)\"")
      }
      policy = named
    }
    if options.portrait != nil { portrait = try TemplateObject.value(of: options.portrait) }
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

extension JourneyFrame {
  init(_ frame: fv_liveness_frame) throws {
    let picture =
      switch (frame.image, frame.pixels) {
      case (let image?, nil): try ImageObject.value(of: image).pixels()
      case (nil, let view?): try Photo(view, limits: .init()).pixels()
      default: throw VerifyError(.badArgument, "a frame must have exactly one of image and pixels")
      }
    let colours = [frame.screen_red, frame.screen_green, frame.screen_blue]
    let hasColour = try flag(frame.has_screen_colour, "has_screen_colour")
    guard !hasColour || colours.allSatisfy({ (0...1).contains($0) }) else {
      throw VerifyError(.badArgument, "the screen's colours are 0 to 1, not \(colours)")
    }
    self.init(
      picture, time: frame.time, received: try flag(frame.has_received, "has_received") ? frame.received : nil,
      screenColour: hasColour ? SIMD3(colours) : nil)
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
    let target = feedback.target
    target_x = target?.x ?? .nan
    target_scale = target?.scale ?? .nan
    target_yaw = target?.yaw ?? .nan
    target_pitch = target?.pitch ?? .nan
    progress = feedback.progress
    answer_count = Int64(feedback.answers.count)
    has_face = fv_bool(feedback.face != nil)
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

// MARK: Decision

final class LivenessDecisionObject: Box<LivenessDecision>, @unchecked Sendable {
  override var json: String { value.json }
  var reasons: [FaceDecision.Reason] { value.reasons }
  var checks: [LivenessCheck] { value.checks }
  var answers: [ScriptProgress.Answer] { value.answers }
  var qualities: [QualityCheck] { value.selfie?.quality.checks ?? [] }
  var selfie: ImageObject? { value.selfie.map { ImageObject(Photo(pixels: $0.picture)) } }
  var template: TemplateObject? { value.template.map(TemplateObject.init) }
}

@c @implementation public func fv_liveness_decision_result(_ decision: Handle) -> fv_liveness_result {
  LivenessDecisionObject.find(decision)?.value.result.number ?? 0
}

@c @implementation public func fv_liveness_decision_retry_reason(_ decision: Handle) -> fv_retry_reason {
  LivenessDecisionObject.find(decision)?.value.retry?.number ?? 0
}

@c @implementation public func fv_liveness_signal_at(_ index: Int) -> Text { name(LivenessSignal.allCases, index) }

extension fv_liveness_check {
  init(_ check: LivenessCheck, of owner: HandleObject) {
    self.init()
    signal = owner.text(check.name.rawValue)
    unit = owner.text(check.unit)
    text = owner.text(check.text)
    source = owner.text(check.source)
    status = check.status.number
    value = check.value ?? .nan
    minimum = check.minimum ?? .nan
    maximum = check.maximum ?? .nan
  }
}

extension fv_challenge_answer {
  init(_ answer: ScriptProgress.Answer, of _: HandleObject) {
    self.init()
    challenge = answer.challenge.number
    outcome = answer.outcome.number
    asked = answer.asked ?? .nan
    ended = answer.ended
    failed_tries = Int64(answer.failedTries)
    movement = answer.movement?.number ?? 0
    path_score = answer.match?.score ?? .nan
    path_delay = answer.match?.delay ?? .nan
  }
}

extension fv_liveness_evidence {
  init(_ object: LivenessDecisionObject) {
    self.init()
    let decision = object.value
    policy = object.text(decision.policy.name)
    nonce = object.text(hexadecimal(decision.nonce))
    chain_sha256 = object.text(hexadecimal(decision.chain.head))
    frame_count = Int64(decision.chain.count)
    refused_frame_count = Int64(decision.refusedFrames)
    first_time = decision.span?.lowerBound ?? .nan
    last_time = decision.span?.upperBound ?? .nan
    averaged_frame_count = Int64(decision.averagedFrames)
    selfie_time = decision.selfie?.time ?? .nan
    selfie_quality = decision.selfie?.quality.score.map(Double.init) ?? .nan
  }
}
