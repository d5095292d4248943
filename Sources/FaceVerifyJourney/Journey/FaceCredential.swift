/// Whether a person is alive and present, and whether they match a portrait.
///
/// What was not checked has not passed: without a living person and a portrait good enough to compare, the identity is
/// undecided.
public struct FaceCredential: Sendable {
  public let liveness: LivenessDecision
  /// How the face was scanned.
  public let mode: ScanMode
  /// nil if no comparison was requested, or none was possible.
  public let match: FaceDecision?
  /// Why there is no ``match`` although one was requested; nil otherwise.
  public let problem: FaceDecision.Reason?
  /// The result under the policy, and how much was proved.
  public let outcome: Outcome
  let evidence: Evidence

  init(
    _ liveness: LivenessDecision, mode: ScanMode, match: FaceDecision?, level: Assurance.Binding,
    problem: FaceDecision.Reason?, policy: AssurancePolicy, capture: Capture
  ) {
    (self.liveness, self.mode, self.match, self.problem) = (liveness, mode, match, problem)
    var evidence = Evidence()
    evidence.presence = .init(
      result: liveness.result, level: liveness.presence(isCaptureTrusted: capture.isTrusted),
      isLightMissing: capture.isLightRequired && liveness[.colourResponse]?.status != .passed,
      isMovementDeclined: capture.isMovementDeclined)
    if match != nil || problem != nil {
      evidence.binding = .init(
        result: match?.result, level: level, differentPictures: match?.samePicture.status ?? .notChecked)
    }
    if let document = match?.document { evidence.documents = [.init(document.report)] }
    self.evidence = evidence
    outcome = Outcome(evidence, policy: policy)
  }

  /// Failed for an attack, a non-match or a failed document. Passed for a living person who matches (or is not
  /// compared, if no comparison was requested), if the assurance satisfies the policy. Otherwise not checked.
  public var result: CheckStatus { outcome.result }
  public var assurance: Assurance { outcome.assurance }

  /// The reasons: "liveness." and the signal, "comparison." and its reason, and where the evidence falls short of the
  /// policy. A passed credential may have reasons as well.
  public var reasons: [FaceDecision.Reason] {
    func prefixed(_ prefix: String, _ reasons: [FaceDecision.Reason]) -> [FaceDecision.Reason] {
      reasons.map { .init(code: "\(prefix).\($0.code)", text: $0.text, status: $0.status) }
    }
    return prefixed("liveness", liveness.reasons)
      + prefixed("comparison", (match?.reasons ?? []) + [problem].compactMap(\.self)) + outcome.shortfalls
  }

  /// What is known about the camera, and required of it.
  public struct Capture: Sendable, Hashable {
    /// The caller controls camera and computer, as in a kiosk: only the camera can feed frames.
    public var isTrusted = false
    /// The screen lights the face, whose reflection must be detected.
    public var isLightRequired = false
    /// The person declined a requested movement.
    public var isMovementDeclined = false

    public init() {}
  }
}

extension FaceEngine {
  /// Combines a session's decision with a comparison of its best frames with the portrait.
  ///
  /// - Parameters:
  ///   - mode: how the face was scanned.
  ///   - portrait: nil if there is none; the result is then not checked.
  ///   - isCompared: whether a comparison is requested.
  ///   - assurance: the levels required for the result to be passed.
  ///   - capture: what is known about the camera, and required of it.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/unsupportedRate``,
  ///   ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``. A portrait without a face is a result.
  public func credential(
    _ liveness: LivenessDecision, mode: ScanMode, portrait: FaceInput?, isCompared: Bool = true,
    policy: ComparisonPolicy = .init(), assurance: AssurancePolicy = .init(), capture: FaceCredential.Capture = .init(),
    budget: Budget = .unlimited
  ) throws -> FaceCredential {
    func made(_ match: FaceDecision?, _ level: Assurance.Binding, _ problem: FaceDecision.Reason?) -> FaceCredential {
      FaceCredential(
        liveness, mode: mode, match: match, level: level, problem: problem, policy: assurance, capture: capture)
    }
    func without(_ code: String, _ text: String) -> FaceCredential {
      made(nil, .none, .init(code: code, text: text, status: .notChecked))
    }
    guard isCompared else { return made(nil, .none, nil) }
    guard let template = liveness.template else {
      return without("selfie-missing", "No frame shows the face well enough to compare it.")
    }
    guard let portrait else { return without("portrait-missing", "There is no portrait for the comparison.") }
    do {
      let match = try compare(.template(template), frames: liveness.details, with: portrait, policy, budget)
      return made(match, portrait.binding, nil)
    } catch let error as VerifyError where error.code == .noFace {
      return without("portrait-missing", "There is no portrait for the comparison: \(error.message).")
    }
  }
}

extension FaceCredential: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "result": .string(result.rawValue), "assurance": assurance.jsonValue, "mode": .string(mode.rawValue),
      "reasons": reasons.jsonValue, "liveness": liveness.jsonValue, "comparison": match?.jsonValue ?? .null,
    ]
  }
}
