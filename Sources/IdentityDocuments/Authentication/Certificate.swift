internal import COpenSSL

/// An X.509 certificate (RFC 5280) of a document signer or of a country signing certification authority (CSCA).
public struct Certificate: Sendable, Hashable {
  /// DER.
  public let bytes: [UInt8]
  public let subject: DistinguishedName
  public let issuer: DistinguishedName
  /// The serial number in hexadecimal, with capital letters.
  public let serialNumber: String
  public let validFrom: DateTime
  public let validTo: DateTime
  /// The key identifiers, in hexadecimal.
  public let subjectKeyIdentifier: String?
  public let authorityKeyIdentifier: String?
  /// The object identifier of the signature's algorithm, in dotted form.
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
  public var sha256: String { hexadecimal(sha256Bytes(bytes)) }

  public func isValid(at date: DateTime) -> Bool { validFrom <= date && date <= validTo }

  /// Kind and size of the key, or nil if OpenSSL does not know it.
  public var publicKeyInfo: PublicKeyInfo? { try? PublicKeyInfo(publicKey) }
}

/// What a chain of certificates needs of their extensions (RFC 5280, 4.2.1).
struct CertificateExtensions {
  private(set) var subjectKeyIdentifier: String?
  private(set) var authorityKeyIdentifier: String?
  private var basicConstraints: Bool?
  private var keyUsage: Bool?

  /// Old CSCA certificates say nothing, and in some of the German master list of August 2024 one of
  /// the two extensions contradicts the other. A document signer's says twice that it is none.
  var isAuthority: Bool {
    basicConstraints ?? false || keyUsage ?? false || (basicConstraints == nil && keyUsage == nil)
  }

  private static let maximumExtensions = 100

  mutating func read(_ list: TLV) throws {
    var members = try list.children()
    var count = 0
    while let member = try members.next() {
      count += 1
      guard count <= Self.maximumExtensions else {
        throw VerifyError(.damaged, "a certificate has more than \(Self.maximumExtensions) extensions")
      }
      var fields = try member.children()
      let type = try fields.next(.objectIdentifier).value
      // All that are wanted are 2.5.29.n.
      guard type.count == 3, type.starts(with: [0x55, 0x1D]), let number = type.last else { continue }
      _ = try fields.nextIfPresent(.boolean)
      var content = try fields.next(.octetString).children()
      guard let value = try content.next() else { continue }
      switch number {
      case 14: subjectKeyIdentifier = hexadecimal(Array(value.value))
      case 15: keyUsage = value.value.dropFirst().first.map { $0 & 0x04 != 0 } ?? false
      case 19: basicConstraints = try value.child(.boolean)?.boolean() ?? false
      case 35: authorityKeyIdentifier = try value.child(0x80).map { hexadecimal(Array($0.value)) }
      default: break
      }
    }
  }
}

extension Certificate {
  /// Whether this certificate's key signed the other. Dates, names and purposes are not looked at.
  func signed(_ other: Certificate) -> SignatureCheck {
    SignatureCheck(
      copenssl_certificate_verify(other.bytes, other.bytes.count, bytes, bytes.count))
  }

  func signed(_ list: CertificateRevocationList) -> SignatureCheck {
    SignatureCheck(copenssl_crl_verify(list.bytes, list.bytes.count, bytes, bytes.count))
  }
}

/// An X.509 certificate revocation list (RFC 5280, 5) of a CSCA.
public struct CertificateRevocationList: Sendable {
  /// DER.
  public let bytes: [UInt8]
  public let issuer: DistinguishedName
  public let thisUpdate: DateTime
  public let nextUpdate: DateTime?
  /// When certificates were revoked, by their serial numbers as in ``Certificate/serialNumber``.
  public let revoked: [String: DateTime]

  /// - Throws: ``VerifyError/Code/damaged``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    var outer = try whole.children()
    var fields = try outer.next(.sequence).children()
    _ = try fields.nextIfPresent(.integer)
    _ = try fields.next(.sequence)
    issuer = try DistinguishedName(fields.next(.sequence))
    guard let update = try fields.next() else { throw VerifyError(.damaged, "a revocation list has no date") }
    thisUpdate = try update.time()
    let next = try fields.nextIfPresent(.utcTime) ?? fields.nextIfPresent(.generalizedTime)
    nextUpdate = try next?.time()
    var revoked: [String: DateTime] = [:]
    if var entries = try fields.nextIfPresent(.sequence)?.children() {
      while let entry = try entries.next() {
        var parts = try entry.children()
        let serial = try parts.next(.integer).value
        guard let date = try parts.next() else { throw VerifyError(.damaged, "a revoked certificate has no date") }
        revoked[Certificate.hexadecimalNumber(serial)] = try date.time()
      }
    }
    self.revoked = revoked
    self.bytes = Array(whole.encoded)
  }
}
