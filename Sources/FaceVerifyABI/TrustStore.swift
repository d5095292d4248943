public import CFaceVerify
internal import FaceVerify

final class TrustStoreObject: HandleObject, @unchecked Sendable {
  // Sendable: the store is guarded by its lock.
  override class var name: String { "trust store" }
  let store: Lock<TrustStore>

  init(_ store: TrustStore) { self.store = Lock(store) }

  /// A handle's current store, or an empty one if it is NULL.
  static func store(_ handle: OpaquePointer?) throws -> TrustStore {
    guard handle != nil else { return TrustStore() }
    return try Handles.object(handle, Self.self).store.withLock { $0 }
  }
}

@c @implementation
public func fv_trust_store_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ folder: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    TrustStoreObject(try folder.map { try TrustStore(folder: try string($0, "folder")) } ?? TrustStore())
  }
}

@c @implementation
public func fv_trust_store_free(_ store: OpaquePointer?) { Handles.free(store, TrustStoreObject.self) }

@c @implementation
public func fv_trust_store_add(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?, _ byteCount: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(store, TrustStoreObject.self)
    let (name, content) = try file(name, start, byteCount, limit: TrustStore.maximumFileBytes)
    let source = object.store.withLock { $0.add(content, name: name) }
    guard ![.refused, .notPinned].contains(source.kind) else {
      throw VerifyError(source.signature == .failed ? .damaged : .unknownFormat, "\(name): \(source.text)")
    }
  }
}

@c @implementation
public func fv_trust_store_pin(
  _ store: OpaquePointer?, _ sha256: UnsafePointer<CChar>?, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(store, TrustStoreObject.self)
    guard let sha256 else { throw VerifyError(.badArgument, "the fingerprint is NULL") }
    let pin = try string(sha256, "fingerprint")
    try object.store.withLock { try $0.pin(pin) }
  }
}

@c @implementation
public func fv_trust_store_anchor_count(_ store: OpaquePointer?) -> Int {
  Handles.find(store, TrustStoreObject.self)?.store.withLock { $0.anchors.count } ?? 0
}

@c @implementation
public func fv_trust_store_json(_ store: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(store, TrustStoreObject.self).map { object in
    // Each added file changes the text; texts already returned remain valid.
    let store = object.store.withLock { $0 }
    return object.text("json \(store.sources.count)") { store.json }
  }
}

/// A file in the program's memory.
///
/// - Parameter limit: in bytes, checked before copying.
func file(
  _ name: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?, _ count: Int, limit: Int
) throws -> (name: String, content: [UInt8]) {
  guard let name else { throw VerifyError(.badArgument, "the file's name is NULL") }
  let text = try string(name, "file's name")
  let content = try bytes(start, count, "file")
  guard count <= limit else { throw VerifyError(.tooLarge, "\(text) has \(count) bytes, the limit is \(limit)") }
  return (text, Array(content))
}
