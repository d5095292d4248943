/// Reads consecutive BER-TLV data objects (ISO/IEC 8825-1, 8.1). Lengths are only compared with the bytes present.
/// Indefinite lengths and tags of more than three bytes are refused: chips use neither (ISO/IEC 7816-4, 5.2.2).
package struct TLVReader: Sendable {
  private var reader: ByteReader
  private let depth: Int

  package init(_ bytes: [UInt8]) { self.init(ByteReader(bytes), depth: 0) }

  init(_ reader: ByteReader, depth: Int) { (self.reader, self.depth) = (reader, depth) }

  package var isAtEnd: Bool { reader.remaining == 0 }

  /// Returns the next data object, or nil at the end.
  package mutating func next() throws -> TLV? {
    guard !isAtEnd else { return nil }
    let start = reader
    let tag = try Self.tag(from: &reader)
    let length = try Self.length(from: &reader)
    guard length <= reader.remaining else {
      throw Self.damaged("the data object \(tag) has the length \(length), and \(reader.remaining) bytes follow", start)
    }
    let value = try reader.section(length)
    var whole = start
    let encoded = try whole.bytes(reader.position - start.position)
    return TLV(tag: tag, encoded: encoded, reader: value, depth: depth)
  }

  /// Returns the tag of the next data object and its total size in bytes as stated. The bytes need not be present.
  package func header() throws -> (tag: TLVTag, byteCount: Int) {
    var ahead = reader
    let tag = try Self.tag(from: &ahead)
    let length = try Self.length(from: &ahead)
    return (tag, ahead.position - reader.position + length)
  }

  /// Returns the next data object, which must have the tag.
  package mutating func next(_ tag: TLVTag) throws -> TLV {
    guard let found = try next() else { throw Self.damaged("the data object \(tag) is missing", reader) }
    guard found.tag == tag else { throw found.damaged("the data object \(tag) is missing") }
    return found
  }

  /// Returns the next data object if it has the tag; otherwise reads nothing.
  package mutating func nextIfPresent(_ tag: TLVTag) throws -> TLV? {
    var ahead = self
    guard let found = try ahead.next(), found.tag == tag else { return nil }
    self = ahead
    return found
  }

  private static func damaged(_ problem: String, _ reader: ByteReader) -> VerifyError {
    VerifyError(.damaged, "\(problem) (at byte \(reader.position))")
  }

  static func tag(from reader: inout ByteReader) throws -> TLVTag {
    let first = try reader.u8()
    guard first != 0 else { throw damaged("a data object has the tag 0", reader) }
    guard first & 0x1F == 0x1F else { return TLVTag(rawValue: UInt32(first)) }
    var tag = first
    for _ in 0..<2 {
      let byte = try reader.u8()
      tag = tag << 8 | byte
      // Older chips of some states have 5F85 in EF.DG12 in place of 5F55, although it is not a complete tag.
      if byte & 0x80 == 0 || tag == 0x5F85 { return TLVTag(rawValue: UInt32(tag)) }
    }
    throw damaged("a data object has a tag of more than three bytes", reader)
  }

  static func length(from reader: inout ByteReader) throws -> Int {
    let first = try reader.u8()
    switch first {
    case 0..<0x80: return first
    case 0x81...0x84:
      var length = 0
      for _ in 0x80..<first { length = length << 8 | (try reader.u8()) }
      return length
    case 0x80: throw damaged("a data object has an indefinite length", reader)
    default: throw damaged("a data object has a length of \(first & 0x7F) bytes", reader)
    }
  }
}
