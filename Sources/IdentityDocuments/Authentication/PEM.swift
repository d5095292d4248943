/// Text armour of certificates, revocation lists and signed data (RFC 7468).
enum PEM {
  private static let maximumBlocks = 10_000

  /// The bytes of all blocks, or nil if there is none.
  static func blocks(in bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.prefix(1 << 16).contains(UInt8(ascii: "-")), bytes.first != 0x30 else {
      return nil
    }
    var blocks: [[UInt8]] = []
    var body: [UInt8]?
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if line.starts(with: "-----BEGIN ".utf8) {
        body = []
      } else if line.starts(with: "-----END ".utf8) {
        if let text = body, let block = ChipFileText.base64(text), blocks.count < maximumBlocks { blocks.append(block) }
        body = nil
      } else {
        body?.append(contentsOf: line)
      }
    }
    return blocks.isEmpty ? nil : blocks
  }
}
