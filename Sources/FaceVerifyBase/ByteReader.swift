/// A cursor over untrusted bytes. Every read is bounds-checked and throws past the end; lengths from the input are only
/// compared, never used to slice.
package struct ByteReader: Sendable {
  package enum Order: Sendable { case bigEndian, littleEndian }

  private let bytes: [UInt8]
  /// The offset of the next byte to read.
  package private(set) var position = 0
  /// The offset past which nothing is read.
  package private(set) var end: Int
  package var order: Order

  package init(_ bytes: [UInt8], order: Order = .bigEndian) {
    (self.bytes, end, self.order) = (bytes, bytes.count, order)
  }

  package var remaining: Int { end - position }

  /// Moves to an offset from the beginning of the bytes.
  package mutating func seek(to offset: Int) throws {
    guard offset >= 0, offset <= end else { throw Self.pastEnd }
    position = offset
  }

  package mutating func skip(_ count: Int) throws {
    guard count >= 0, count <= remaining else { throw Self.pastEnd }
    position += count
  }

  package mutating func u8() throws -> Int { try number(bytes: 1) }
  package mutating func u16() throws -> Int { try number(bytes: 2) }
  package mutating func u32() throws -> Int { try number(bytes: 4) }
  package mutating func float() throws -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: try u32())) }

  /// Consumes `text` (ASCII) if it comes next, and returns whether it did.
  package mutating func take(_ text: String) -> Bool {
    let wanted = text.utf8
    guard wanted.count <= remaining else { return false }
    for (i, byte) in wanted.enumerated() where bytes[position + i] != byte { return false }
    position += wanted.count
    return true
  }

  /// Returns a reader of the next `count` bytes, and skips them.
  package mutating func section(_ count: Int) throws -> ByteReader {
    var section = self
    try skip(count)
    section.end = position
    return section
  }

  /// Returns the next `count` bytes, which share the reader's memory, and skips them.
  package mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    let start = position
    try skip(count)
    return bytes[start..<position]
  }

  /// Returns all remaining bytes, and skips them.
  package mutating func rest() -> ArraySlice<UInt8> {
    defer { position = end }
    return bytes[position..<end]
  }

  private mutating func number(bytes count: Int) throws -> Int {
    guard count <= remaining else { throw Self.pastEnd }
    var value = 0
    for i in 0..<count {
      let byte = Int(bytes[position + i])
      value |= byte << (8 * (order == .bigEndian ? count - 1 - i : i))
    }
    position += count
    return value
  }

  private static var pastEnd: VerifyError { VerifyError(.damaged, "the data end too early") }
}
