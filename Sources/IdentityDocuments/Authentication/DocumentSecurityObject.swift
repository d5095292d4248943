/// EF.SOD: the hashes of the data groups, signed by a document signer (ICAO Doc 9303-10, 4.6.2).
/// ``PassiveAuthentication`` verifies it.
public struct DocumentSecurityObject: Sendable {
  /// Maximum file size in bytes. Real files have some 3,000; the limit bounds the time spent on certificates.
  public static let maximumBytes = 1 << 17

  public let content: LDSSecurityObject
  let signedData: SignedData

  /// The document signer's certificate, if the file contains it.
  public var signerCertificate: Certificate? { signedData.signer?.certificate }
  /// Whether the signer identifier matches its certificate exactly, by issuer and serial number or by key identifier.
  public var isSignerIdentified: Bool {
    signerCertificate != nil
      && !signedData.violations.contains { [.signerNameDiffers, .signerNotIdentified].contains($0.reason) }
  }
  /// All certificates in the file.
  public var certificates: [Certificate] { signedData.certificates }
  /// The signature's digest algorithm, such as `SHA-256`.
  public var digestAlgorithm: String? { signedData.signer?.digest.name }
  /// The signature algorithm, such as `RSA-PSS`, `RSA PKCS#1 v1.5`, `ECDSA`.
  public var signatureAlgorithm: String? {
    signedData.signer?.algorithm.map { $0.kind?.rawValue ?? $0.objectIdentifier }
  }
  /// The signing time claimed by the signer.
  public var signingTime: DateTime? { signedData.signer?.signingTime }

  /// - Parameter bytes: the file, with its tag 77 or as bare signed data.
  /// - Throws: ``VerifyError/Code/damaged``, ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/tooLarge``.
  public init(_ bytes: [UInt8]) throws {
    signedData = try SignedData(file: bytes, mayHaveTag: true)
    // Some states sign the list of hashes as a type of their own. Its form tells it from the other signed files.
    content = try LDSSecurityObject(signedData.content)
  }
}

/// The signed content of EF.SOD: the hashes of the data groups (ICAO Doc 9303-10, 4.6.2.3).
public struct LDSSecurityObject: Sendable, Hashable {
  /// 0, or 1 for lists with the LDS and Unicode versions.
  public let version: Int
  /// The object identifier of the hash algorithm, in dotted form.
  public let hashAlgorithmIdentifier: String
  var hashAlgorithm: DigestAlgorithm { DigestAlgorithm(hashAlgorithmIdentifier) }
  /// The hash of each data group, by its number. Numbers above 16 denote unknown data groups.
  public let hashes: [Int: [UInt8]]
  /// The version of the logical data structure (LDS), such as `1.8`; signed, unlike that of EF.COM.
  public let ldsVersion: String?
  public let unicodeVersion: String?

  /// id-icao-mrtd-security-ldsSecurityObject.
  static let contentType = "2.23.136.1.1.1"
  static let contentTypeBytes: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x01]
  private static let maximumNumber = 255

  init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    var fields = try reader.next(.sequence).children()
    guard reader.isAtEnd else { throw VerifyError(.damaged, "there are bytes after the list of hashes") }
    version = try fields.next(.integer).integer()
    hashAlgorithmIdentifier = try fields.next(.sequence).requiredChild(.objectIdentifier).objectIdentifier()
    var hashes: [Int: [UInt8]] = [:]
    try fields.next(.sequence).forEachChild { entry in
      var parts = try entry.children()
      let number = try parts.next(.integer).integer()
      guard (1...Self.maximumNumber).contains(number), hashes[number] == nil else {
        throw entry.damaged("the data group \(number) does not exist or has two hashes")
      }
      hashes[number] = Array(try parts.next(.octetString).value)
      guard parts.isAtEnd else { throw entry.damaged("a hash has other fields") }
    }
    self.hashes = hashes
    // The versions are printable strings, digit pairs as in EF.COM; present in version 1, absent in version 0.
    let versions = try fields.nextIfPresent(.sequence)
    guard fields.isAtEnd, [0, 1].contains(version) else {
      throw VerifyError(.damaged, "the list of hashes is of version \(version) or has further fields")
    }
    let texts = try versions?.mapChildren(atMost: 2, \.value)
    ldsVersion = texts?.first.flatMap(EFCommon.version)
    unicodeVersion = texts?.dropFirst().first.flatMap(EFCommon.version)
  }
}
