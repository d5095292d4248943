public import CFaceVerify
internal import FaceVerify

final class LivenessRegisterObject: HandleObject, @unchecked Sendable {
  // Sendable: LivenessRequestStore is.
  override class var name: String { "liveness register" }
  let register = LivenessRequestStore()
}

@c @implementation
public func fv_liveness_register_create(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> fv_status {
  create(out) { LivenessRegisterObject() }
}

@c @implementation
public func fv_liveness_register_free(_ requests: OpaquePointer?) {
  Handles.free(requests, LivenessRegisterObject.self)
}

@c @implementation
public func fv_liveness_register_issue(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ requests: OpaquePointer?, _ draw: UnsafePointer<fv_liveness_draw>?,
  _ lifetime: Double, _ now: Double, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    let register = try Handles.object(requests, LivenessRegisterObject.self).register
    let draw = try Draw(draw)
    return LivenessRequestObject(
      try register.issue(
        count: draw.count, from: draw.challenges, lifetime: lifetime == 0 ? 300 : lifetime, now: try date(now)))
  }
}

@c @implementation
public func fv_liveness_register_accept(
  _ requests: OpaquePointer?, _ decision: OpaquePointer?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ capacity: Int
) -> fv_status {
  attempt(message, capacity) {
    let register = try Handles.object(requests, LivenessRegisterObject.self).register
    let decision = try Handles.object(decision, LivenessDecisionObject.self).decision
    try register.accept(decision, now: try date(now))
  }
}
