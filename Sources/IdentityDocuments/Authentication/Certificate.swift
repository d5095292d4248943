/// An X.509 certificate (RFC 5280) of a document signer or of a country signing certification authority (CSCA). It is
/// parsed once, here; ``PathRule`` judges it.
public struct Certificate: Sendable, Hashable, JSONConvertible {
  /// DER.
  public let bytes: [UInt8]
  /// 3, unless the certificate is very old.
  public let version: Int
  public let subject: DistinguishedName
  public let issuer: DistinguishedName
  /// The serial number in hexadecimal, with capital letters and no redundant leading octets.
  public let serialNumber: String
  /// Whether the certificate itself encodes the serial number minimally, as DER requires (ITU-T X.690, 8.3.2).
  let hasMinimalSerialNumber: Bool
  public let validFrom: DateTime
  public let validTo: DateTime
  /// Whether both are written as RFC 5280, 4.1.2.5, prescribes.
  let hasUsualTimes: Bool
  /// The object identifier of the signature algorithm, in dotted form.
  public var signatureAlgorithm: String { algorithm.objectIdentifier }
  let algorithm: SignatureAlgorithm
  /// Whether the outer algorithm identifier equals the signed one, byte for byte.
  let hasOneAlgorithm: Bool
  let extensions: CertificateExtensions
  let hasUniqueIdentifiers: Bool
  /// SubjectPublicKeyInfo in DER.
  let publicKey: [UInt8]

  /// The key identifiers, in hexadecimal.
  public var subjectKeyIdentifier: String? { extensions.subjectKeyIdentifier }
  public var authorityKeyIdentifier: String? { extensions.authorityKeyIdentifier }
  /// Whether it may sign other certificates, as far as its extensions show: old CSCA certificates have neither
  /// extension, and in some of the German master list of August 2024 the two contradict each other. A document signer's
  /// certificate denies it in both.
  public var isAuthority: Bool {
    let (constraints, usage) = (extensions.basicConstraints, extensions.keyUsage)
    return constraints?.isAuthority ?? false || usage?.contains(.keyCertSign) ?? false
      || (constraints == nil && usage == nil && sealSigner == nil)
  }

  /// Country and name, if the subject has the form of a seal's signer: two letters, and two letters or digits (Doc
  /// 9303-12, 7.1.3). The certificate has neither basic constraints nor key usage.
  var sealSigner: (country: String, name: String)? {
    let attributes = subject.attributes
    guard attributes.count == 2, let country = attributes.first(where: { $0.type == "C" })?.value,
      let name = attributes.first(where: { $0.type == "CN" })?.value, country.utf8.count == 2, name.utf8.count == 2,
      name.utf8.allSatisfy({ 65...90 ~= $0 || 48...57 ~= $0 })
    else { return nil }
    return (country.uppercased(), name)
  }

  /// - Parameter bytes: DER; trailing bytes are refused.
  /// - Throws: ``VerifyError/Code/damaged``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    guard reader.isAtEnd else { throw VerifyError(.damaged, "there are bytes after the certificate") }
    try self.init(whole)
  }

  init(_ whole: TLV) throws {
    var outer = try whole.children()
    var fields = try outer.next(.sequence).children()
    version = try fields.nextIfPresent(0xA0)?.requiredChild(.integer).integer().addingReportingOverflow(1).0 ?? 1
    let serial = try fields.next(.integer).value
    let inner = try fields.next(.sequence)
    algorithm = try SignatureAlgorithm(inner)
    hasOneAlgorithm = try outer.next(.sequence).encoded == inner.encoded
    issuer = try DistinguishedName(fields.next(.sequence))
    let validity = try fields.next(.sequence)
    var times = try validity.children()
    guard let from = try times.next(), let to = try times.next() else {
      throw validity.damaged("the certificate has no validity period")
    }
    validFrom = try from.time()
    validTo = try to.time()
    hasUsualTimes = from.isUsualTime && to.isUsualTime
    subject = try DistinguishedName(fields.next(.sequence))
    publicKey = Array(try fields.next(.sequence).encoded)
    var extensions = CertificateExtensions()
    var (uniqueIdentifiers, hasExtensions) = (false, false)
    while let field = try fields.next() {
      guard field.tag == 0xA3 else {
        uniqueIdentifiers = true
        continue
      }
      guard !hasExtensions else { throw field.damaged("the certificate has two lists of extensions") }
      hasExtensions = true
      try extensions.read(field.requiredChild(.sequence))
    }
    self.extensions = extensions
    hasUniqueIdentifiers = uniqueIdentifiers
    serialNumber = Self.hexadecimalNumber(serial)
    hasMinimalSerialNumber = serialNumber.utf8.count == 2 * serial.count
    bytes = Array(whole.encoded)
  }

  /// Returns a canonical text of a number: equal values have equal text, even if one has redundant leading octets.
  static func hexadecimalNumber(_ value: ArraySlice<UInt8>) -> String {
    var value = value
    while let first = value.first, let next = value.dropFirst().first, first == (next < 0x80 ? 0 : 0xFF) {
      value.removeFirst()
    }
    return hexadecimal(value).uppercased()
  }

  /// SHA-256 of the DER, in hexadecimal.
  public var sha256: String { hexadecimal(sha256Bytes(bytes)) }

  /// Whether the certificate is valid at a time or, for a whole day, at any moment of it.
  public func isValid(at date: DateTime) -> Bool { validFrom <= date.latest && date <= validTo }

  /// Kind and size of the key, or nil if OpenSSL does not know it.
  public var publicKeyInfo: PublicKeyInfo? { try? PublicKeyInfo(publicKey) }

  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  public var jsonValue: JSONValue {
    [
      "subject": .string(subject.description), "issuer": .string(issuer.description),
      "country": .optional(subject.country), "serialNumber": .string(serialNumber),
      "validFrom": .string(validFrom.description), "validTo": .string(validTo.description),
      "sha256": .string(sha256), "publicKey": publicKeyInfo?.jsonValue ?? .null,
    ]
  }

  /// All states that the certificate names, in two letters: in the subject, the issuer, and the alternative names of
  /// both, whose locality has the state's code in machine-readable zones (Doc 9303-12, 7.1), which no two letters are.
  var states: [String] {
    let others = extensions.alternativeNames.directory + extensions.issuerAlternativeNames
    let places = others.flatMap(\.attributes).filter { $0.type == "L" && $0.value.count != 2 }
    return ([subject, issuer] + others).flatMap(\.states) + places.compactMap { CountryName.twoLetters($0.value) }
  }

  /// Verifies whether this certificate's key signed the other. Dates, names and purposes are not checked.
  func signed(_ other: Certificate) -> SignatureCheck { signed(other.bytes, other.algorithm) }
  func signed(_ list: CertificateRevocationList) -> SignatureCheck {
    list.signature(by: publicKey) { signed(list.bytes, list.algorithm) }
  }

  /// Verifies the structure that certificates and revocation lists share (RFC 5280, 4.1.1 and 5.1.1): signed content,
  /// algorithm and signature.
  private func signed(_ bytes: [UInt8], _ known: SignatureAlgorithm?) -> SignatureCheck {
    // The strength of an algorithm known only to OpenSSL cannot be judged.
    guard known?.kind != nil else { return .unsupported }
    var reader = TLVReader(bytes)
    guard var parts = try? reader.next(.sequence).children(), let body = try? parts.next(.sequence).encoded,
      let algorithm = try? parts.next(.sequence), let signature = try? parts.next(0x03).value, signature.first == 0
    else { return .invalid }
    return SignatureAlgorithm.verify(Array(signature.dropFirst()), of: body, by: publicKey, algorithm)
  }

  /// Whether the key identifier or name matches the certificate's issuer. It finds candidates and proves nothing.
  func isNamed(asIssuerOf other: Certificate) -> Bool {
    if let key = other.authorityKeyIdentifier, let own = subjectKeyIdentifier { return key == own }
    return subject.comparisonKey == other.issuer.comparisonKey
  }
}

extension TLV {
  /// Whether it is UTCTime until 2049 and GeneralizedTime from then on, with seconds and Z (RFC 5280, 4.1.2.5).
  fileprivate var isUsualTime: Bool {
    guard value.last == UInt8(ascii: "Z"), let digits = Self.digits(value.dropLast()) else { return false }
    return tag == .utcTime ? digits.count == 12 : digits.count == 14 && (digits[0], digits[1], digits[2]) >= (2, 0, 5)
  }
}
