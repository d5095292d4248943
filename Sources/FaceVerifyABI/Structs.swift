internal import CFaceVerify
internal import FaceVerify

/// Structs of the program, which may have been compiled against an earlier or a later header: all begin with their size,
/// and later fields only follow earlier ones.
enum Structs {
  /// More than any struct will ever have: a size beyond was never set.
  private static let largest = 4096

  /// A struct of the program, with defaults for what it does not have.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if a field that this release does not know is not 0.
  static func read<Struct>(_ pointer: UnsafePointer<Struct>?, defaults: Struct) throws -> Struct {
    guard let pointer else { return defaults }
    let size = try size(UnsafeRawPointer(pointer), "\(Struct.self)")
    let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
    var value = defaults
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes.prefix($0.count)) }
    guard bytes.dropFirst(MemoryLayout<Struct>.size).allSatisfy({ $0 == 0 }) else {
      throw VerifyError(.badArgument, "\(Struct.self) asks for what this release does not know: use a later library")
    }
    return value
  }

  /// Fills a struct of the program, as far as it knows the fields.
  static func write<Struct>(_ pointer: UnsafeMutablePointer<Struct>?, _ make: () throws -> Struct) throws {
    let pointer = try place(pointer)
    let size = try size(UnsafeRawPointer(pointer), "\(Struct.self)")
    let target = UnsafeMutableRawBufferPointer(start: pointer, count: size)
    let value = try make()
    withUnsafeBytes(of: value) { known in
      for i in MemoryLayout<Int>.size..<size { target[i] = i < known.count ? known[i] : 0 }
    }
  }

  private static func size(_ pointer: UnsafeRawPointer, _ name: String) throws -> Int {
    let size = pointer.loadUnaligned(as: Int.self)
    // All fields have 8 bytes: no release has a struct that ends within one.
    guard (MemoryLayout<Int>.size...largest).contains(size), size % MemoryLayout<Int>.size == 0 else {
      throw VerifyError(.badArgument, "struct_size of \(name) is not set: use its _INIT macro or fv_struct_init()")
    }
    return size
  }
}

@c @implementation
public func fv_struct_init(_ structure: UnsafeMutableRawPointer?, _ size: Int) {
  guard let structure, size >= MemoryLayout<Int>.size else { return }
  structure.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  structure.storeBytes(of: size, as: Int.self)
}
