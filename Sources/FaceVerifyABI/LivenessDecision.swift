public import CFaceVerify
internal import FaceVerify

final class LivenessDecisionObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "liveness decision" }
  let decision: LivenessDecision

  init(_ decision: LivenessDecision) { self.decision = decision }
}

private func find(_ decision: OpaquePointer?) -> LivenessDecisionObject? {
  Handles.find(decision, LivenessDecisionObject.self)
}

private func object(_ decision: OpaquePointer?) throws -> LivenessDecisionObject {
  try Handles.object(decision, LivenessDecisionObject.self)
}

@c @implementation
public func fv_liveness_decision_result(_ decision: OpaquePointer?) -> fv_liveness_result {
  find(decision)?.decision.result.number ?? 0
}

@c @implementation
public func fv_liveness_decision_retry_reason(_ decision: OpaquePointer?) -> fv_retry_reason {
  find(decision)?.decision.retry?.number ?? 0
}

@c @implementation
public func fv_liveness_decision_reason_count(_ decision: OpaquePointer?) -> Int {
  find(decision)?.decision.reasons.count ?? 0
}

@c @implementation
public func fv_liveness_decision_reason_at(
  _ out: UnsafeMutablePointer<fv_reason>?, _ decision: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(decision)
    let reason = try object.decision.reasons.element(index)
    try Structs.write(out) { fv_reason(reason.code, reason.text, of: object) }
  }
}

@c @implementation
public func fv_liveness_signal_at(_ index: Int) -> UnsafePointer<CChar>? {
  (try? LivenessSignal.allCases.element(index)).map { HandleObject.constants.text($0.rawValue) }
}

@c @implementation
public func fv_liveness_decision_check_count(_ decision: OpaquePointer?) -> Int {
  find(decision)?.decision.checks.count ?? 0
}

@c @implementation
public func fv_liveness_decision_check_at(
  _ out: UnsafeMutablePointer<fv_liveness_check>?, _ decision: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(decision)
    let check = try object.decision.checks.element(index)
    try Structs.write(out) {
      var value = fv_liveness_check()
      value.signal = object.text(check.signal.rawValue)
      value.unit = object.text(check.unit)
      value.text = object.text(check.text)
      value.source = object.text(check.source)
      value.status = check.status.number
      value.value = check.value ?? .nan
      value.minimum = check.minimum ?? .nan
      value.maximum = check.maximum ?? .nan
      return value
    }
  }
}

@c @implementation
public func fv_liveness_decision_answer_count(_ decision: OpaquePointer?) -> Int {
  find(decision)?.decision.answers.count ?? 0
}

@c @implementation
public func fv_liveness_decision_answer_at(
  _ out: UnsafeMutablePointer<fv_challenge_answer>?, _ decision: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let answer = try object(decision).decision.answers.element(index)
    try Structs.write(out) {
      var value = fv_challenge_answer()
      value.challenge = answer.challenge.number
      value.outcome = answer.outcome.number
      value.asked = answer.asked ?? .nan
      value.ended = answer.ended
      value.failed_tries = Int64(answer.failedTries)
      value.movement = answer.movement?.number ?? 0
      return value
    }
  }
}

@c @implementation
public func fv_liveness_decision_describe(
  _ out: UnsafeMutablePointer<fv_liveness_evidence>?, _ decision: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try object(decision)
    try Structs.write(out) {
      let decision = object.decision
      var value = fv_liveness_evidence()
      value.policy = object.text(decision.policy.name)
      value.nonce = object.text(hexadecimal(decision.nonce))
      value.chain_sha256 = object.text(hexadecimal(decision.chain.head))
      value.frame_count = Int64(decision.chain.count)
      value.refused_frame_count = Int64(decision.refusedFrames)
      value.first_time = decision.span?.lowerBound ?? .nan
      value.last_time = decision.span?.upperBound ?? .nan
      value.averaged_frame_count = Int64(decision.averagedFrames)
      value.selfie_time = decision.selfie?.time ?? .nan
      value.selfie_quality = decision.selfie?.quality.score.map(Double.init) ?? .nan
      return value
    }
  }
}

@c @implementation
public func fv_liveness_decision_selfie(_ decision: OpaquePointer?) -> OpaquePointer? {
  find(decision).flatMap { object in
    object.decision.selfie.map { selfie in object.handle("selfie") { ImageObject(Photo(pixels: selfie.picture)) } }
  }
}

@c @implementation
public func fv_liveness_decision_quality_count(_ decision: OpaquePointer?) -> Int {
  find(decision)?.decision.selfie?.quality.checks.count ?? 0
}

@c @implementation
public func fv_liveness_decision_quality_at(
  _ out: UnsafeMutablePointer<fv_quality_check>?, _ decision: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(decision)
    let check = try (object.decision.selfie?.quality.checks ?? []).element(index)
    try Structs.write(out) { fv_quality_check(check, of: object) }
  }
}

@c @implementation
public func fv_liveness_decision_template(_ decision: OpaquePointer?) -> OpaquePointer? {
  find(decision).flatMap { object in
    object.decision.template.map { template in object.handle("template") { TemplateObject(template) } }
  }
}

@c @implementation
public func fv_liveness_decision_json(_ decision: OpaquePointer?) -> UnsafePointer<CChar>? {
  find(decision).map { object in object.text("json") { object.decision.json } }
}

@c @implementation
public func fv_liveness_decision_free(_ decision: OpaquePointer?) {
  Handles.free(decision, LivenessDecisionObject.self)
}
