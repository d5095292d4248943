internal import CFaceVerify
internal import FaceVerify
internal import Synchronization

/// The table of objects owned by programs, by handle.
///
/// A handle has the type of a pointer, but is a number outside every address space; it is never dereferenced or reused.
/// A freed or foreign handle is therefore an error rather than a crash, and an object freed by one thread lives until
/// calls of other threads with it end.
enum Handles {
  private struct Entry {
    let object: HandleObject
    let isBorrowed: Bool
  }

  private struct Table {
    // Not canonical on x86-64 or 64-bit ARM: dereferencing it crashes the program immediately.
    var next: UInt = 0xFACE_0000_0000_0000
    var entries: [UInt: Entry] = [:]
    var owned = 0
  }

  private static let table = Lock(Table())

  static var owned: Int { table.withLock { $0.owned } }

  /// - Parameter isBorrowed: the object belongs to another one; the program cannot free it.
  static func add(_ object: HandleObject, isBorrowed: Bool = false) -> OpaquePointer {
    let number = table.withLock { table in
      table.next += 16
      table.entries[table.next] = Entry(object: object, isBorrowed: isBorrowed)
      if !isBorrowed { table.owned += 1 }
      return table.next
    }
    return OpaquePointer(bitPattern: number)!
  }

  fileprivate static func find(_ handle: Handle) -> HandleObject? {
    let number = UInt(bitPattern: handle)
    return table.withLock { $0.entries[number] }?.object
  }

  /// Frees an object; no effect if the handle has another type, is borrowed, or was freed already.
  fileprivate static func free(_ handle: Handle, _ type: HandleObject.Type) {
    let number = UInt(bitPattern: handle)
    // Released outside the lock, which objects borrowed from it need.
    let object = table.withLock { table -> HandleObject? in
      guard let entry = table.entries[number], !entry.isBorrowed, Swift.type(of: entry.object) == type else {
        return nil
      }
      table.entries[number] = nil
      table.owned -= 1
      return entry.object
    }
    withExtendedLifetime(object) {}
  }

  fileprivate static func remove(borrowed handles: some Sequence<OpaquePointer>) {
    let objects = table.withLock { table in
      handles.map { table.entries.removeValue(forKey: UInt(bitPattern: $0)) }
    }
    withExtendedLifetime(objects) {}
  }
}

@c @implementation public func fv_live_objects() -> Int { Handles.owned }

/// The object behind a handle, and the texts and objects borrowed from it.
class HandleObject: Handled, @unchecked Sendable {
  // Sendable: subclasses are immutable or document their locking; `borrowed` has its mutex.
  /// Owns texts with the lifetime of the process.
  static let constants = HandleObject()

  private struct Borrowed {
    var texts: [String: UnsafeMutablePointer<CChar>] = [:]
    var handles: [AnyHashable: OpaquePointer] = [:]
  }

  private let borrowed = Lock(Borrowed())

  /// The text of fv_x_json().
  var json: String { "" }

  deinit {
    borrowed.withLock { borrowed in
      for text in borrowed.texts.values { text.deallocate() }
      Handles.remove(borrowed: borrowed.handles.values)
    }
  }

  /// A C string with the lifetime of this object, created on the first call with this name.
  func text(_ name: String, _ make: () -> String) -> UnsafePointer<CChar> { text(key: "\u{0}" + name, make) }

  func text(_ text: String) -> UnsafePointer<CChar> { self.text(key: text) { text } }

  func text(orNull text: String?) -> Text { text.map { self.text($0) } }

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

  /// A handle with the lifetime of this object, created on the first call with this name; NULL if there is no object.
  func handle(_ name: some Hashable, _ make: () -> HandleObject?) -> Handle {
    borrowed.withLock { borrowed in
      if let known = borrowed.handles[AnyHashable(name)] { return known }
      let handle = make().map { Handles.add($0, isBorrowed: true) }
      borrowed.handles[AnyHashable(name)] = handle
      return handle
    }
  }
}

/// The object of one value, which is immutable or thread-safe.
class Box<Value: Sendable>: HandleObject, @unchecked Sendable {
  // Sendable: `value` is.
  let value: Value

  init(_ value: Value) { self.value = value }

  /// - Throws: as ``of(_:)``.
  static func value(of handle: Handle) throws -> Value { try of(handle).value }
}

/// The functions that all handles of a type have.
protocol Handled: AnyObject {}

extension Handled where Self: HandleObject {
  /// The C name of the dynamic type, for messages.
  private static var name: String {
    "\(self)".dropLast("Object".count).reduce(into: "fv") { name, character in
      name += character.isUppercase ? "_\(character.lowercased())" : "\(character)"
    }
  }

  /// nil if the handle has no live object of this type.
  static func find(_ handle: Handle) -> Self? { Handles.find(handle) as? Self }

  /// - Throws: ``VerifyError/Code/badArgument`` if the handle has no live object of this type.
  static func of(_ handle: Handle) throws -> Self {
    guard handle != nil else { throw VerifyError(.badArgument, "the \(name) is NULL") }
    guard let object = find(handle) else {
      throw VerifyError(.badArgument, "the \(name) was freed already, or is another object")
    }
    return object
  }

  static func free(_ handle: Handle) { Handles.free(handle, Self.self) }

  /// Fills a struct with a description of an object, or of a part of it.
  static func describe<Struct>(_ out: Out<Struct>, _ handle: Handle, _ make: (Self) throws -> Struct) -> fv_status {
    attempt {
      let object = try of(handle)
      try Structs.write(out) { try make(object) }
    }
  }

  /// A text borrowed from an object; NULL without one.
  static func text(_ handle: Handle, _ make: (Self) throws -> String?) -> Text {
    find(handle).flatMap { object in (try? make(object)).map { object.text($0) } }
  }

  static func json(_ handle: Handle) -> Text { find(handle).map { object in object.text("json") { object.json } } }
}

/// The length of one of an object's lists; 0 without the object.
func count<Object: HandleObject, Element>(_ handle: Handle, _ list: KeyPath<Object, [Element]>) -> Int {
  Object.find(handle)?[keyPath: list].count ?? 0
}

/// An object borrowed from another one; NULL without one.
func lend<Object: HandleObject, Part: HandleObject>(_ handle: Handle, _ part: KeyPath<Object, Part?>) -> Handle {
  Object.find(handle).flatMap { object in object.handle(part) { object[keyPath: part] } }
}

/// An object that allows one thread at a time.
class GuardedObject: HandleObject, @unchecked Sendable {
  // Sendable: subclasses use their state only within `use`.
  private let isUsed = Atomic(false)

  /// - Throws: ``VerifyError/Code/busy`` while another thread uses this object.
  func use<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isUsed.exchange(true, ordering: .acquiring) else {
      throw VerifyError(.busy, "another thread uses this object")
    }
    defer { isUsed.store(false, ordering: .releasing) }
    return try body()
  }
}
