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
    /// The chip's portrait, or that of the page.
    case document(DocumentReading)
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

  /// Failed for an attack or another person, passed for a living person who matches (or who is not compared, if nobody
  /// asked for that), and else not checked.
  public var result: CheckStatus {
    if liveness.result == .presentationAttack || match?.result == .noMatch { return .failed }
    guard liveness.result == .live, problem == nil else { return .notChecked }
    return match == nil || match?.result == .match ? .passed : .notChecked
  }

  /// Why it is no pass, and what to know about one: "liveness." and the signal, "comparison." and the reason there.
  public var reasons: [FaceDecision.Reason] {
    func prefixed(_ prefix: String, _ reasons: [FaceDecision.Reason]) -> [FaceDecision.Reason] {
      reasons.map { .init(code: "\(prefix).\($0.code)", text: $0.text) }
    }
    return prefixed("liveness", liveness.reasons) + prefixed("comparison", match?.reasons ?? [])
      + prefixed("comparison", problem.map { [$0] } ?? [])
  }
}

extension FaceEngine {
  /// Joins what a session decided with a comparison of its best frames with the portrait.
  ///
  /// - Parameters:
  ///   - mode: how the person was seen.
  ///   - portrait: nil if there is none, which makes the result not checked.
  ///   - isCompared: whether a comparison is asked for at all.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/unsupportedRate``, ``VerifyError/Code/timeout``,
  ///   ``VerifyError/Code/cancelled``. A portrait without a face is a result.
  public func credential(
    _ liveness: LivenessDecision, mode: ScanMode, portrait: FaceCredential.Portrait?, isCompared: Bool = true,
    policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceCredential {
    func without(_ code: String, _ text: String) -> FaceCredential {
      FaceCredential(liveness: liveness, mode: mode, match: nil, problem: .init(code: code, text: text))
    }
    guard isCompared else { return FaceCredential(liveness: liveness, mode: mode, match: nil, problem: nil) }
    guard let template = liveness.template else {
      return without("selfie-missing", "No frame shows the face well enough to compare it.")
    }
    guard let portrait else { return without("portrait-missing", "There is no portrait to compare the person with.") }
    do {
      let match: FaceCredential.Match =
        switch portrait {
        case .photo(let photo):
          .portrait(
            try compare(selfie: .template(template), portrait: .photo(photo), policy: policy, budget: budget))
        case .template(let enrolled):
          .portrait(
            try compare(selfie: .template(template), portrait: .template(enrolled), policy: policy, budget: budget))
        case .document(let reading):
          .document(try compare(selfie: .template(template), document: reading, policy: policy, budget: budget))
        }
      return FaceCredential(liveness: liveness, mode: mode, match: match, problem: nil)
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
      "result": .string(result.rawValue), "mode": .string(mode.rawValue), "reasons": JSONValue(reasons),
      "liveness": liveness.jsonValue, "comparison": comparison,
    ]
  }
}

extension JSONValue {
  init(_ reasons: [FaceDecision.Reason]) {
    self = .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] })
  }
}
