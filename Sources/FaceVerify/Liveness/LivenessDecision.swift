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
  /// What to do about a session that could not be decided; nil for others.
  public let retry: RetryReason?
  /// One for each of ``LivenessSignal/allCases``, in that order.
  public let checks: [LivenessCheck]
  public let policy: LivenessPolicy
  /// The mean of the best frames' templates; nil if no frame was good enough.
  public let template: FaceTemplate?
  public let modelVersion: ModelVersion
  private let evidence: LivenessEvidence

  /// What the person was asked for; nil for nothing.
  public var script: ChallengeScript? { evidence.script?.script }
  /// How the challenges ended that did.
  public var answers: [ScriptProgress.Answer] { evidence.script?.answers ?? [] }
  /// What the decision is bound to; empty without a nonce.
  public var nonce: [UInt8] { evidence.nonce }
  /// The hash chain over all frames that were taken.
  public var chain: FrameChain { evidence.chain }
  /// How many frames were refused for their time stamps or their size.
  public var refusedFrames: Int { evidence.refusedFrames }
  /// The times from the first frame to the last one, in seconds on the stream's clock; nil without frames.
  public var span: ClosedRange<Double>? { evidence.span }
  /// The best frame; nil if none was good enough.
  public var selfie: Selfie? { evidence.selfie }
  /// What ``template`` is the mean of, as far as there is a mesh: to tell whether the person is a copy of a portrait.
  var details: [FaceDetail] { evidence.details }
  /// How many frames ``template`` is the mean of.
  public var averagedFrames: Int { evidence.averagedFrames }

  public subscript(signal: LivenessSignal) -> LivenessCheck? { checks.first { $0.signal == signal } }

  /// - Parameter template: the mean of as many templates as the evidence says.
  init(
    _ evidence: LivenessEvidence, checks: [LivenessCheck], policy: LivenessPolicy, template: FaceTemplate?,
    modelVersion: ModelVersion
  ) {
    self.evidence = evidence
    self.checks = checks
    self.policy = policy
    self.template = template
    self.modelVersion = modelVersion
    let result = policy.result(of: checks.reduce(into: [:]) { $0[$1.signal] = $1.status })
    self.result = result
    reasons = checks.filter { check in
      check.status == .failed
        || result == .undecided && check.status == .notChecked && policy.required.contains(check.signal)
    }.map { FaceDecision.Reason(code: $0.signal.rawValue, text: $0.text) }
    retry =
      result == .undecided
      ? evidence.retry(isAlone: checks.first { $0.signal == .singleFace }?.status != .failed) : nil
  }
}

/// What a session has seen so far.
struct LivenessEvidence: Sendable {
  let nonce: [UInt8]
  var script: ScriptProgress?
  var chain: FrameChain
  var span: ClosedRange<Double>?
  /// Frames that were refused for their time stamps or their size.
  var refusedFrames = 0
  /// The best frame; nil if none was good enough.
  var selfie: LivenessDecision.Selfie?
  /// How many frames' templates were averaged.
  var averagedFrames = 0
  /// Of these frames.
  var details: [FaceDetail] = []
  /// The hint that was shown for the longest time.
  var prevailing: LivenessHint?

  init(nonce: [UInt8], script: ScriptProgress?) {
    self.nonce = nonce
    self.script = script
    chain = FrameChain(nonce: nonce)
  }

  /// Why a session with this evidence should be tried again.
  ///
  /// - Parameter isAlone: no other face was seen beside the person's.
  func retry(isAlone: Bool) -> RetryReason {
    guard span != nil else { return .interrupted }
    guard isAlone else { return .multipleFaces }
    switch script?.answers.last?.outcome {
    case .wrongMovement: return .wrongMovement
    case .interrupted: return .interrupted
    case .timeout: return prevailing.map(RetryReason.init) ?? .userTimeout
    case .passed, nil: return prevailing.map(RetryReason.init) ?? .generic
    }
  }
}
