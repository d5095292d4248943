/// One person's journey: from a selfie and a portrait to a decision.
///
/// It holds no photo and no template after a call returns. One thread at a time; make one for each person.
public final class FaceCredential {
  private let engine: FaceEngine
  private let policy: FacePolicy

  public init(engine: FaceEngine, policy: FacePolicy = .init()) {
    self.engine = engine
    self.policy = policy
  }

  /// Decides whether the selfie shows the person of the portrait.
  ///
  /// A negative answer is a result: ``FaceDecision/Result/noMatch``, or ``FaceDecision/Result/refused`` if a photo is
  /// not good enough to tell.
  ///
  /// - Throws: ``VerifyError``, with which photo it was in the message, if a photo cannot be read or shows no face.
  public func compare(selfie: Photo, portrait: Photo) throws -> FaceDecision {
    try compare(selfie: .photo(selfie), portrait: .photo(portrait))
  }

  /// The same with photos or templates. A template's quality was judged when it was made, and is not judged again.
  ///
  /// - Throws: as ``compare(selfie:portrait:)``, and ``VerifyError/Code/foreignTemplate`` for a template of other
  ///   models, ``VerifyError/Code/unsupportedRate`` for a rate that was not measured.
  public func compare(selfie: FaceInput, portrait: FaceInput) throws -> FaceDecision {
    // First: what cannot be decided need not be measured.
    let threshold = try engine.threshold(at: policy.falseMatchRate)
    let one = try named("selfie") { try examine(selfie, policy: policy.selfie) }
    let other = try named("portrait") { try examine(portrait, policy: policy.portrait) }
    return try decide(one, other, threshold)
  }

  /// Decides whether the selfie shows the holder of the document.
  ///
  /// - Throws: as ``compare(selfie:portrait:)-(FaceInput,_)``, and ``VerifyError/Code/noFace`` if no portrait was found
  ///   on the document.
  public func compare(selfie: FaceInput, document: DocumentReading) throws -> DocumentDecision {
    let threshold = try engine.threshold(at: policy.falseMatchRate)
    guard let portrait = document.portrait else {
      throw VerifyError(.noFace, "document: \(document.portraitProblem ?? "there is no portrait")")
    }
    let one = try named("selfie") { try examine(selfie, policy: policy.selfie) }
    let other = (FaceEvidence(portrait.sample), portrait.sample.template)
    return DocumentDecision(comparison: try decide(one, other, threshold), document: document)
  }

  private func decide(
    _ selfie: (FaceEvidence, FaceTemplate?), _ portrait: (FaceEvidence, FaceTemplate?),
    _ threshold: Calibration.Threshold
  ) throws -> FaceDecision {
    var comparison: Comparison?
    if let a = selfie.1, let b = portrait.1 { comparison = try engine.compare(a, b, at: policy.falseMatchRate) }
    return FaceDecision(
      selfie: selfie.0, portrait: portrait.0, comparison: comparison, threshold: threshold,
      falseMatchRate: policy.falseMatchRate, engine: engine)
  }

  private func examine(_ input: FaceInput, policy: QualityPolicy) throws -> (FaceEvidence, FaceTemplate?) {
    switch input {
    case .photo(let photo):
      let sample = try engine.sample(photo, policy: policy)
      return (FaceEvidence(sample), sample.template)
    case .template(let template):
      try engine.check(template)
      return (FaceEvidence(template), template)
    }
  }

  private func named<Value>(_ role: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(role): \(error.message)")
    }
  }
}
