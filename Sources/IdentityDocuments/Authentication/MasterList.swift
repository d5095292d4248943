/// A list of CSCA certificates that a state signed (ICAO Doc 9303-12, 9).
struct MasterList {
  /// id-icao-cscaMasterList.
  static let contentType = "2.23.136.1.1.2"
  /// The largest lists have some 600.
  private static let maximumCertificates = 10_000

  let certificates: [Certificate]
  /// Entries that are no certificates.
  let damagedCount: Int
  let signer: Certificate?
  let signature: SignatureCheck?

  init(_ data: borrowing SignedData) throws {
    signature = data.check()
    signer = data.signer?.certificate
    var reader = TLVReader(data.content)
    var fields = try reader.next(.sequence).children()
    _ = try fields.next(.integer)
    var members = try fields.next(.set).children()
    var certificates: [Certificate] = []
    var damaged = 0
    while let member = try members.next() {
      guard certificates.count + damaged < Self.maximumCertificates else {
        throw VerifyError(.tooLarge, "the master list has more than \(Self.maximumCertificates) certificates")
      }
      if let certificate = try? Certificate(member) { certificates.append(certificate) } else { damaged += 1 }
    }
    self.certificates = certificates
    damagedCount = damaged
  }
}

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
