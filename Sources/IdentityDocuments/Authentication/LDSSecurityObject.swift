internal import COpenSSL

/// What a state signs in EF.SOD: the hashes of the data groups (ICAO Doc 9303-10, 4.6.2.3).
public struct LDSSecurityObject: Sendable, Hashable {
  /// 0, or 1 with the versions.
  public let version: Int
  /// In dotted form.
  public let hashAlgorithm: String
  /// By the number of the data group.
  public let hashes: [Int: [UInt8]]
  /// Such as `1.8`; signed, unlike that of EF.COM.
  public let ldsVersion: String?
  public let unicodeVersion: String?

  /// id-icao-mrtd-security-ldsSecurityObject.
  static let contentType = "2.23.136.1.1.1"
  static let contentTypeBytes: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x01]

  init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    var fields = try reader.next(.sequence).children()
    version = try fields.next(.integer).integer()
    hashAlgorithm = try fields.next(.sequence).requiredChild(.objectIdentifier).objectIdentifier()
    var hashes: [Int: [UInt8]] = [:]
    var entries = try fields.next(.sequence).children()
    while let entry = try entries.next() {
      var parts = try entry.children()
      let number = try parts.next(.integer).integer()
      guard (1...16).contains(number), hashes[number] == nil else {
        throw VerifyError(
          .damaged, "EF.SOD has a hash of the data group \(number), which there is not, or has it twice")
      }
      hashes[number] = Array(try parts.next(.octetString).value)
    }
    self.hashes = hashes
    // The versions are printable text here, pairs of digits as in EF.COM.
    let versions = try fields.nextIfPresent(.sequence)
    var texts: [String?] = []
    if var parts = try versions?.children() {
      while texts.count < 2, let part = try parts.next() { texts.append(EFCommon.version(part.value)) }
    }
    ldsVersion = texts.first ?? nil
    unicodeVersion = texts.count > 1 ? texts[1] : nil
  }

  /// The hash of a data group by this object's algorithm, or nil if OpenSSL does not know the algorithm.
  func hash(of bytes: [UInt8]) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 64)
    let count = copenssl_digest(hashAlgorithm, bytes, bytes.count, &digest)
    return count == 0 ? nil : Array(digest.prefix(count))
  }
}
