/// The decision of a session and everything it rests on.
public struct LivenessDecision: Sendable {
  public enum Result: String, Sendable, Codable, CaseIterable {
    case live
    case presentationAttack = "presentation-attack"
    /// Undecided; ``LivenessDecision/retry`` states what to do.
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
  /// Why the result is not live: failed checks, and required checks that were not made, in the order of ``checks``.
  /// Never empty unless the result is live; then it has the failed checks that were tolerated.
  public let reasons: [FaceDecision.Reason]
  /// Why an undecided session should be retried; nil for other results.
  public let retry: RetryReason?
  /// One for each of ``LivenessSignal/allCases``, in that order.
  public let checks: [LivenessCheck]
  public let policy: LivenessPolicy
  /// The mean of the best frames' templates; nil if no frame was good enough.
  public let template: FaceTemplate?
  public let modelVersion: ModelVersion
  private let evidence: LivenessEvidence

  /// The challenges of the session; nil for none.
  public var script: ChallengeScript? { evidence.script?.script }
  /// The results of completed challenges.
  public var answers: [ScriptProgress.Answer] { evidence.script?.answers ?? [] }
  /// The nonce that the decision is bound to; may be empty.
  public var nonce: [UInt8] { evidence.nonce }
  /// The hash chain over all accepted frames.
  public var chain: FrameChain { evidence.chain }
  /// The number of frames refused for their time stamps or size.
  public var refusedFrames: Int { evidence.refusedFrames }
  /// The clockwise degrees by which all frames were rotated to make the first face upright, besides the configured ones.
  public var rotation: Int { evidence.rotation }
  /// The times from the first frame to the last one, in seconds on the stream's clock; nil without frames.
  public var span: ClosedRange<Double>? { evidence.span }
  /// The best frame; nil if none was good enough.
  public var selfie: Selfie? { evidence.selfie }
  /// The details of the frames averaged in ``template``, if there is a mesh; used to detect copies of a portrait.
  package var details: [FaceDetail] { evidence.details }
  /// The number of frames averaged in ``template``.
  public var averagedFrames: Int { evidence.averagedFrames }

  public subscript(signal: LivenessSignal) -> LivenessCheck? { checks.first { $0.name == signal } }

  /// - Parameter template: the mean of ``averagedFrames`` templates.
  init(
    _ evidence: LivenessEvidence, checks: [LivenessCheck], policy: LivenessPolicy, template: FaceTemplate?,
    modelVersion: ModelVersion
  ) {
    (self.evidence, self.checks, self.policy, self.template) = (evidence, checks, policy, template)
    self.modelVersion = modelVersion
    let result = policy.result(of: checks.reduce(into: [:]) { $0[$1.name] = $1.status })
    self.result = result
    reasons = checks.filter { check in
      check.status == .failed
        || result == .undecided && check.status == .notChecked && policy.required.contains(check.name)
    }.map { FaceDecision.Reason(code: $0.name.rawValue, text: $0.text, status: $0.status) }
    retry =
      result == .undecided
      ? evidence.retry(isAlone: checks.first { $0.name == .singleFace }?.status != .failed) : nil
  }
}

/// The evidence collected by a session; ``LivenessDecision`` describes its members.
struct LivenessEvidence: Sendable {
  let nonce: [UInt8]
  /// The script at the end of the session.
  var script: ScriptProgress?
  var chain: FrameChain
  var span: ClosedRange<Double>?
  var refusedFrames = 0
  var rotation = 0
  var selfie: LivenessDecision.Selfie?
  var averagedFrames = 0
  var details: [FaceDetail] = []
  /// The hint that was shown longest in total.
  var prevailing: LivenessHint?

  init(nonce: [UInt8]) {
    self.nonce = nonce
    chain = FrameChain(nonce: nonce)
  }

  /// Returns why a session with this evidence should be retried.
  ///
  /// - Parameter isAlone: whether no face other than the person's was detected.
  func retry(isAlone: Bool) -> RetryReason {
    guard span != nil else { return .interrupted }
    guard isAlone else { return .multipleFaces }
    switch script?.answers.last?.outcome {
    case .wrongMovement, .notFollowed: return .wrongMovement
    case .interrupted: return .interrupted
    case .timeout: return prevailing.map(RetryReason.init) ?? .userTimeout
    case .passed, nil: return prevailing.map(RetryReason.init) ?? .generic
    }
  }
}

extension LivenessDecision: JSONConvertible {
  /// `frames.rotation` is absent if the frames were upright.
  public var jsonValue: JSONValue {
    var frames: [String: JSONValue] = [
      "count": .integer(chain.count), "refused": .integer(refusedFrames),
      "first": span.map { .rounded($0.lowerBound, 3) } ?? .null,
      "last": span.map { .rounded($0.upperBound, 3) } ?? .null, "chain": .string(hexadecimal(chain.head)),
    ]
    if rotation != 0 { frames["rotation"] = .integer(rotation) }
    return [
      "version": .string(FaceVerifyVersion.string), "models": modelVersion.jsonValue,
      "result": .string(result.rawValue), "presence": .string(presence().rawValue), "reasons": reasons.jsonValue,
      "retry": .optional(retry?.rawValue), "policy": policy.jsonValue, "checks": checks.jsonValue,
      "nonce": nonce.isEmpty ? .null : .string(hexadecimal(nonce)), "script": script?.jsonValue ?? .null,
      "answers": answers.jsonValue,
      "frames": .object(frames),
      "selfie": selfie?.jsonValue ?? .null,
      "template": template.map {
        ["sha256": .string($0.sha256), "averagedFrames": .integer(averagedFrames)]
      } ?? .null,
    ]
  }
}

extension LivenessDecision.Selfie: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "sha256": .string(sha256(picture.rgb)), "width": .integer(picture.width), "height": .integer(picture.height),
      "time": .rounded(time, 3), "quality": quality.jsonValue,
    ]
  }
}
