public import CFaceVerify
internal import FaceVerify

final class CancellationObject: HandleObject, @unchecked Sendable {
  // Sendable: Cancellation is.
  override class var name: String { "cancellation" }
  let cancellation = Cancellation()
}

@c @implementation
public func fv_cancellation_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { CancellationObject() }
}

@c @implementation
public func fv_cancellation_cancel(_ cancellation: OpaquePointer?) {
  Handles.find(cancellation, CancellationObject.self)?.cancellation.cancel()
}

@c @implementation
public func fv_cancellation_free(_ cancellation: OpaquePointer?) {
  Handles.free(cancellation, CancellationObject.self)
}

extension Budget {
  /// Starts its time now.
  init(_ pointer: UnsafePointer<fv_budget>?) throws {
    let budget = try Structs.read(pointer, defaults: fv_budget())
    guard budget.seconds >= 0 else {
      throw VerifyError(.badArgument, "a budget has a number of seconds, or 0: unlimited; not \(budget.seconds)")
    }
    var cancellation: Cancellation?
    if budget.cancellation != nil {
      cancellation = try Handles.object(budget.cancellation, CancellationObject.self).cancellation
    }
    self.init(seconds: budget.seconds == 0 ? nil : budget.seconds, cancellation: cancellation)
  }
}
