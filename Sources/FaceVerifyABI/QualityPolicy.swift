public import CFaceVerify
internal import FaceVerify

final class QualityPolicyObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  override class var name: String { "quality policy" }
  var policy: QualityPolicy

  init(_ policy: QualityPolicy) { self.policy = policy }

  /// A copy of a handle's policy, or the default if it is NULL.
  static func policy(_ handle: OpaquePointer?, else standard: QualityPolicy) throws -> QualityPolicy {
    guard handle != nil else { return standard }
    let object = try Handles.object(handle, Self.self)
    return try object.use { object.policy }
  }
}

@c @implementation
public func fv_quality_policy_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ name: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let name else { throw VerifyError(.badArgument, "the policy's name is NULL") }
    let text = try string(name, "policy's name")
    guard let policy = [QualityPolicy.selfie, .documentPortrait, .chipPortrait, .any].first(where: { $0.name == text })
    else { throw VerifyError(.badArgument, "there is no policy \"\(text)\"") }
    return QualityPolicyObject(policy)
  }
}

@c @implementation
public func fv_quality_policy_free(_ policy: OpaquePointer?) { Handles.free(policy, QualityPolicyObject.self) }

@c @implementation
public func fv_quality_policy_require(
  _ policy: OpaquePointer?, _ measure: UnsafePointer<CChar>?, _ minimum: Double, _ maximum: Double,
  _ refusedBelow: Double, _ refusedAbove: Double, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(policy, QualityPolicyObject.self)
    guard let measure else { throw VerifyError(.badArgument, "the measure is NULL") }
    let named = QualityMeasure(rawValue: try string(measure, "measure"))
    guard QualityMeasure.allCases.contains(named) else {
      throw VerifyError(.badArgument, "there is no measure \"\(named)\"")
    }
    let limits = [minimum, maximum, refusedBelow, refusedAbove].map { $0.isNaN ? nil : $0 }
    try object.use {
      object.policy[named] =
        limits.contains { $0 != nil }
        ? .init(atLeast: limits[0], atMost: limits[1], refusedBelow: limits[2], refusedAbove: limits[3]) : nil
    }
  }
}

@c @implementation
public func fv_quality_measure_at(_ index: Int) -> UnsafePointer<CChar>? {
  (try? QualityMeasure.allCases.element(index)).map { HandleObject.constants.text($0.rawValue) }
}
