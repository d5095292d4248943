/// One person: whether they are alive and present, and whether they are the one of a portrait.
///
/// What was not checked has not passed: without a living person, or without a portrait that a selfie may be compared
/// with, nothing is known of whom the portrait shows.
public struct FaceCredential: Sendable {
  /// Who the person says they are.
  public enum Portrait: Sendable {
    case photo(Photo)
    /// Enrolled earlier.
    case template(FaceTemplate)
    /// Made of a photo that the caller has not kept: it proves as much as the photo.
    case photoTemplate(FaceTemplate)
    /// The chip's portrait, or that of the page.
    case document(DocumentReading)

    /// nil for what is no template.
    var template: FaceTemplate? {
      switch self {
      case .template(let template), .photoTemplate(let template): template
      case .photo, .document: nil
      }
    }

    var isEnrolled: Bool { if case .template = self { true } else { false } }
  }

  /// What a comparison with the portrait says.
  public enum Match: Sendable {
    case portrait(FaceDecision)
    case document(DocumentDecision)

    public var result: FaceDecision.Result {
      switch self {
      case .portrait(let decision): decision.result
      case .document(let decision): decision.result
      }
    }

    public var reasons: [FaceDecision.Reason] {
      switch self {
      case .portrait(let decision): decision.reasons
      case .document(let decision): decision.reasons
      }
    }

    /// What the faces say by themselves, whatever the document is worth.
    public var faces: FaceDecision {
      switch self {
      case .portrait(let decision): decision
      case .document(let decision): decision.comparison
      }
    }
  }

  public let liveness: LivenessDecision
  /// How the person was seen.
  public let mode: ScanMode
  /// nil if there was nothing to compare, or nobody asked for it.
  public let match: Match?
  /// Why there is no ``match`` although one was asked for; nil if there is one, or none was.
  public let problem: FaceDecision.Reason?
  /// The result by the policy, and how much was proved.
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
    if case .document(let decision)? = match { evidence.documents = [.init(decision.document.report)] }
    self.evidence = evidence
    outcome = Outcome(evidence, policy: policy)
  }

  /// Failed for an attack, another person or a document that failed; passed for a living person who matches (or who is not
  /// compared, if nobody asked for that), as far as the policy asks; else not checked.
  public var result: CheckStatus { outcome.result }
  public var assurance: Assurance { outcome.assurance }

  /// Why it is no pass, and what to know about one: "liveness." and the signal, "comparison." and the reason there, and what
  /// the policy asks for and the evidence lacks.
  public var reasons: [FaceDecision.Reason] {
    func prefixed(_ prefix: String, _ reasons: [FaceDecision.Reason]) -> [FaceDecision.Reason] {
      reasons.map { .init(code: "\(prefix).\($0.code)", text: $0.text) }
    }
    return prefixed("liveness", liveness.reasons) + prefixed("comparison", match?.reasons ?? [])
      + prefixed("comparison", problem.map { [$0] } ?? []) + outcome.shortfalls
  }

  /// What the caller knows of the camera, and asks of it.
  public struct Capture: Sendable, Hashable {
    /// The caller controls camera and computer, as in a kiosk: nothing but the camera can feed frames.
    public var isTrusted = false
    /// The screen lights the face, and the face must be seen to reflect it.
    public var isLightRequired = false
    /// The person declined a movement that was asked for.
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
  /// Why nothing vouches for a document with nothing wrong; nil if that is not why it has not passed.
  public var shortfall: FaceDecision.Reason? {
    unauthenticated.map { kind in
      .init(
        code: "document.unauthenticated",
        text: "No chip authenticates the document. Read its chip, or accept \"\(kind.rawValue)\" by name.")
    }
  }
}

extension FaceEngine {
  /// Joins what a session decided with a comparison of its best frames with the portrait.
  ///
  /// - Parameters:
  ///   - mode: how the person was seen.
  ///   - portrait: nil if there is none, which makes the result not checked.
  ///   - isCompared: whether a comparison is asked for at all.
  ///   - assurance: what must have been proved for the result to be passed.
  ///   - capture: what the caller knows of the camera, and asks of it.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/unsupportedRate``, ``VerifyError/Code/timeout``,
  ///   ``VerifyError/Code/cancelled``. A portrait without a face is a result.
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
    guard let portrait else { return without("portrait-missing", "There is no portrait to compare the person with.") }
    do {
      switch portrait {
      case .photo(let photo):
        return made(
          .portrait(try compare(template, of: liveness, portrait: .photo(photo), policy, budget)), .suppliedPhoto)
      case .template(let enrolled), .photoTemplate(let enrolled):
        return made(
          .portrait(try compare(template, of: liveness, portrait: .template(enrolled), policy, budget)),
          portrait.isEnrolled ? .enrolledTemplate : .suppliedPhoto)
      case .document(let reading):
        return made(
          .document(try compare(.template(template), frames: liveness.details, with: reading, policy, budget)),
          reading.portrait?.source == .chip ? .chipPortrait : .pagePortrait)
      }
    } catch let error as VerifyError where error.code == .noFace {
      return without("portrait-missing", "There is no portrait to compare the person with: \(error.message).")
    }
  }
}

extension FaceCredential: JSONConvertible {
  public var jsonValue: JSONValue {
    let comparison: JSONValue =
      switch match {
      case .portrait(let decision)?: decision.jsonValue
      case .document(let decision)?: decision.jsonValue
      case nil: .null
      }
    return [
      "result": .string(result.rawValue), "assurance": assurance.jsonValue, "mode": .string(mode.rawValue),
      "reasons": JSONValue(reasons),
      "liveness": liveness.jsonValue, "comparison": comparison,
    ]
  }
}

extension JSONValue {
  init(_ reasons: [FaceDecision.Reason]) {
    self = .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] })
  }
}
