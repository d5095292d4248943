/// A liveness session for one person before one camera: takes frames, returns a decision with its evidence.
///
///     let session = try LivenessSession(engine: engine, request: request)
///     while let frame = try camera.next(), !session.isComplete {
///       let feedback = try session.add(frame.pixels, at: frame.time)
///       show(feedback.challenge, feedback.hint)
///     }
///     let decision = try session.finish()
///
/// It has no clock: time is that of the frames. Memory use is constant. Not thread-safe; create one session per person
/// and try.
public final class LivenessSession {
  /// The orientation of frames, timeouts, and expectations.
  public struct Configuration: Sendable {
    public var policy: LivenessPolicy = .standard
    /// Frames are mirrored.
    public var isMirrored = false
    /// Clockwise rotation in degrees that makes frames upright: 0, 90, 180 or 270. If the first face is upside down or on
    /// its side nevertheless, all frames are rotated further: ``LivenessDecision/rotation``.
    public var rotation = 0
    /// Seconds for each challenge, in ``ChallengeProgress/timeouts``.
    public var challengeTimeout = 8.0
    /// Seconds for the whole session, in ``LivenessSession/timeouts``.
    public var timeout = 60.0
    /// The expected person; nil for anyone.
    public var portrait: FaceTemplate?
    /// The camera, if known.
    public var camera: CameraFacts?

    public init() {}
  }

  /// Allowed timeouts in seconds; a timeout cannot be disabled.
  public static let timeouts = 5.0...900.0
  /// Limits of a frame's longer and shorter side in pixels: in smaller frames no face would be found; larger ones have
  /// no use.
  public static let longestSide = 4096
  public static let shortestSide = 64
  /// Maximum time in seconds on the caller's clock: the year 5138 if since 1970; rejects present times in milliseconds.
  static let latestReceived = 1e11

  public let configuration: Configuration
  /// Empty without a request.
  public var nonce: [UInt8] { evidence.nonce }
  /// The challenges and their progress; nil without a script.
  public var script: ScriptProgress? { analysis.script }
  public private(set) var state = LivenessSessionState.started
  /// The number of frames refused for their time stamps or size.
  public var refusedFrames: Int { evidence.refusedFrames }

  package var frameCount: Int { evidence.chain.count }
  package var lastFrameDigest: [UInt8] { evidence.chain.lastDigest }

  private let engine: FaceEngine
  private var analysis: LivenessAnalysis
  private var evidence: LivenessEvidence
  private var guidance = Guidance()
  private var selfies = Selfies()
  private var quality: QualityReport?
  private var openEyes: Double?
  /// The arrival time of the last frame; nil before the first.
  private var lastReceived: Double?
  private var decision: LivenessDecision?

  /// Creates a session without challenges: for recordings, with ``LivenessPolicy/passiveOnly``.
  public convenience init(engine: FaceEngine, configuration: Configuration = .init()) throws {
    try self.init(engine: engine, script: nil, nonce: [], configuration: configuration)
  }

  /// Creates a session for a server's request, with the challenges that its nonce determines.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: ``VerifyError/Code/wrongState`` if the request has expired, ``VerifyError/Code/badArgument``.
  public convenience init(
    engine: FaceEngine, request: LivenessRequest, now: Double, configuration: Configuration = .init()
  ) throws {
    guard now < request.expires else { throw VerifyError(.wrongState, "the request has expired; get a new one") }
    try self.init(engine: engine, script: request.script, nonce: request.nonce, configuration: configuration)
  }

  /// - Parameters:
  ///   - script: the challenges; nil for none.
  ///   - nonce: the nonce that the decision is bound to; at most ``ChallengeScript/maximumNonceBytes``.
  /// - Throws: ``VerifyError/Code/badArgument``, ``VerifyError/Code/incompatibleTemplate`` for a portrait of other
  ///   models.
  public init(
    engine: FaceEngine, script: ChallengeScript?, nonce: [UInt8], configuration: Configuration = .init()
  ) throws {
    guard nonce.count <= ChallengeScript.maximumNonceBytes else {
      throw VerifyError(
        .badArgument, "a nonce must have at most \(ChallengeScript.maximumNonceBytes) bytes, not \(nonce.count)")
    }
    guard Self.timeouts.contains(configuration.timeout) else {
      throw VerifyError(
        .badArgument,
        "a session's timeout must be \(Int(Self.timeouts.lowerBound)) to \(Int(Self.timeouts.upperBound)) seconds, "
          + "not \(configuration.timeout)")
    }
    guard [0, 90, 180, 270].contains(configuration.rotation) else {
      throw VerifyError(
        .badArgument, "frames can be turned by 0, 90, 180 or 270 degrees, not by \(configuration.rotation)")
    }
    if let portrait = configuration.portrait { try engine.check(portrait) }
    (self.engine, self.configuration) = (engine, configuration)
    evidence = LivenessEvidence(nonce: nonce)
    analysis = try LivenessAnalysis(
      LivenessContext(
        calibration: engine.calibration, portrait: configuration.portrait, camera: configuration.camera,
        script: script.map { try ScriptProgress($0, timeout: configuration.challengeTimeout) },
        colours: try? ColourSequence(nonce: nonce, count: ColourSequence.longest),
        isPicture: !configuration.policy.required.contains(.observationTime)))
  }

  /// Whether the session needs no more frames; ``finish()`` decides.
  public var isComplete: Bool { state != .started && state != .capturing }
  /// The current state of all checks.
  public var checks: [LivenessCheck] { analysis.checks }

  /// Adds the next frame.
  ///
  /// - Parameters:
  ///   - time: the capture time in seconds on the stream's own clock, later than the previous frame's.
  ///   - received: the arrival time in seconds on the caller's own clock, not before the previous frame's; for all
  ///     frames of a session or none. Frames of one batch share one.
  ///   - screenColour: the colour of the screen before the person, red, green and blue from 0 to 1, if it lights their
  ///     face. In a session with a nonce, the colours of its ``ColourSequence``, from the first frame.
  ///   - budget: checked before the frame is processed; if it is exhausted, the frame has no effect.
  /// - Throws: ``VerifyError/Code/badArgument`` for a time that is not later, an arrival time that is earlier, or an
  ///   unsupported size; the frame is refused, and the session continues. ``VerifyError/Code/wrongState`` if the
  ///   session ``isComplete``.
  @discardableResult
  public func add(
    _ frame: PixelBuffer, at time: Double, received: Double? = nil, screenColour: SIMD3<Double>? = nil,
    budget: Budget = .unlimited
  ) throws -> LivenessFeedback {
    try engine.logged("liveness-add") { try analyse(frame, time, received, screenColour, budget) }
  }

  private func analyse(
    _ frame: PixelBuffer, _ time: Double, _ received: Double?, _ screenColour: SIMD3<Double>?, _ budget: Budget
  ) throws -> LivenessFeedback {
    // Checked only once: a frame takes some ten milliseconds, and must not be processed in part.
    try budget.check()
    guard !isComplete else { throw VerifyError(.wrongState, "the session is complete: it accepts no more frames") }
    try check(received)
    let last = evidence.span?.upperBound
    guard time.isFinite, time > last ?? -.infinity else {
      evidence.refusedFrames += 1
      analysis.refuse()
      throw VerifyError(
        .badArgument,
        time.isFinite
          ? "a frame at \(time) s came after one at \(last ?? 0) s; frames are taken in the order of their times"
          : "a frame's time is \(time); it must be a number of seconds")
    }
    guard max(frame.width, frame.height) <= Self.longestSide, min(frame.width, frame.height) >= Self.shortestSide else {
      evidence.refusedFrames += 1
      throw VerifyError(
        .badArgument,
        "a frame must have sides of \(Self.shortestSide) to \(Self.longestSide) pixels, not \(frame.width)×\(frame.height)"
      )
    }
    let seen = try engine.use(.uninterrupted) { pipeline in
      try analysis.add(
        frame.upright(rotation: configuration.rotation, isMirrored: configuration.isMirrored), at: time,
        received: received, screenColour: screenColour, by: pipeline)
    }
    // A frame counts once it was analysed.
    state = .capturing
    lastReceived = received
    let begin = evidence.span?.lowerBound ?? time
    evidence.span = begin...time
    evidence.chain.add(frame, at: time)
    evidence.rotation = analysis.rotation ?? 0
    let (script, motion) = (analysis.script, seen.smoothed)
    if let sample = seen.portraitSample {
      quality = sample.quality
      selfies.add(seen)
    }
    if motion.map({ max($0.leftOpenness, $0.rightOpenness) > 0.08 }) ?? true { openEyes = time }
    guidance.update(
      Guidance.hint(for: seen, quality: quality, script: script, closedFor: time - (openEyes ?? begin)), at: time)
    // After fast answers, continue for the rest of the observation time that the policy requires.
    let requiresTime = configuration.policy.required.contains(.observationTime)
    let isAnswered = script?.phase == .passed && (!requiresTime || analysis.isSeenLongEnough)
    if isAnswered || script?.phase == .failed || time - begin >= configuration.timeout { state = .captured }
    return LivenessFeedback(
      time: time, state: state, hint: guidance.shown, secondsLeft: script?.current?.holdLeft(at: time),
      challenge: script?.current?.prompt.challenge, phase: script?.current?.phase,
      target: script?.current?.target(at: time), progress: script?.progress ?? 0, answers: script?.answers ?? [],
      rotation: evidence.rotation, face: seen.face.map(\.face), motion: motion)
  }

  /// The caller's clock is independent of the stream's: an error in it is the caller's, and not held against the
  /// person.
  private func check(_ received: Double?) throws {
    guard evidence.span == nil || (received == nil) == (lastReceived == nil) else {
      throw VerifyError(.badArgument, "either all frames of a session have a time at which they came, or none")
    }
    guard let received else { return }
    guard abs(received) <= Self.latestReceived else {
      throw VerifyError(
        .badArgument,
        "the time at which a frame came is \(received); it must be a number of seconds on the caller's clock")
    }
    if let lastReceived, received < lastReceived {
      throw VerifyError(
        .badArgument,
        "a frame that came at \(received) s follows one that came at \(lastReceived) s; the caller's clock must not go back"
      )
    }
  }

  /// Decides on the frames received so far; accepts no more frames. Returns the same decision at each call.
  ///
  /// - Throws: ``VerifyError`` only if the networks fail.
  public func finish() throws -> LivenessDecision {
    if let decision { return decision }
    return try engine.logged("liveness-finish") { try decide() }
  }

  private func decide() throws -> LivenessDecision {
    let template = try engine.average(selfies.templates)
    evidence.script = script
    evidence.selfie = selfies.best
    evidence.averagedFrames = selfies.templates.count
    evidence.details = selfies.details
    evidence.prevailing = guidance.prevailing
    let made = LivenessDecision(
      evidence, checks: checks, policy: configuration.policy, template: template, modelVersion: engine.modelVersion)
    decision = made
    state =
      switch made.result {
      case .live: .live
      case .undecided: .undecided
      case .presentationAttack: .presentationAttack
      }
    return made
  }
}

/// The best frames of a session so far.
struct Selfies {
  /// The number of templates that are averaged: measured in docs/liveness.md.
  static let count = 5

  private(set) var best: LivenessDecision.Selfie?
  /// In descending quality.
  private var taken: [(template: FaceTemplate, detail: FaceDetail?)] = []
  var templates: [FaceTemplate] { taken.map(\.template) }
  var details: [FaceDetail] { taken.compactMap(\.detail) }

  mutating func add(_ frame: LivenessFrame) {
    guard let sample = frame.portraitSample, let template = sample.template, let quality = template.quality else {
      return
    }
    taken = Array(
      (taken + [(template, sample.detail)]).sorted { $0.template.quality ?? 0 > $1.template.quality ?? 0 }
        .prefix(Self.count))
    if quality > best?.quality.score ?? -1 {
      best = LivenessDecision.Selfie(picture: frame.picture, time: frame.time, quality: sample.quality)
    }
  }
}
