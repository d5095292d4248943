/// The answer of a session, with everything it rests on.
public struct LivenessDecision: Sendable {
  public enum Result: String, Sendable, Codable {
    case live
    case presentationAttack = "presentation-attack"
    /// It could not be told; ``LivenessDecision/retry`` says what to do.
    case undecided
  }

  /// The best frame.
  public struct Selfie: Sendable {
    /// Upright, not mirrored.
    public let picture: PixelBuffer
    /// Seconds on the stream's clock.
    public let time: Double
    public let quality: QualityReport
  }

  public let result: Result
  /// Why it is not live: the checks, in the order of ``checks``, that failed or should have been made. Never empty unless
  /// the result is live; then it holds the checks that failed all the same.
  public let reasons: [FaceDecision.Reason]
  /// Only of a session that could not be decided.
  public let retry: RetryReason?
  /// One for each of ``LivenessSignal/allCases``, in that order.
  public let checks: [LivenessCheck]
  public let policy: LivenessPolicy
  /// Nil without a script.
  public let script: ChallengeScript?
  public let answers: [ScriptProgress.Answer]
  /// Empty without one.
  public let nonce: [UInt8]
  /// Over all frames that were taken.
  public let chain: FrameChain
  public let refusedFrames: Int
  /// From the first frame's time to the last one's; nil without frames.
  public let span: ClosedRange<Double>?
  /// Nil if no frame was good enough.
  public let selfie: Selfie?
  /// The mean of the best frames' templates; nil if no frame was good enough.
  public let template: FaceTemplate?
  /// How many frames ``template`` is the mean of.
  public let averagedFrames: Int
  public let modelVersion: ModelVersion

  public subscript(signal: LivenessSignal) -> LivenessCheck? { checks.first { $0.signal == signal } }

  init(
    policy: LivenessPolicy, checks: [LivenessCheck], script: ScriptProgress?, nonce: [UInt8], chain: FrameChain,
    span: ClosedRange<Double>?, refusedFrames: Int, timeout: Double, prevailing: LivenessHint?, selfie: Selfie?,
    template: FaceTemplate?, templates: Int, engine: FaceEngine
  ) {
    self.checks = checks
    self.policy = policy
    self.script = script?.script
    answers = script?.answers ?? []
    self.nonce = nonce
    self.chain = chain
    self.span = span
    self.refusedFrames = refusedFrames
    self.selfie = selfie
    self.template = template
    averagedFrames = templates
    modelVersion = engine.modelVersion
    let result = policy.result(of: checks.reduce(into: [:]) { $0[$1.signal] = $1.status })
    self.result = result
    reasons = checks.filter { check in
      check.status == .failed
        || result == .undecided && check.status == .notChecked && policy.required.contains(check.signal)
    }.map { FaceDecision.Reason(code: $0.signal.rawValue, text: $0.text) }
    retry =
      result == .undecided
      ? Self.retry(answers.last?.outcome, span: span, singleFace: checks.first { $0.signal == .singleFace }, prevailing)
      : nil
  }

  private static func retry(
    _ outcome: ScriptProgress.Answer.Outcome?, span: ClosedRange<Double>?, singleFace: LivenessCheck?,
    _ prevailing: LivenessHint?
  ) -> RetryReason {
    guard span != nil else { return .interrupted }
    if singleFace?.status == .failed { return .multipleFaces }
    switch outcome {
    case .wrongMovement: return .wrongMovement
    case .interrupted: return .interrupted
    case .timeout: return prevailing.map(RetryReason.init) ?? .userTimeout
    case .passed, nil: return prevailing.map(RetryReason.init) ?? .generic
    }
  }
}
