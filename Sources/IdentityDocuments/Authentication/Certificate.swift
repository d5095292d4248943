/// An X.509 certificate (RFC 5280) of a document signer or of a country signing certification authority (CSCA).
public struct Certificate: Sendable, Hashable {
  /// DER.
  public let bytes: [UInt8]
  public let subject: DistinguishedName
  public let issuer: DistinguishedName
  /// Hexadecimal, capital letters.
  public let serialNumber: String
  public let validFrom: DateTime
  public let validTo: DateTime
  /// Hexadecimal.
  public let subjectKeyIdentifier: String?
  public let authorityKeyIdentifier: String?
  /// In dotted form.
  public let signatureAlgorithm: String
  /// Whether it may sign other certificates, as far as its extensions tell.
  public let isAuthority: Bool
  /// SubjectPublicKeyInfo in DER.
  let publicKey: [UInt8]

  /// - Parameter bytes: DER; bytes behind the certificate are refused.
  /// - Throws: ``VerifyError/Code/damaged``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    guard reader.isAtEnd else { throw VerifyError(.damaged, "there are bytes behind the certificate") }
    try self.init(whole)
  }

  init(_ whole: TLV) throws {
    var outer = try whole.children()
    var fields = try outer.next(.sequence).children()
    _ = try fields.nextIfPresent(0xA0)
    let serial = try fields.next(.integer).value
    signatureAlgorithm = try fields.next(.sequence).requiredChild(.objectIdentifier).objectIdentifier()
    issuer = try DistinguishedName(fields.next(.sequence))
    var validity = try fields.next(.sequence).children()
    guard let from = try validity.next(), let to = try validity.next() else {
      throw VerifyError(.damaged, "a certificate has no period of validity")
    }
    validFrom = try from.time()
    validTo = try to.time()
    subject = try DistinguishedName(fields.next(.sequence))
    publicKey = Array(try fields.next(.sequence).encoded)
    var extensions = CertificateExtensions()
    while let field = try fields.next() {
      if field.tag == 0xA3 { try extensions.read(field.requiredChild(.sequence)) }
    }
    subjectKeyIdentifier = extensions.subjectKeyIdentifier
    authorityKeyIdentifier = extensions.authorityKeyIdentifier
    isAuthority = extensions.isAuthority
    serialNumber = Self.hexadecimalNumber(serial)
    bytes = Array(whole.encoded)
  }

  static func hexadecimalNumber(_ value: ArraySlice<UInt8>) -> String { hexadecimal(Array(value)).uppercased() }

  /// SHA-256 of the DER, in hexadecimal.
  public var fingerprint: String { sha256(bytes) }

  public var isSelfIssued: Bool { subject == issuer }

  public func isValid(at date: DateTime) -> Bool { validFrom <= date && date <= validTo }

  /// Kind and size of the key, or nil if OpenSSL does not know it.
  public var publicKeyInfo: PublicKeyInfo? { try? PublicKeyInfo(publicKey) }
}
