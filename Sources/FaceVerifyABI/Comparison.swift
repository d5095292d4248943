public import CFaceVerify
internal import FaceVerify

@c @implementation
public func fv_engine_compare(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ selfie: UnsafePointer<fv_input>?,
  _ portrait: UnsafePointer<fv_input>?, _ policy: UnsafePointer<fv_comparison_policy>?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let (policy, budget) = (try ComparisonPolicy(policy), try Budget(budget))
    return DecisionObject(
      try engine.compare(
        selfie: try FaceInput(selfie, "selfie"), portrait: try FaceInput(portrait, "portrait"), policy: policy,
        budget: budget))
  }
}

@c @implementation
public func fv_engine_compare_document(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ selfie: UnsafePointer<fv_input>?,
  _ document: OpaquePointer?, _ policy: UnsafePointer<fv_comparison_policy>?, _ budget: UnsafePointer<fv_budget>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let document = try Handles.object(document, DocumentObject.self).reading
    let (policy, budget) = (try ComparisonPolicy(policy), try Budget(budget))
    return DecisionObject(
      try engine.compare(
        selfie: try FaceInput(selfie, "selfie"), document: document, policy: policy, budget: budget))
  }
}

@c @implementation
public func fv_engine_compare_templates(
  _ out: UnsafeMutablePointer<fv_comparison>?, _ engine: OpaquePointer?, _ a: OpaquePointer?, _ b: OpaquePointer?,
  _ falseMatchRate: Double, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let one = try Handles.object(a, TemplateObject.self).template
    let other = try Handles.object(b, TemplateObject.self).template
    let rate = try FalseMatchRate(orDefault: falseMatchRate)
    try Structs.write(out) { fv_comparison(try engine.compare(one, other, at: rate)) }
  }
}

@c @implementation
public func fv_engine_compare_many(
  _ out: UnsafeMutablePointer<fv_comparison>?, _ engine: OpaquePointer?, _ probe: OpaquePointer?,
  _ references: UnsafePointer<fv_references>?, _ budget: UnsafePointer<fv_budget>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let probe = try Handles.object(probe, TemplateObject.self).template
    let references = try Structs.require(references, fv_references(), "references")
    let budget = try Budget(budget)
    let rate = try FalseMatchRate(orDefault: references.false_match_rate)
    let templates = try handles(references.templates, references.template_count, "templates", TemplateObject.self)
    try Structs.write(out, count: templates.count) {
      // In batches, with the budget checked in between: 256 comparisons take about a millisecond.
      try stride(from: 0, to: templates.count, by: 256).flatMap { start in
        try budget.check()
        return try engine.compare(probe, with: templates[start...].prefix(256).map(\.template), at: rate)
      }.map(fv_comparison.init)
    }
  }
}

extension ComparisonPolicy {
  init(_ pointer: UnsafePointer<fv_comparison_policy>?) throws {
    self.init()
    let policy = try Structs.read(pointer, defaults: fv_comparison_policy())
    selfie = try QualityPolicyObject.policy(policy.selfie, else: selfie)
    portrait = try QualityPolicyObject.policy(policy.portrait, else: portrait)
    falseMatchRate = try FalseMatchRate(orDefault: policy.false_match_rate)
  }
}

extension FaceInput {
  fileprivate init(_ pointer: UnsafePointer<fv_input>?, _ side: String) throws {
    let input = try Structs.require(pointer, fv_input(), side)
    switch (input.path, input.image, input.face_template) {
    case (let path?, nil, nil):
      do {
        self = try FaceInput(path: try string(path, "path"))
      } catch let error as VerifyError {
        throw VerifyError(error.code, "\(side): \(error.message)")
      }
    case (nil, let image?, nil):
      self = .photo(try Handles.object(image, ImageObject.self).photo)
    case (nil, nil, let template?):
      self = .template(try Handles.object(template, TemplateObject.self).template)
    default:
      throw VerifyError(.badArgument, "the \(side) must have exactly one of path, image and face_template")
    }
  }
}

extension FalseMatchRate {
  init(checking rate: Double) throws {
    guard let rate = FalseMatchRate(rate) else {
      throw VerifyError(.badArgument, "a false-match rate is between 0 and 1, not \(rate)")
    }
    self = rate
  }

  /// 0 selects the default, one in a thousand.
  init(orDefault rate: Double) throws { self = rate == 0 ? .oneIn1000 : try FalseMatchRate(checking: rate) }
}

extension fv_comparison {
  init(_ comparison: Comparison) {
    self.init()
    score = comparison.score
    threshold = comparison.threshold.score
    decided_at = comparison.threshold.rate.value
    similarity = comparison.similarity
    false_match_rate = comparison.falseMatchRate
    overall_false_match_rate = comparison.overallFalseMatchRate
    false_match_rate_upper_bound = comparison.falseMatchRateUpperBound
    is_match = comparison.isMatch ? 1 : 0
    is_beyond_calibration = comparison.isBeyondCalibration ? 1 : 0
  }
}
