public import CFaceVerify
internal import FaceVerify

final class DecisionObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "decision" }
  let decision: FaceDecision
  /// What a document adds to the decision; nil without one.
  private let document: DocumentDecision?

  init(_ decision: FaceDecision) {
    self.decision = decision
    document = nil
  }

  init(_ document: DocumentDecision) {
    decision = document.comparison
    self.document = document
  }

  var result: FaceDecision.Result { document?.result ?? decision.result }
  var reasons: [FaceDecision.Reason] { document?.reasons ?? decision.reasons }
  var json: String { document?.json ?? decision.json }

  func sample(_ role: String, _ side: FaceDecision.Side) -> OpaquePointer? {
    side.sample.map { sample in handle(role) { SampleObject(sample) } }
  }

  func reason(_ index: Int) -> FaceDecision.Reason? { try? reasons.element(index) }
}

private let results: [(number: Int, result: FaceDecision.Result)] = [
  (FV_RESULT_MATCH, .match), (FV_RESULT_NO_MATCH, .noMatch), (FV_RESULT_REFUSED, .refused),
]

@c @implementation
public func fv_result_name(_ result: CInt) -> UnsafePointer<CChar>? {
  HandleObject.constants.text(results.first { $0.number == Int(result) }?.result.rawValue ?? "none")
}

@c @implementation
public func fv_decision_result(_ decision: OpaquePointer?) -> CInt {
  guard let object = Handles.find(decision, DecisionObject.self) else { return 0 }
  return results.first { $0.result == object.result }.map { CInt($0.number) } ?? 0
}

@c @implementation
public func fv_decision_reason_count(_ decision: OpaquePointer?) -> Int {
  Handles.find(decision, DecisionObject.self)?.reasons.count ?? 0
}

@c @implementation
public func fv_decision_reason_code(_ decision: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  guard let object = Handles.find(decision, DecisionObject.self) else { return nil }
  return object.reason(index).map { object.text($0.code) }
}

@c @implementation
public func fv_decision_reason_text(_ decision: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  guard let object = Handles.find(decision, DecisionObject.self) else { return nil }
  return object.reason(index).map { object.text($0.text) }
}

@c @implementation
public func fv_decision_comparison(_ out: UnsafeMutablePointer<fv_comparison>?, _ decision: OpaquePointer?) -> fv_status
{
  attempt {
    let object = try Handles.object(decision, DecisionObject.self)
    guard object.result != .refused, let comparison = object.decision.comparison else {
      throw VerifyError(.absent, "the decision was refused")
    }
    try Structs.write(out) { fv_comparison(comparison) }
  }
}

@c @implementation
public func fv_decision_selfie(_ decision: OpaquePointer?) -> OpaquePointer? {
  Handles.find(decision, DecisionObject.self).flatMap { $0.sample("selfie", $0.decision.selfie) }
}

@c @implementation
public func fv_decision_portrait(_ decision: OpaquePointer?) -> OpaquePointer? {
  Handles.find(decision, DecisionObject.self).flatMap { $0.sample("portrait", $0.decision.portrait) }
}

@c @implementation
public func fv_decision_json(_ decision: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(decision, DecisionObject.self).map { object in object.text("json") { object.json } }
}

@c @implementation
public func fv_decision_free(_ decision: OpaquePointer?) { Handles.free(decision, DecisionObject.self) }

extension fv_comparison {
  init(_ comparison: Comparison) {
    self.init()
    score = comparison.score
    threshold = comparison.threshold.score
    decided_at = comparison.threshold.rate.value
    similarity = comparison.similarity
    false_match_rate = comparison.falseMatchRate
    false_match_rate_upper_bound = comparison.falseMatchRateUpperBound
    is_match = comparison.isMatch ? 1 : 0
    is_beyond_calibration = comparison.isBeyondCalibration ? 1 : 0
  }
}
