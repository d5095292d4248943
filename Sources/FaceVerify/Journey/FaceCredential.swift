/// Whether a person is alive and present, and whether they match a portrait.
///
/// What was not checked has not passed: without a living person and a portrait good enough to compare, the identity is
/// undecided.
public struct FaceCredential: Sendable {
  /// The claimed identity.
  public enum Portrait: Sendable {
    case photo(Photo)
    /// A template that was enrolled earlier.
    case template(FaceTemplate)
    /// A template of a photo that the caller has not kept: it proves as much as the photo.
    case photoTemplate(FaceTemplate)
    /// The portrait of the chip or the page.
    case document(DocumentReading)

    /// nil unless it is a template.
    var template: FaceTemplate? {
      switch self {
      case .template(let template), .photoTemplate(let template): template
      case .photo, .document: nil
      }
    }

    var isEnrolled: Bool { if case .template = self { true } else { false } }
  }

  /// A comparison with the portrait.
  public struct Match: Sendable {
    /// The comparison of the faces alone, regardless of the document.
    public let faces: FaceDecision
    /// The decision about the document's holder; nil for another portrait.
    public let document: DocumentDecision?

    init(_ faces: FaceDecision, document: DocumentDecision? = nil) { (self.faces, self.document) = (faces, document) }

    public var result: FaceDecision.Result { document?.result ?? faces.result }
    public var reasons: [FaceDecision.Reason] { document?.reasons ?? faces.reasons }
  }

  public let liveness: LivenessDecision
  /// How the face was scanned.
  public let mode: ScanMode
  /// nil if no comparison was requested, or none was possible.
  public let match: Match?
  /// Why there is no ``match`` although one was requested; nil otherwise.
  public let problem: FaceDecision.Reason?
  /// The result under the policy, and how much was proved.
  public let outcome: Outcome
  let evidence: Evidence

  init(
    _ liveness: LivenessDecision, mode: ScanMode, match: Match?, level: Assurance.Binding = .none,
    problem: FaceDecision.Reason? = nil, policy: AssurancePolicy, capture: Capture
  ) {
    (self.liveness, self.mode, self.match, self.problem) = (liveness, mode, match, problem)
    var evidence = Evidence()
    evidence.presence = .init(
      result: liveness.result, level: liveness.presence(isCaptureTrusted: capture.isTrusted),
      isLightMissing: capture.isLightRequired && liveness[.colourResponse]?.status != .passed,
      isMovementDeclined: capture.isMovementDeclined)
    if match != nil || problem != nil {
      evidence.binding = .init(
        result: match?.result, level: level, differentPictures: match?.faces.samePicture.status ?? .notChecked)
    }
    if let decision = match?.document { evidence.documents = [.init(decision.document.report)] }
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
      reasons.map { .init(code: "\(prefix).\($0.code)", text: $0.text) }
    }
    return prefixed("liveness", liveness.reasons) + prefixed("comparison", match?.reasons ?? [])
      + prefixed("comparison", problem.map { [$0] } ?? []) + outcome.shortfalls
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

extension Evidence.Document {
  init(_ report: DocumentReport) {
    self.init(result: report.result, level: report.assurance, isAccepted: report.evidence.isAccepted)
  }
}

extension DocumentReport {
  /// Why an otherwise faultless document has no trusted signature; nil if its result has other reasons.
  public var shortfall: FaceDecision.Reason? {
    unauthenticated.map { kind in
      .init(
        code: "document.unauthenticated",
        text: "No chip authenticates the document. Read its chip, or accept \"\(kind.rawValue)\" by name.")
    }
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
    _ liveness: LivenessDecision, mode: ScanMode, portrait: FaceCredential.Portrait?, isCompared: Bool = true,
    policy: ComparisonPolicy = .init(), assurance: AssurancePolicy = .init(), capture: FaceCredential.Capture = .init(),
    budget: Budget = .unlimited
  ) throws -> FaceCredential {
    func made(
      _ match: FaceCredential.Match?, _ level: Assurance.Binding = .none, _ problem: FaceDecision.Reason? = nil
    ) -> FaceCredential {
      FaceCredential(
        liveness, mode: mode, match: match, level: level, problem: problem, policy: assurance, capture: capture)
    }
    func without(_ code: String, _ text: String) -> FaceCredential { made(nil, .none, .init(code: code, text: text)) }
    guard isCompared else { return made(nil) }
    guard let template = liveness.template else {
      return without("selfie-missing", "No frame shows the face well enough to compare it.")
    }
    guard let portrait else { return without("portrait-missing", "There is no portrait for the comparison.") }
    do {
      switch portrait {
      case .photo(let photo):
        return made(
          .init(try compare(template, of: liveness, portrait: .photo(photo), policy, budget)), .suppliedPhoto)
      case .template(let enrolled), .photoTemplate(let enrolled):
        return made(
          .init(try compare(template, of: liveness, portrait: .template(enrolled), policy, budget)),
          portrait.isEnrolled ? .enrolledTemplate : .suppliedPhoto)
      case .document(let reading):
        let decision = try compare(.template(template), frames: liveness.details, with: reading, policy, budget)
        return made(
          .init(decision.comparison, document: decision),
          reading.portrait?.source == .chip ? .chipPortrait : .pagePortrait)
      }
    } catch let error as VerifyError where error.code == .noFace {
      return without("portrait-missing", "There is no portrait for the comparison: \(error.message).")
    }
  }
}

extension FaceCredential: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "result": .string(result.rawValue), "assurance": assurance.jsonValue, "mode": .string(mode.rawValue),
      "reasons": reasons.jsonValue,
      "liveness": liveness.jsonValue,
      "comparison": match.map { $0.document?.jsonValue ?? $0.faces.jsonValue } ?? .null,
    ]
  }
}
