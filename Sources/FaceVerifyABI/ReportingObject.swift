internal import CFaceVerify
internal import FaceVerify

/// An object that one thread uses at a time, and that keeps the message of the last call on it.
class ReportingObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  /// Never moves: a thread that reads it without right reads nonsense, not freed memory.
  private let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(FV_MESSAGE_SIZE))

  override init() { message.initialize(repeating: 0) }

  deinit { message.deallocate() }

  static func message(of handle: OpaquePointer?) -> UnsafePointer<CChar>? {
    Handles.find(handle, Self.self).map { UnsafePointer($0.message.baseAddress!) }
  }

  fileprivate func attempt(_ body: () throws -> Void) throws -> fv_status {
    try use { FaceVerifyABI.attempt(message.baseAddress, message.count, body) }
  }
}

/// Runs `body` with an object that no other thread uses meanwhile; what it throws becomes the object's message.
func use<Object: ReportingObject>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Void
) -> fv_status {
  var status = fv_status(FV_OK)
  // What is thrown before the object is taken, that another thread has it, leaves its message alone.
  let taken = attempt {
    let object = try Handles.object(handle, type)
    status = try object.attempt { try body(object) }
  }
  return taken == FV_OK ? status : taken
}

/// The same, for what makes an object.
func use<Object: ReportingObject>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ make: (Object) throws -> HandleObject
) -> fv_status {
  out?.pointee = nil
  return use(handle, type) { object in try put(into: out) { try make(object) } }
}
