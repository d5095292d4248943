public import CFaceVerify
internal import FaceVerify

final class LivenessRequestStoreObject: HandleObject, @unchecked Sendable {
  // Sendable: LivenessRequestStore is.
  override class var name: String { "liveness request store" }
  let store = LivenessRequestStore()
}

@c @implementation
public func fv_liveness_request_store_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { LivenessRequestStoreObject() }
}

@c @implementation
public func fv_liveness_request_store_free(_ store: OpaquePointer?) {
  Handles.free(store, LivenessRequestStoreObject.self)
}

@c @implementation
public func fv_liveness_request_store_issue(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ store: OpaquePointer?, _ draw: UnsafePointer<fv_challenge_draw>?,
  _ lifetime: Double, _ now: Double, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let store = try Handles.object(store, LivenessRequestStoreObject.self).store
    let draw = try Draw(draw)
    return LivenessRequestObject(
      try store.issue(
        count: draw.count, from: draw.challenges, lifetime: lifetime == 0 ? 300 : lifetime, now: try date(now)))
  }
}

@c @implementation
public func fv_liveness_request_store_accept(
  _ store: OpaquePointer?, _ decision: OpaquePointer?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let store = try Handles.object(store, LivenessRequestStoreObject.self).store
    let decision = try Handles.object(decision, LivenessDecisionObject.self).decision
    try store.accept(decision, now: try date(now))
  }
}
