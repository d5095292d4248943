/// One side of a comparison, measured.
private typealias Side = (evidence: FaceEvidence, template: FaceTemplate?)

extension FaceEngine {
  /// Decides whether the selfie shows the person of the portrait; either side may be a template, whose quality was judged
  /// when it was made, and is not judged again.
  ///
  /// A negative answer is a result: ``FaceDecision/Result/noMatch``, or ``FaceDecision/Result/refused`` if a photo is
  /// not good enough to tell.
  ///
  /// - Throws: ``VerifyError``, with which side it was in the message, if a photo cannot be read or shows no face;
  ///   ``VerifyError/Code/incompatibleTemplate`` for a template of other models, ``VerifyError/Code/unsupportedRate`` for
  ///   a rate that the data do not support, ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``.
  public func compare(
    selfie: FaceInput, portrait: FaceInput, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceDecision {
    try logged("compare") {
      // First: what cannot be decided need not be measured.
      let threshold = try threshold(at: policy.falseMatchRate)
      let one = try named("selfie") { try measure(selfie, policy.selfie, budget) }
      let other = try named("portrait") { try measure(portrait, policy.portrait, budget) }
      return try decide(one, other, policy, threshold)
    }
  }

  /// The same with two photos.
  public func compare(
    selfie: Photo, portrait: Photo, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceDecision {
    try compare(selfie: .photo(selfie), portrait: .photo(portrait), policy: policy, budget: budget)
  }

  /// Decides whether the selfie shows the holder of the document.
  ///
  /// - Throws: as ``compare(selfie:portrait:policy:budget:)-(FaceInput,_,_,_)``, and ``VerifyError/Code/noFace`` if no
  ///   portrait was found on the document.
  public func compare(
    selfie: FaceInput, document: DocumentReading, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> DocumentDecision {
    let threshold = try threshold(at: policy.falseMatchRate)
    guard let portrait = document.portrait else {
      throw VerifyError(.noFace, "document: \(document.portraitProblem ?? "there is no portrait")")
    }
    let one = try named("selfie") { try measure(selfie, policy.selfie, budget) }
    let other = Side(FaceEvidence(portrait.sample), portrait.sample.template)
    return DocumentDecision(comparison: try decide(one, other, policy, threshold), document: document)
  }

  private func decide(
    _ selfie: Side, _ portrait: Side, _ policy: ComparisonPolicy, _ threshold: Calibration.Threshold
  ) throws -> FaceDecision {
    var comparison: Comparison?
    if let a = selfie.template, let b = portrait.template { comparison = try compare(a, b, at: policy.falseMatchRate) }
    return FaceDecision(
      selfie: selfie.evidence, portrait: portrait.evidence, comparison: comparison, threshold: threshold,
      falseMatchRate: policy.falseMatchRate, engine: self)
  }

  private func measure(_ input: FaceInput, _ policy: QualityPolicy, _ budget: Budget) throws -> Side {
    switch input {
    case .photo(let photo):
      let sample = try sample(photo, policy: policy, budget: budget)
      return (FaceEvidence(sample), sample.template)
    case .template(let template):
      try check(template)
      return (FaceEvidence(template), template)
    }
  }

  private func named<Value>(_ role: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(role): \(error.message)")
    }
  }
}
