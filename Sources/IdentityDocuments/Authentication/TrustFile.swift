/// What a file of a trust store has, and the number of further parts that cannot be read.
enum TrustFile {
  /// Certificates or revocation lists.
  case blocks([[UInt8]], unread: Int)
  case signedData([UInt8], unread: Int)

  init(_ bytes: [UInt8]) {
    guard let (blocks, unread) = PEM.blocks(in: bytes) ?? Self.sequences(in: bytes) else {
      self = .signedData(bytes, unread: 0)
      return
    }
    // Signed data can be in PEM too.
    let isSigned = blocks.count == 1 && Self.sequences(in: blocks[0]) == nil
    self = isSigned ? .signedData(blocks[0], unread: unread) : .blocks(blocks, unread: unread)
  }

  /// Splits concatenated data objects whose first member is a sequence: certificates or revocation lists, not signed
  /// data. Returns nil for any other bytes.
  private static func sequences(in bytes: [UInt8]) -> (blocks: [[UInt8]], unread: Int)? {
    let padding: Set<UInt8> = [0, 9, 10, 13, 32]
    let end = bytes.lastIndex { !padding.contains($0) } ?? -1
    var reader = TLVReader(bytes)
    var (blocks, read): ([[UInt8]], Int) = ([], 0)
    while let object = try? reader.next() {
      guard object.tag == .sequence, var members = try? object.children(), let first = try? members.next(),
        first.tag == .sequence
      else { return nil }
      blocks.append(Array(object.encoded))
      read += object.encoded.count
    }
    return blocks.isEmpty ? nil : (blocks, end < read ? 0 : 1)
  }
}
