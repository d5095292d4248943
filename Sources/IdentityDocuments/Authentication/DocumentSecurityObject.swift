internal import COpenSSL

/// EF.SOD: the hashes of the data groups, signed by a document signer (ICAO Doc 9303-10, 4.6.2). Whether it is genuine,
/// ``PassiveAuthentication`` tells.
public struct DocumentSecurityObject: Sendable {
  /// The file has at most this many bytes. Real ones have some 3,000; more certificates would only take time.
  public static let maximumBytes = 1 << 17

  public let content: LDSSecurityObject
  /// The document signer's, if it is in the file.
  public let signerCertificate: Certificate?
  /// Whether the signer is named by exactly its certificate's issuer and serial number, or by its key identifier.
  public let isSignerIdentified: Bool
  /// All certificates in the file.
  public let certificates: [Certificate]
  /// The digest under the signature, such as `SHA-256`.
  public let digestAlgorithm: String?
  /// The signature's algorithm, such as `RSA-PSS`, `RSA PKCS#1 v1.5`, `ECDSA`.
  public let signatureAlgorithm: String?
  /// When the signer signed, as it says itself.
  public let signingTime: DateTime?
  let signature: SignatureCheck?

  /// - Parameter bytes: the file, with its tag 77 or as bare signed data.
  /// - Throws: ``VerifyError/Code/damaged``, ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/tooLarge``.
  public init(_ bytes: [UInt8]) throws {
    guard bytes.count <= Self.maximumBytes else {
      throw VerifyError(.tooLarge, "EF.SOD has \(bytes.count) bytes, the limit is \(Self.maximumBytes)")
    }
    let data = try SignedData(Self.unwrapped(bytes))
    guard data.contentType == LDSSecurityObject.contentType else {
      throw VerifyError(.unknownFormat, "EF.SOD signs \(data.contentType), which is no LDS security object")
    }
    content = try LDSSecurityObject(data.content)
    signerCertificate = data.signer?.certificate
    isSignerIdentified = data.signer?.isIdentified ?? false
    certificates = data.certificates
    digestAlgorithm = (data.signer?.digest).map(AlgorithmName.digest)
    signatureAlgorithm = (data.signer?.signature).map(AlgorithmName.signature)
    signingTime = data.signer?.signingTime
    signature = data.check()
  }

  private static func unwrapped(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.first == 0x77 else { return bytes }
    return Array(try ElementaryFile.object(in: bytes, tag: 0x77, name: "EF.SOD").value)
  }
}

/// What a state signs in EF.SOD: the hashes of the data groups (ICAO Doc 9303-10, 4.6.2.3).
public struct LDSSecurityObject: Sendable, Hashable {
  /// 0, or 1 with the versions.
  public let version: Int
  /// The object identifier of the hash algorithm, in dotted form.
  public let hashAlgorithm: String
  /// The hash of each data group, by its number.
  public let hashes: [Int: [UInt8]]
  /// The version of the logical data structure, such as `1.8`; it is signed, unlike that of EF.COM.
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
          .damaged, "EF.SOD has a hash of data group \(number), which no chip has, or has two hashes of it")
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

/// Names of algorithms as people write them, for those that OpenSSL has.
enum AlgorithmName {
  /// `sha256` is SHA-256.
  static func digest(_ name: String) -> String {
    let upper = name.uppercased()
    return upper.hasPrefix("SHA") && !upper.contains("-") ? "SHA-" + upper.dropFirst(3) : upper
  }

  static func signature(_ name: String) -> String {
    let lower = name.lowercased()
    if lower == "rsassapss" { return "RSA-PSS" }
    if lower.contains("rsa") { return "RSA PKCS#1 v1.5" }
    return lower.contains("ecdsa") ? "ECDSA" : name
  }

  /// Digests whose collisions can be made: MD5 and SHA-1 in names and object identifiers.
  static func isWeak(_ digest: String) -> Bool {
    ["MD5", "SHA-1", "1.2.840.113549.2.5", "1.3.14.3.2.26"].contains(digest)
  }

  /// Signature algorithms of certificates with such digests (RFC 3279, 2.2.1 and 2.2.3).
  static func isWeakSignature(_ identifier: String) -> Bool {
    ["1.2.840.113549.1.1.4", "1.2.840.113549.1.1.5", "1.2.840.10045.4.1", "1.2.840.10040.4.3"].contains(identifier)
  }

  static let digests = [
    "1.3.14.3.2.26": "SHA-1", "2.16.840.1.101.3.4.2.4": "SHA-224", "2.16.840.1.101.3.4.2.1": "SHA-256",
    "2.16.840.1.101.3.4.2.2": "SHA-384", "2.16.840.1.101.3.4.2.3": "SHA-512",
  ]
}
