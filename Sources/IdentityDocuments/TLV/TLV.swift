/// One BER-TLV data object. It shares the memory that it was read from.
package struct TLV: Sendable {
  /// How deep data objects may lie in each other; records of ISO/IEC 39794-5 need 15 levels.
  package static let maximumDepth = 24
  private static let maximumFields = 64

  package let tag: TLVTag
  /// The object as it is stored: tag, length and value.
  package let encoded: ArraySlice<UInt8>
  /// A cursor over the value.
  package let reader: ByteReader
  private let depth: Int

  init(tag: TLVTag, encoded: ArraySlice<UInt8>, reader: ByteReader, depth: Int) {
    self.tag = tag
    self.encoded = encoded
    self.reader = reader
    self.depth = depth
  }

  package var value: ArraySlice<UInt8> {
    var reader = reader
    return reader.rest()
  }

  /// The data objects in the value.
  package func children() throws -> TLVReader {
    guard depth < Self.maximumDepth else {
      throw VerifyError(.damaged, "data objects lie more than \(Self.maximumDepth) levels deep in each other")
    }
    return TLVReader(reader, depth: depth + 1)
  }

  /// The first data object in the value that has the tag. Meant for structures of some named fields: more than
  /// ``maximumFields`` data objects are refused, so that looking up field after field stays quick.
  package func child(_ tag: TLVTag) throws -> TLV? {
    var children = try children()
    for _ in 0..<Self.maximumFields {
      guard let child = try children.next() else { return nil }
      if child.tag == tag { return child }
    }
    throw VerifyError(.damaged, "the data object \(self.tag) has more than \(Self.maximumFields) fields")
  }

  package func requiredChild(_ tag: TLVTag) throws -> TLV {
    guard let child = try child(tag) else {
      throw VerifyError(.damaged, "the data object \(self.tag) has no \(tag) in it")
    }
    return child
  }
}
