public import CFaceVerify
internal import FaceVerify

final class DecisionObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "decision" }
  let decision: FaceDecision
  /// The decision on the document; nil without one.
  private let document: DocumentDecision?

  init(_ decision: FaceDecision) {
    self.decision = decision
    document = nil
  }

  init(_ document: DocumentDecision) {
    decision = document.comparison
    self.document = document
  }

  convenience init(_ match: FaceCredential.Match) {
    switch match {
    case .portrait(let decision): self.init(decision)
    case .document(let decision): self.init(decision)
    }
  }

  var result: FaceDecision.Result { document?.result ?? decision.result }
  var reasons: [FaceDecision.Reason] { document?.reasons ?? decision.reasons }
  var json: String { document?.json ?? decision.json }

  func sample(_ role: String, _ side: FaceDecision.Side) -> OpaquePointer? {
    side.sample.map { sample in handle(role) { SampleObject(sample) } }
  }
}

@c @implementation
public func fv_decision_result(_ decision: OpaquePointer?) -> fv_result {
  Handles.find(decision, DecisionObject.self)?.result.number ?? 0
}

@c @implementation
public func fv_decision_reason_count(_ decision: OpaquePointer?) -> Int {
  Handles.find(decision, DecisionObject.self)?.reasons.count ?? 0
}

@c @implementation
public func fv_decision_reason_at(
  _ out: UnsafeMutablePointer<fv_reason>?, _ decision: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try Handles.object(decision, DecisionObject.self)
    let reason = try object.reasons.element(index)
    try Structs.write(out) { fv_reason(reason.code, reason.text, of: object) }
  }
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

extension fv_reason {
  /// - Parameter owner: determines the lifetime of the texts.
  init(_ code: String, _ text: String, of owner: HandleObject) {
    self.init()
    self.code = owner.text(code)
    self.text = owner.text(text)
  }
}
