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
  /// Such as `SHA-256`.
  public let digestAlgorithm: String?
  /// Such as `RSA-PSS`, `RSA PKCS#1 v1.5`, `ECDSA`.
  public let signatureAlgorithm: String?
  /// What the signer says when it signed.
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
