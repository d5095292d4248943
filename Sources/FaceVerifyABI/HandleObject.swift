internal import FaceVerify

/// The object behind a handle, and the texts and objects borrowed from it.
class HandleObject: @unchecked Sendable {
  // Sendable: subclasses are immutable or document their locking; `borrowed` has its mutex.
  class var name: String { "object" }
  /// Owns texts with the lifetime of the process.
  static let constants = HandleObject()

  private struct Borrowed {
    var texts: [String: UnsafeMutablePointer<CChar>] = [:]
    var handles: [String: OpaquePointer] = [:]
  }

  private let borrowed = Lock(Borrowed())

  deinit {
    borrowed.withLock { borrowed in
      for text in borrowed.texts.values { text.deallocate() }
      Handles.remove(borrowed: borrowed.handles.values)
    }
  }

  /// A C string with the lifetime of this object, created on the first call with this name.
  func text(_ name: String, _ make: () -> String) -> UnsafePointer<CChar> { text(key: "\u{0}" + name, make) }

  func text(_ text: String) -> UnsafePointer<CChar> { self.text(key: text) { text } }

  private func text(key: String, _ make: () -> String) -> UnsafePointer<CChar> {
    if let known = borrowed.withLock({ $0.texts[key] }) { return UnsafePointer(known) }
    let made = make()
    return borrowed.withLock { borrowed in
      if let known = borrowed.texts[key] { return UnsafePointer(known) }
      let bytes = made.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      bytes.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: $0.count) }
      borrowed.texts[key] = copy
      return UnsafePointer(copy)
    }
  }

  /// A handle with the lifetime of this object, created on the first call with this name.
  func handle(_ name: String, _ make: () -> HandleObject) -> OpaquePointer {
    borrowed.withLock { borrowed in
      if let known = borrowed.handles[name] { return known }
      let handle = Handles.add(make(), isBorrowed: true)
      borrowed.handles[name] = handle
      return handle
    }
  }
}
