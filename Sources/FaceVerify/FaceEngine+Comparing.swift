extension FaceEngine {
  /// Decides whether the selfie shows the person of the portrait. Either side may be a template; its quality was judged
  /// when it was created and is not judged again. A document limits the result to the trust in its portrait.
  ///
  /// A negative answer is a result: ``FaceDecision/Result/noMatch``, or ``FaceDecision/Result/refused`` if a photo's
  /// quality is too low to decide, or the document proves too little.
  ///
  /// - Throws: ``VerifyError`` that names the side in its message, if a photo cannot be read or shows no face, or no
  ///   portrait was found on the document; ``VerifyError/Code/badArgument`` for a document as the selfie;
  ///   ``VerifyError/Code/incompatibleTemplate`` for a template of other models, ``VerifyError/Code/unsupportedRate``
  ///   for a rate that the calibration data do not support, ``VerifyError/Code/timeout``,
  ///   ``VerifyError/Code/cancelled``.
  public func compare(
    selfie: FaceInput, portrait: FaceInput, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceDecision {
    try logged("compare") { try compare(selfie, frames: [], with: portrait, policy, budget) }
  }

  /// Compares a selfie with several portraits, as ``compare(selfie:portrait:policy:budget:)-(FaceInput,_,_,_)``; the
  /// selfie is processed once.
  ///
  /// - Throws: errors of the selfie and of the rate; the result of a portrait has its own.
  package func compare(
    selfie: FaceInput, portraits: [() throws -> FaceInput], policy: ComparisonPolicy, budget: Budget
  ) throws -> [Result<FaceDecision, any Error>] {
    _ = try threshold(at: policy.falseMatchRate)
    let selfie = try side("selfie", selfie, policy.selfie, budget)
    return portraits.map { portrait in Result { try decide({ selfie }, [], portrait(), policy, budget) } }
  }

  /// Decides whether two photos show one person.
  public func compare(
    selfie: Photo, portrait: Photo, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceDecision {
    try compare(selfie: .photo(selfie), portrait: .photo(portrait), policy: policy, budget: budget)
  }

  /// - Parameter frames: the frames whose mean is the selfie's template.
  package func compare(
    _ selfie: FaceInput, frames: [FaceDetail], with portrait: FaceInput, _ policy: ComparisonPolicy, _ budget: Budget
  ) throws -> FaceDecision {
    try decide({ try side("selfie", selfie, policy.selfie, budget) }, frames, portrait, policy, budget)
  }

  private func decide(
    _ selfie: () throws -> FaceDecision.Side, _ frames: [FaceDetail], _ portrait: FaceInput,
    _ policy: ComparisonPolicy, _ budget: Budget
  ) throws -> FaceDecision {
    var (kind, document): (Calibration.Portrait, DocumentReading?) = (.photo, nil)
    if case .document(let reading) = portrait {
      (kind, document) = (try reading.requirePortrait().source == .chip ? .chip : .page, reading)
    }
    let calibration = try requireCalibration()
    // Fails for an unsupported rate before any photo is processed.
    let threshold = try calibration.threshold(at: policy.falseMatchRate, portrait: kind)
    return try FaceDecision(
      selfie: selfie(), portrait: side("portrait", portrait, policy.portrait, budget), document: document,
      frames: frames, threshold: threshold, calibration: calibration, models: models)
  }

  private func side(
    _ role: String, _ input: FaceInput, _ policy: QualityPolicy, _ budget: Budget
  ) throws -> FaceDecision.Side {
    switch input {
    case .photo(let photo):
      return try VerifyError.naming(role) { .init(try sample(photo, policy: policy, budget: budget)) }
    case .template(let template), .photoTemplate(let template):
      try VerifyError.naming(role) { try check(template) }
      return .init(template)
    case .document(let reading):
      guard role == "portrait" else {
        throw VerifyError(.badArgument, "\(role): a document can only be the portrait; give a photo or a template")
      }
      let sample = try reading.requirePortrait().sample
      // Another engine may have read the document.
      if let template = sample.template { try VerifyError.naming("document") { try check(template) } }
      return .init(sample)
    }
  }
}
