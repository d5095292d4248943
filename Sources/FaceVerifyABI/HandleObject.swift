internal import FaceVerify

/// What a handle stands for, with the texts and objects that were borrowed from it.
class HandleObject: @unchecked Sendable {
  // Sendable: subclasses are immutable, or say what guards them; `borrowed` is guarded by its mutex.
  class var name: String { "object" }
  /// Holds the texts that live as long as the process.
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

  /// A C string that lives as long as this object, made at the first call with this name.
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

  /// A handle that lives as long as this object, made at the first call with this name.
  func handle(_ name: String, _ make: () -> HandleObject) -> OpaquePointer {
    borrowed.withLock { borrowed in
      if let known = borrowed.handles[name] { return known }
      let handle = Handles.add(make(), isBorrowed: true)
      borrowed.handles[name] = handle
      return handle
    }
  }
}
