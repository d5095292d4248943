internal import CFaceVerify
internal import FaceVerify

/// Structs of the program, which may have been compiled against an earlier or later header: all begin with their size,
/// and new fields are only appended.
enum Structs {
  /// Maximum struct size; a larger one was not initialised.
  private static let largest = 4096

  /// Reads a struct of the program, with defaults for missing fields.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if a field that is unknown to this release is not 0.
  static func read<Struct>(_ pointer: In<Struct>, defaults: Struct) throws -> Struct {
    guard let pointer else { return defaults }
    return try read(pointer, count: 1, defaults: defaults)[0]
  }

  private static func read<Struct>(_ pointer: UnsafeRawPointer, size: Int, defaults: Struct) throws -> Struct {
    let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
    var value = defaults
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes.prefix($0.count)) }
    guard bytes.dropFirst(MemoryLayout<Struct>.size).allSatisfy({ $0 == 0 }) else {
      throw VerifyError(.badArgument, "\(Struct.self) requires a later library: its new fields are not 0")
    }
    return value
  }

  /// As above, but NULL is an error.
  static func require<Struct>(_ pointer: In<Struct>, _ defaults: Struct, _ name: String) throws -> Struct {
    guard pointer != nil else { throw VerifyError(.badArgument, "the \(name) is NULL") }
    return try read(pointer, defaults: defaults)
  }

  /// Reads an array of at least one struct of the program; the first one's size applies to all.
  static func read<Struct>(_ pointer: UnsafePointer<Struct>, count: Int, defaults: Struct) throws -> [Struct] {
    let first = UnsafeRawPointer(pointer)
    let size = try size(first, "\(Struct.self)")
    return try (0..<count).map { index in
      try read(first + index * size, size: size, defaults: defaults)
    }
  }

  /// Fills those fields of a struct that the program knows.
  static func write<Struct>(_ pointer: Out<Struct>, _ make: () throws -> Struct) throws {
    try write(pointer, count: 1) { [try make()] }
  }

  /// Fills an array of structs of the program; the first one's size applies to all.
  static func write<Struct>(_ pointer: Out<Struct>, count: Int, _ make: () throws -> [Struct]) throws {
    guard count > 0 else { return }
    let first = UnsafeMutableRawPointer(try place(pointer))
    let size = try size(first, "\(Struct.self)")
    for (index, value) in try make().enumerated() {
      let target = UnsafeMutableRawBufferPointer(start: first + index * size, count: size)
      withUnsafeBytes(of: value) { known in
        for i in MemoryLayout<Int>.size..<size { target[i] = i < known.count ? known[i] : 0 }
      }
      target.storeBytes(of: size, as: Int.self)
    }
  }

  private static func size(_ pointer: UnsafeRawPointer, _ name: String) throws -> Int {
    let size = pointer.loadUnaligned(as: Int.self)
    // All fields have 8 bytes, so that a valid size is a multiple of 8.
    guard (MemoryLayout<Int>.size...largest).contains(size), size % MemoryLayout<Int>.size == 0 else {
      throw VerifyError(.badArgument, "struct_size of \(name) is not set: use its _INIT macro or fv_struct_init()")
    }
    return size
  }
}

@c @implementation public func fv_struct_init(_ structure: Buffer, _ byteCount: Int) {
  guard let structure, byteCount >= MemoryLayout<Int>.size else { return }
  structure.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  structure.storeBytes(of: byteCount, as: Int.self)
}
