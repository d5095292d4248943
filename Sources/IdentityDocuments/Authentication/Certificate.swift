internal import COpenSSL

/// An X.509 certificate (RFC 5280) of a document signer or of a country signing certification authority (CSCA). It is
/// parsed once, here; ``PathRule`` judges it.
public struct Certificate: Sendable, Hashable {
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
      || (constraints == nil && usage == nil)
  }

  /// - Parameter bytes: DER; trailing bytes are refused.
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
    version = try fields.nextIfPresent(0xA0)?.requiredChild(.integer).integer().addingReportingOverflow(1).0 ?? 1
    let serial = try fields.next(.integer).value
    let inner = try fields.next(.sequence)
    algorithm = try SignatureAlgorithm(inner)
    hasOneAlgorithm = try outer.next(.sequence).encoded == inner.encoded
    issuer = try DistinguishedName(fields.next(.sequence))
    var validity = try fields.next(.sequence).children()
    guard let from = try validity.next(), let to = try validity.next() else {
      throw VerifyError(.damaged, "a certificate has no period of validity")
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
      guard !hasExtensions else { throw VerifyError(.damaged, "a certificate has two lists of extensions") }
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
    return hexadecimal(Array(value)).uppercased()
  }

  /// SHA-256 of the DER, in hexadecimal.
  public var sha256: String { hexadecimal(sha256Bytes(bytes)) }

  /// Whether the certificate is valid at a time or, for a whole day, at any moment of it.
  public func isValid(at date: DateTime) -> Bool { validFrom <= date.latest && date <= validTo }

  /// Kind and size of the key, or nil if OpenSSL does not know it.
  public var publicKeyInfo: PublicKeyInfo? { try? PublicKeyInfo(publicKey) }

  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension Certificate {
  /// All states that the certificate names, in two letters: in the subject, the issuer, and the alternative names of
  /// both, whose locality has the state's code in machine-readable zones (Doc 9303-12, 7.1).
  var states: [String] {
    let others = extensions.alternativeNames.directory + extensions.issuerAlternativeNames
    let places = others.flatMap(\.attributes).filter { $0.type == "L" }
    return ([subject, issuer] + others).flatMap(\.states) + places.compactMap { CountryCode.twoLetters($0.value) }
  }

  /// Verifies whether this certificate's key signed the other. Dates, names and purposes are not checked.
  func signed(_ other: Certificate) -> SignatureCheck { signed(other.bytes, other.algorithm) }
  func signed(_ list: CertificateRevocationList) -> SignatureCheck { signed(list.bytes, list.algorithm) }

  /// Verifies the structure that certificates and revocation lists share (RFC 5280, 4.1.1 and 5.1.1): signed content,
  /// algorithm and signature.
  private func signed(_ bytes: [UInt8], _ known: SignatureAlgorithm?) -> SignatureCheck {
    // The strength of an algorithm known only to OpenSSL cannot be judged.
    guard known?.kind != nil else { return .unsupported }
    var reader = TLVReader(bytes)
    guard var parts = try? reader.next(.sequence).children(), let body = try? parts.next(.sequence).encoded,
      let algorithm = try? parts.next(.sequence).encoded, let signature = try? parts.next(0x03).value,
      signature.first == 0
    else { return .invalid }
    let value = Array(signature.dropFirst())
    return body.withUnsafeBufferPointer { body in
      SignatureCheck(
        copenssl_verify(
          publicKey, publicKey.count, Array(algorithm), algorithm.count, value, value.count, body.baseAddress,
          body.count))
    }
  }

  /// Whether the key identifier or name matches the certificate's issuer. It finds candidates and proves nothing.
  func isNamed(asIssuerOf other: Certificate) -> Bool {
    if let key = other.authorityKeyIdentifier, let own = subjectKeyIdentifier { return key == own }
    return subject.comparisonKey == other.issuer.comparisonKey
  }
}

/// What a key may be used for (RFC 5280, 4.2.1.3).
struct KeyUsage: OptionSet, Sendable {
  let rawValue: UInt8
  static let digitalSignature = Self(rawValue: 0x80)
  static let keyCertSign = Self(rawValue: 0x04)
  static let cRLSign = Self(rawValue: 0x02)
}

/// The extensions of a certificate (RFC 5280, 4.2; ICAO Doc 9303-12, 7.1).
struct CertificateExtensions: Sendable {
  struct BasicConstraints: Sendable {
    let isAuthority: Bool
    let pathLength: Int?
  }

  private(set) var subjectKeyIdentifier: String?
  private(set) var authorityKeyIdentifier: String?
  /// Issuer and serial number of the issuer's certificate, if the authority key identifier has them.
  private(set) var authorityCertificate: (issuer: DistinguishedName, serialNumber: String)?
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var extendedKeyUsage: [String]?
  private(set) var privateKeyUsage: (from: DateTime?, to: DateTime?)?
  private(set) var nameConstraints: NameConstraints?
  /// Document codes that the signer may sign (Doc 9303-12, 7.1).
  private(set) var documentTypes: [String]?
  /// Tags of the subject alternative names, and those that are distinguished names.
  private(set) var alternativeNames: (tags: [TLVTag], directory: [DistinguishedName]) = ([], [])
  private(set) var issuerAlternativeNames: [DistinguishedName] = []
  /// Whether the certificate links two names of a CSCA (Doc 9303-12, 7.1).
  private(set) var isNameChange = false
  private(set) var isEmpty = true
  /// Names of the distribution points whose lists have all reasons, encoded.
  private(set) var distributionPoints: Set<[UInt8]> = []
  private(set) var uncritical: Set<String> = []
  private(set) var unknownCritical: String?
  private(set) var damaged: String?
  private(set) var duplicate: String?

  private static let maximumExtensions = 100

  static let keyUsageType = "2.5.29.15"
  static let basicConstraintsType = "2.5.29.19"
  /// Issuer alternative name, distribution points, policies: if they cannot be read, that matters only if they are
  /// critical.
  private static let informative: Set = ["2.5.29.18", "2.5.29.31", "2.5.29.32"]

  mutating func read(_ list: TLV) throws {
    var members = try list.children()
    var seen: Set<String> = []
    while let member = try members.next() {
      guard seen.count < Self.maximumExtensions else {
        throw VerifyError(.damaged, "a certificate has more than \(Self.maximumExtensions) extensions")
      }
      var fields = try member.children()
      isEmpty = false
      let type = try fields.next(.objectIdentifier).objectIdentifier()
      let isCritical = try fields.nextIfPresent(.boolean)?.boolean() ?? false
      if !isCritical { uncritical.insert(type) }
      guard seen.insert(type).inserted else {
        duplicate = type
        continue
      }
      let content = try fields.next(.octetString)
      do {
        if try !read(type, content, isCritical), isCritical { unknownCritical = type }
      } catch {
        if isCritical || !Self.informative.contains(type) { damaged = type }
      }
    }
  }

  /// - Returns: false if the extension is unknown. Of the policy extensions (4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14),
  ///   only certificate policies is known, which any policy satisfies: Doc 9303-12 permits no other.
  private mutating func read(_ type: String, _ content: TLV, _ isCritical: Bool) throws -> Bool {
    func value(_ tag: TLVTag) throws -> TLV {
      var reader = try content.children()
      let value = try reader.next(tag)
      guard reader.isAtEnd else { throw VerifyError(.damaged, "there are bytes behind an extension") }
      return value
    }
    switch type {
    case "2.5.29.14": subjectKeyIdentifier = hexadecimal(Array(try value(.octetString).value))
    case Self.keyUsageType:
      let bits = try value(0x03).value
      // ITU-T X.690, 8.6.2 and 11.2.1: at most seven unused bits, which are zero.
      guard bits.count >= 2, let unused = bits.first, unused < 8, let last = bits.last, last & (1 << unused - 1) == 0
      else { throw VerifyError(.damaged, "the key usage has no bits") }
      keyUsage = bits.dropFirst().first.map { KeyUsage(rawValue: $0) }
    case "2.5.29.16":
      let period = try value(.sequence)
      privateKeyUsage = try (period.child(0x80)?.generalizedTime(), period.child(0x81)?.generalizedTime())
    case "2.5.29.17":
      alternativeNames = try Self.names(value(.sequence), isCritical)
    case "2.5.29.18": issuerAlternativeNames = try Self.names(value(.sequence), isCritical).directory
    case Self.basicConstraintsType:
      var fields = try value(.sequence).children()
      let isAuthority = try fields.nextIfPresent(.boolean)?.boolean() ?? false
      let length = try fields.nextIfPresent(.integer)?.integer()
      guard fields.isAtEnd, length ?? 0 >= 0 else { throw VerifyError(.damaged, "the constraints have other fields") }
      basicConstraints = BasicConstraints(isAuthority: isAuthority, pathLength: length)
    case "2.5.29.30": nameConstraints = try NameConstraints(value(.sequence))
    case "2.5.29.31":
      var points = try value(.sequence).children()
      while let point = try points.next() {
        let (name, reasons) = (try point.child(0xA0), try point.child(0x81))
        if let name, reasons == nil { distributionPoints.formUnion(try Self.names(ofPoint: name)) }
      }
    case "2.5.29.32":
      var policies = try value(.sequence).children()
      while let policy = try policies.next() {
        var fields = try policy.children()
        _ = try fields.next(.objectIdentifier).objectIdentifier()
        var qualifiers = try fields.nextIfPresent(.sequence)?.children()
        while let qualifier = try qualifiers?.next() {
          let type = try qualifier.requiredChild(.objectIdentifier).objectIdentifier()
          if !Self.policyQualifiers.contains(type) { return false }
        }
      }
    case "2.5.29.35":
      let fields = try value(.sequence)
      authorityKeyIdentifier = try fields.child(0x80).map { hexadecimal(Array($0.value)) }
      if let names = try fields.child(0xA1), let serial = try fields.child(0x82),
        let name = try names.child(NameConstraints.directory)
      {
        authorityCertificate = (
          try DistinguishedName(name.requiredChild(.sequence)), Certificate.hexadecimalNumber(serial.value)
        )
      }
    case "2.5.29.37":
      var purposes = try value(.sequence).children()
      var found: [String] = []
      while found.count < Self.maximumExtensions, let purpose = try purposes.next() {
        found.append(try purpose.objectIdentifier())
      }
      extendedKeyUsage = found
    case "2.23.136.1.1.6.2":
      var types = try value(.sequence).requiredChild(.set).children()
      var found: [String] = []
      while found.count < Self.maximumExtensions, let code = try types.next() { found.append(code.text) }
      documentTypes = found
    case "2.23.136.1.1.6.1": isNameChange = true
    default: return false
    }
    return true
  }

  /// The address of a practice statement, and a notice (RFC 5280, 4.2.1.4).
  private static let policyQualifiers: Set = ["1.3.6.1.5.5.7.2.1", "1.3.6.1.5.5.7.2.2"]

  /// Decodes general names. There must be one (4.2.1.6), but those of a certificate that asks nobody to process them
  /// may be empty.
  private static func names(
    _ list: TLV, _ isCritical: Bool
  ) throws -> (tags: [TLVTag], directory: [DistinguishedName]) {
    var members = try list.children()
    var (tags, directory): ([TLVTag], [DistinguishedName]) = ([], [])
    while let name = try members.next() {
      guard tags.count < maximumExtensions else { throw VerifyError(.damaged, "too many names") }
      tags.append(name.tag)
      if name.tag == NameConstraints.directory {
        directory.append(try DistinguishedName(name.requiredChild(.sequence)))
      }
    }
    if isCritical, tags.isEmpty { throw VerifyError(.damaged, "there is no name") }
    return (tags, directory)
  }

  /// Returns the names of a distribution point, encoded (4.2.1.13): all full names, or the relative one.
  static func names(ofPoint point: TLV) throws -> Set<[UInt8]> {
    guard let full = try point.child(0xA0) else { return Set(try point.child(0xA1).map { [Array($0.encoded)] } ?? []) }
    var (names, members): (Set<[UInt8]>, TLVReader) = ([], try full.children())
    while names.count < maximumExtensions, let name = try members.next() { names.insert(Array(name.encoded)) }
    return names
  }
}

extension TLV {
  /// Whether it is UTCTime until 2049 and GeneralizedTime from then on, with seconds and Z (RFC 5280, 4.1.2.5).
  fileprivate var isUsualTime: Bool {
    guard value.last == UInt8(ascii: "Z"), let digits = Self.digits(value.dropLast()) else { return false }
    return tag == .utcTime ? digits.count == 12 : digits.count == 14 && (digits[0], digits[1], digits[2]) >= (2, 0, 5)
  }

  /// A time with an implicit tag, which must be a GeneralizedTime.
  fileprivate func generalizedTime() throws -> DateTime { try time(of: .generalizedTime) }
}

/// The names for which a CA may issue certificates (RFC 5280, 4.2.1.10). Only distinguished names are compared; other
/// constrained name types must be absent, as 4.2.1.10 requires if they cannot be processed.
struct NameConstraints: Sendable {
  /// The tag of a distinguished name among general names.
  static let directory: TLVTag = 0xA4
  private static let email: TLVTag = 0x81

  private struct Subtree {
    let tag: TLVTag
    let name: DistinguishedName?
  }

  private var permitted: [Subtree] = []
  private var excluded: [Subtree] = []

  init(_ value: TLV) throws {
    permitted = try Self.subtrees(value.child(0xA0))
    excluded = try Self.subtrees(value.child(0xA1))
    guard !permitted.isEmpty || !excluded.isEmpty else { throw VerifyError(.damaged, "there are no name constraints") }
  }

  private static func subtrees(_ list: TLV?) throws -> [Subtree] {
    var found: [Subtree] = []
    guard var members = try list?.children() else { return [] }
    while let member = try members.next() {
      var fields = try member.children()
      // A minimum is always 0 and a maximum absent.
      guard found.count < 64, let base = try fields.next(), fields.isAtEnd else {
        throw VerifyError(.damaged, "name constraints cannot be read")
      }
      found.append(
        Subtree(tag: base.tag, name: base.tag == directory ? try DistinguishedName(base.requiredChild(.sequence)) : nil)
      )
    }
    return found
  }

  func permits(_ certificate: Certificate) -> Bool {
    let alternatives = certificate.extensions.alternativeNames
    let names = [certificate.subject] + alternatives.directory
    if names.contains(where: { name in excluded.contains { $0.name.map(name.isWithin) ?? false } }) { return false }
    let within = permitted.compactMap(\.name)
    if !within.isEmpty, names.contains(where: { name in !within.contains(where: name.isWithin) }) { return false }
    var tags = Set(alternatives.tags)
    if certificate.subject.attributes.contains(where: { $0.type == "emailAddress" }) { tags.insert(Self.email) }
    return !(permitted + excluded).contains { $0.name == nil && tags.contains($0.tag) }
  }
}
