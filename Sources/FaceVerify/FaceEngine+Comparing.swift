extension FaceEngine {
  /// Decides whether the selfie shows the person of the portrait. Either side may be a template; its quality was judged
  /// when it was created and is not judged again.
  ///
  /// A negative answer is a result: ``FaceDecision/Result/noMatch``, or ``FaceDecision/Result/refused`` if a photo's
  /// quality is too low to decide.
  ///
  /// - Throws: ``VerifyError`` that names the side in its message, if a photo cannot be read or shows no face;
  ///   ``VerifyError/Code/incompatibleTemplate`` for a template of other models, ``VerifyError/Code/unsupportedRate``
  ///   for a rate that the calibration data do not support, ``VerifyError/Code/timeout``,
  ///   ``VerifyError/Code/cancelled``.
  public func compare(
    selfie: FaceInput, portrait: FaceInput, policy: ComparisonPolicy = .init(), budget: Budget = .unlimited
  ) throws -> FaceDecision {
    try logged("compare") {
      // Fails for an unsupported rate before any photo is processed.
      let (calibration, threshold) = try operatingPoint(at: policy.falseMatchRate)
      return try FaceDecision(
        selfie: side("selfie", selfie, policy.selfie, budget),
        portrait: side("portrait", portrait, policy.portrait, budget),
        threshold: threshold, calibration: calibration, models: models)
    }
  }

  /// Compares a selfie with several portraits, as ``compare(selfie:portrait:policy:budget:)-(FaceInput,_,_,_)``; the
  /// selfie is processed once.
  ///
  /// - Throws: errors of the selfie and of the rate; the result of a portrait has its own.
  package func compare(
    selfie: FaceInput, portraits: [() throws -> FaceInput], policy: ComparisonPolicy, budget: Budget
  ) throws -> [Result<FaceDecision, any Error>] {
    let (calibration, threshold) = try operatingPoint(at: policy.falseMatchRate)
    let selfie = try side("selfie", selfie, policy.selfie, budget)
    return portraits.map { portrait in
      Result {
        try FaceDecision(
          selfie: selfie, portrait: side("portrait", portrait(), policy.portrait, budget), threshold: threshold,
          calibration: calibration, models: models)
      }
    }
  }

  /// Decides whether the person of a session is the one of the portrait, using the mean template of the best frames.
  ///
  /// - Throws: as ``compare(selfie:portrait:policy:budget:)-(FaceInput,_,_,_)``.
  func compare(
    _ template: FaceTemplate, of session: LivenessDecision, portrait: FaceInput, _ policy: ComparisonPolicy,
    _ budget: Budget
  ) throws -> FaceDecision {
    try check(template)
    let (calibration, threshold) = try operatingPoint(at: policy.falseMatchRate)
    return try FaceDecision(
      selfie: .template(template), portrait: side("portrait", portrait, policy.portrait, budget),
      frames: session.details, threshold: threshold, calibration: calibration, models: models)
  }

  /// Decides whether two photos show one person.
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
    try compare(selfie, frames: [], with: document, policy, budget)
  }

  /// - Parameter frames: the frames whose mean is the selfie's template.
  func compare(
    _ selfie: FaceInput, frames: [FaceDetail], with document: DocumentReading, _ policy: ComparisonPolicy,
    _ budget: Budget
  ) throws -> DocumentDecision {
    guard let portrait = document.portrait else {
      throw VerifyError(.noFace, "document: \(document.portraitProblem ?? "there is no portrait")")
    }
    let (calibration, threshold) = try operatingPoint(
      at: policy.falseMatchRate, portrait: portrait.source == .chip ? .chip : .page)
    // Another engine may have read the document.
    if let template = portrait.sample.template { try VerifyError.naming("document") { try check(template) } }
    return DocumentDecision(
      comparison: try FaceDecision(
        selfie: side("selfie", selfie, policy.selfie, budget), portrait: .sample(portrait.sample),
        frames: frames, threshold: threshold, calibration: calibration, models: models),
      document: document)
  }

  private func operatingPoint(
    at rate: FalseMatchRate, portrait: Calibration.Portrait = .photo
  ) throws -> (Calibration, Calibration.Threshold) {
    let calibration = try requireCalibration()
    return (calibration, try calibration.threshold(at: rate, portrait: portrait))
  }

  private func side(
    _ role: String, _ input: FaceInput, _ policy: QualityPolicy, _ budget: Budget
  ) throws -> FaceDecision.Side {
    try VerifyError.naming(role) {
      switch input {
      case .photo(let photo): return .sample(try sample(photo, policy: policy, budget: budget))
      case .template(let template):
        try check(template)
        return .template(template)
      }
    }
  }
}
