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
    var seen: Set<String> = []
    try list.forEachChild { member in
      guard seen.count < Self.maximumExtensions else {
        throw member.damaged("the certificate has more than \(Self.maximumExtensions) extensions")
      }
      var fields = try member.children()
      isEmpty = false
      let type = try fields.next(.objectIdentifier).objectIdentifier()
      let isCritical = try fields.nextIfPresent(.boolean)?.boolean() ?? false
      if !isCritical { uncritical.insert(type) }
      guard seen.insert(type).inserted else {
        duplicate = type
        return
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
      guard reader.isAtEnd else { throw content.damaged("there are bytes after an extension") }
      return value
    }
    switch type {
    case "2.5.29.14": subjectKeyIdentifier = try hexadecimal(value(.octetString).value)
    case Self.keyUsageType:
      let bits = try value(0x03).value
      // ITU-T X.690, 8.6.2 and 11.2.1: at most seven unused bits, which are zero.
      guard bits.count >= 2, let unused = bits.first, unused < 8, let last = bits.last, last & (1 << unused - 1) == 0
      else { throw content.damaged("the key usage has no bits") }
      keyUsage = bits.dropFirst().first.map { KeyUsage(rawValue: $0) }
    case "2.5.29.16":
      let period = try value(.sequence)
      // Implicit tags of GeneralizedTime.
      privateKeyUsage = try (
        period.child(0x80)?.time(of: .generalizedTime), period.child(0x81)?.time(of: .generalizedTime)
      )
    case "2.5.29.17": alternativeNames = try Self.names(value(.sequence), isCritical)
    case "2.5.29.18": issuerAlternativeNames = try Self.names(value(.sequence), isCritical).directory
    case Self.basicConstraintsType:
      var fields = try value(.sequence).children()
      let isAuthority = try fields.nextIfPresent(.boolean)?.boolean() ?? false
      let length = try fields.nextIfPresent(.integer)?.integer()
      guard fields.isAtEnd, length ?? 0 >= 0 else { throw content.damaged("the basic constraints have other fields") }
      basicConstraints = BasicConstraints(isAuthority: isAuthority, pathLength: length)
    case "2.5.29.30": nameConstraints = try NameConstraints(value(.sequence))
    case "2.5.29.31":
      try value(.sequence).forEachChild { point in
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
      authorityKeyIdentifier = try fields.child(0x80).map { hexadecimal($0.value) }
      if let names = try fields.child(0xA1), let serial = try fields.child(0x82),
        let name = try names.child(NameConstraints.directory)
      {
        authorityCertificate = (
          try DistinguishedName(name.requiredChild(.sequence)), Certificate.hexadecimalNumber(serial.value)
        )
      }
    case "2.5.29.37":
      extendedKeyUsage = try value(.sequence).mapChildren(atMost: Self.maximumExtensions) { try $0.objectIdentifier() }
    case "2.23.136.1.1.6.2":
      documentTypes = try value(.sequence).requiredChild(.set).mapChildren(atMost: Self.maximumExtensions, \.text)
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
    var (tags, directory): ([TLVTag], [DistinguishedName]) = ([], [])
    try list.forEachChild { name in
      guard tags.count < maximumExtensions else { throw list.damaged("there are too many names") }
      tags.append(name.tag)
      if name.tag == NameConstraints.directory {
        directory.append(try DistinguishedName(name.requiredChild(.sequence)))
      }
    }
    if isCritical, tags.isEmpty { throw list.damaged("there is no name") }
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
    guard !permitted.isEmpty || !excluded.isEmpty else { throw value.damaged("there are no name constraints") }
  }

  private static func subtrees(_ list: TLV?) throws -> [Subtree] {
    var found: [Subtree] = []
    guard var members = try list?.children() else { return [] }
    while let member = try members.next() {
      var fields = try member.children()
      // A minimum is always 0 and a maximum absent.
      guard found.count < 64, let base = try fields.next(), fields.isAtEnd else {
        throw member.damaged("name constraints cannot be read")
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
