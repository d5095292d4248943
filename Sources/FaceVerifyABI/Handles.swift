internal import FaceVerify

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

  /// The number of objects that the program has not freed.
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

  static func find<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
    let number = UInt(bitPattern: handle)
    return table.withLock { $0.entries[number] }?.object as? Object
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if the handle has no live object of that type.
  static func object<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) throws -> Object {
    guard let handle else { throw VerifyError(.badArgument, "the \(type.name) is NULL") }
    guard let object = find(handle, type) else {
      throw VerifyError(.badArgument, "the \(type.name) was freed already, or is no \(type.name)")
    }
    return object
  }

  /// Frees an object; no effect if the handle has another type, is borrowed, or was freed already.
  static func free<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    let number = UInt(bitPattern: handle)
    // Released outside the lock, which objects borrowed from it need.
    let object = table.withLock { table -> HandleObject? in
      guard let entry = table.entries[number], !entry.isBorrowed, entry.object is Object else { return nil }
      table.entries[number] = nil
      table.owned -= 1
      return entry.object
    }
    withExtendedLifetime(object) {}
  }

  static func remove(borrowed handles: some Sequence<OpaquePointer>) {
    let objects = table.withLock { table in
      handles.map { table.entries.removeValue(forKey: UInt(bitPattern: $0)) }
    }
    withExtendedLifetime(objects) {}
  }
}
