internal import FaceVerify

/// The objects that programs hold, looked up by number.
///
/// A handle looks like a pointer and is none: it lies outside of every address space, is never followed, and never used
/// again. So a freed or foreign one is an error and no crash, and an object that one thread frees lives on until
/// another thread's call with it ends.
enum Handles {
  private struct Entry {
    let object: HandleObject
    let isBorrowed: Bool
  }

  private struct Table {
    // Not canonical on x86-64 nor on 64-bit ARM: a program that follows it stops there.
    var next: UInt = 0xFACE_0000_0000_0000
    var entries: [UInt: Entry] = [:]
    var owned = 0
  }

  private static let table = Lock(Table())

  /// Objects of the program that were not freed.
  static var owned: Int { table.withLock { $0.owned } }

  /// - Parameter isBorrowed: belongs to another object: the program cannot free it.
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

  /// - Throws: ``VerifyError/Code/badArgument`` if the handle is of no living object of that type.
  static func object<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) throws -> Object {
    guard let handle else { throw VerifyError(.badArgument, "the \(type.name) is NULL") }
    guard let object = find(handle, type) else {
      throw VerifyError(.badArgument, "the \(type.name) was freed already, or is no \(type.name)")
    }
    return object
  }

  /// Does nothing for a handle that cannot be freed: of another type, borrowed, or freed already.
  static func free<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    let number = UInt(bitPattern: handle)
    // Its last owner lets it go outside of the lock, which the objects borrowed from it need.
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
