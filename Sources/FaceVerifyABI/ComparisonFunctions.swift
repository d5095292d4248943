public import CFaceVerify
internal import FaceVerify

final class DecisionObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  private let decision: FaceDecision

  init(_ decision: FaceDecision) { self.decision = decision }

  override var json: String { decision.json }
  var result: FaceDecision.Result { decision.result }
  var reasons: [FaceDecision.Reason] { decision.reasons }
  var comparison: Comparison? { result == .refused ? nil : decision.comparison }
  var selfie: SampleObject? { decision.selfie.sample.map(SampleObject.init) }
  var portrait: SampleObject? { decision.portrait.sample.map(SampleObject.init) }
}

@c @implementation
public func fv_decision_result(_ decision: Handle) -> fv_result { DecisionObject.find(decision)?.result.number ?? 0 }

@c @implementation public func fv_decision_comparison(_ out: Out<fv_comparison>, _ decision: Handle) -> fv_status {
  DecisionObject.describe(out, decision) { object in
    guard let comparison = object.comparison else { throw VerifyError(.absent, "the decision was refused") }
    return fv_comparison(comparison)
  }
}

extension fv_reason {
  init(_ reason: FaceDecision.Reason, of owner: HandleObject) {
    self.init()
    code = owner.text(reason.code)
    text = owner.text(reason.text)
    status = reason.status.number
  }
}

@c @implementation public func fv_engine_compare(
  _ out: NewHandle, _ engine: Handle, _ selfie: In<fv_input>, _ portrait: In<fv_input>,
  _ policy: In<fv_comparison_policy>, _ budget: In<fv_budget>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let (policy, budget) = (try ComparisonPolicy(policy), try Budget(budget))
    return DecisionObject(
      try engine.compare(
        selfie: try FaceInput(selfie, "selfie"), portrait: try FaceInput(portrait, "portrait"), policy: policy,
        budget: budget))
  }
}

@c @implementation public func fv_engine_compare_document(
  _ out: NewHandle, _ engine: Handle, _ selfie: In<fv_input>, _ document: Handle, _ policy: In<fv_comparison_policy>,
  _ budget: In<fv_budget>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let document = try DocumentObject.value(of: document)
    let (policy, budget) = (try ComparisonPolicy(policy), try Budget(budget))
    return DecisionObject(
      try engine.compare(
        selfie: try FaceInput(selfie, "selfie"), portrait: .document(document), policy: policy, budget: budget))
  }
}

@c @implementation public func fv_engine_compare_templates(
  _ out: Out<fv_comparison>, _ engine: Handle, _ a: Handle, _ b: Handle, _ falseMatchRate: Double, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let (one, other) = (try TemplateObject.value(of: a), try TemplateObject.value(of: b))
    let rate = try FalseMatchRate(orDefault: falseMatchRate)
    try Structs.write(out) { fv_comparison(try engine.compare(one, other, at: rate)) }
  }
}

@c @implementation public func fv_engine_compare_many(
  _ out: Out<fv_comparison>, _ engine: Handle, _ probe: Handle, _ references: In<fv_references>,
  _ budget: In<fv_budget>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let probe = try TemplateObject.value(of: probe)
    let references = try Structs.require(references, fv_references(), "references")
    let budget = try Budget(budget)
    let rate = try FalseMatchRate(orDefault: references.false_match_rate)
    let templates = try handles(references.templates, references.template_count, "templates", TemplateObject.self)
    try Structs.write(out, count: templates.count) {
      // In batches, with the budget checked in between: 256 comparisons take about a millisecond.
      try stride(from: 0, to: templates.count, by: 256).flatMap { start in
        try budget.check()
        return try engine.compare(probe, with: templates[start...].prefix(256).map(\.value), at: rate)
      }.map(fv_comparison.init)
    }
  }
}

extension ComparisonPolicy {
  init(_ pointer: In<fv_comparison_policy>) throws {
    self.init()
    let policy = try Structs.read(pointer, defaults: fv_comparison_policy())
    selfie = try QualityPolicyObject.policy(policy.selfie, else: selfie)
    portrait = try QualityPolicyObject.policy(policy.portrait, else: portrait)
    falseMatchRate = try FalseMatchRate(orDefault: policy.false_match_rate).among(
      FalseMatchRate.Population(policy.among))
  }
}

extension FaceInput {
  fileprivate init(_ pointer: In<fv_input>, _ side: String) throws {
    let input = try Structs.require(pointer, fv_input(), side)
    switch (input.path, input.image, input.face_template) {
    case (let path?, nil, nil):
      do {
        self = try FaceInput(path: try string(path, "path"))
      } catch let error as VerifyError {
        throw error.about(side)
      }
    case (nil, let image?, nil): self = .photo(try ImageObject.value(of: image))
    case (nil, nil, let template?): self = .template(try TemplateObject.value(of: template))
    default: throw VerifyError(.badArgument, "the \(side) must have exactly one of path, image and face_template")
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

  /// - Parameter standard: the default, for 0.
  init(orDefault rate: Double, _ standard: FalseMatchRate = .oneIn1000) throws {
    self = rate == 0 ? standard : try FalseMatchRate(checking: rate)
  }
}

extension FalseMatchRate.Population {
  init(_ name: Text) throws {
    guard let name = try optionalString(name, "among") else {
      self = .worstGroup
      return
    }
    guard let known = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw VerifyError(.badArgument, "a false-match rate holds among one of: \(names); not \"\(name)\"")
    }
    self = known
  }
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
    overall_false_match_rate_upper_bound = comparison.overallFalseMatchRateUpperBound
    false_match_rate_upper_bound = comparison.falseMatchRateUpperBound
    is_match = fv_bool(comparison.isMatch)
    is_beyond_calibration = fv_bool(comparison.isBeyondCalibration)
  }
}
