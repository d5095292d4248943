/// An X.509 certificate revocation list (RFC 5280, 5) of a CSCA. A list with an unreadable part or an unknown critical
/// extension still revokes the certificates that it names, but does not show that others are valid.
public struct CertificateRevocationList: Sendable {
  /// DER.
  public let bytes: [UInt8]
  public let issuer: DistinguishedName
  /// Nil if it cannot be read.
  let algorithm: SignatureAlgorithm?
  /// Computed once, because a store may hold a list of every state.
  let issuerKey: String
  public let thisUpdate: DateTime
  public let nextUpdate: DateTime?
  /// Revocation dates by serial number, formatted as in ``Certificate/serialNumber``.
  public private(set) var revoked: [String: DateTime] = [:]
  /// Serial numbers that are only on hold, which a later list may release (5.3.1).
  private(set) var held: Set<String> = []
  /// The identifier of the signing key, in hexadecimal.
  public private(set) var authorityKeyIdentifier: String?
  /// Why the list cannot show that any certificate is not revoked; nil if it can.
  var problem: Violation? { problems.first }
  private var problems: [Violation] = []
  /// Whether the list covers certificates of signers and of authorities (5.2.5).
  private var covers = (signers: true, authorities: true)
  /// The names of the distribution point whose certificates the list covers; nil for all.
  private var distributionPoint: Set<[UInt8]>?
  /// Whether the following entries concern certificates of another issuer (5.3.3).
  private var isAboutOthers = false

  /// - Throws: ``VerifyError/Code/damaged`` if the issuer cannot be read or there is no date.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    self.bytes = Array(whole.encoded)
    var outer = try whole.children()
    var fields = try outer.next(.sequence).children()
    let version = try fields.nextIfPresent(.integer)
    let inner = try fields.next(.sequence)
    algorithm = try? SignatureAlgorithm(inner)
    issuer = try DistinguishedName(fields.next(.sequence))
    issuerKey = issuer.comparisonKey
    guard let update = try fields.next(), [.utcTime, .generalizedTime].contains(update.tag) else {
      throw VerifyError(.damaged, "a revocation list has no date")
    }
    let next = try fields.nextIfPresent(.utcTime) ?? fields.nextIfPresent(.generalizedTime)
    let date = try? update.time()
    thisUpdate = date ?? .distantPast
    nextUpdate = try? next?.time()
    if date == nil { problems.append(Violation(.revocationListDamaged, "the revocation list has an unreadable date")) }
    if let digest = algorithm?.digest, !digest.isPermitted {
      problems.append(
        Violation(
          digest.isBroken ? .brokenAlgorithm : .weakSignatureDigest, "the revocation list is signed with \(digest)"))
    }
    if let text = algorithm?.parameterProblem {
      problems.append(Violation(.brokenAlgorithm, "the revocation list: \(text)"))
    }
    do {
      let number = try version?.integer() ?? 0
      if number != 1 {
        problems.append(
          Violation(
            .revocationListDamaged, "the revocation list is of version \(number), which is not that of RFC 5280"))
      }
      if try outer.next(.sequence).encoded != inner.encoded {
        problems.append(Violation(.revocationListDamaged, "the revocation list names two algorithms that differ"))
      }
      if var entries = try fields.nextIfPresent(.sequence)?.children() {
        while let entry = try entries.next() { read(entry: entry) }
      }
      if let list = try fields.nextIfPresent(0xA0) {
        for (type, isCritical, content) in try Self.extensions(list.requiredChild(.sequence)) {
          try read(type, isCritical, content)
        }
      }
      guard fields.isAtEnd else { throw VerifyError(.damaged, "there is something behind the revocation list") }
    } catch {
      problems.append(Violation(.revocationListDamaged, "a part of the revocation list cannot be read"))
    }
    if nextUpdate == nil {
      problems.append(Violation(.revocationListDamaged, "the revocation list does not say when the next one comes"))
    }
  }

  private mutating func read(entry: TLV) {
    do {
      var parts = try entry.children()
      let serial = Certificate.hexadecimalNumber(try parts.next(.integer).value)
      let date = Result { try parts.next().map { try $0.time() } }
      // The certificate issuer extension names the issuer for its entry and those that follow.
      let extensions = Result { try parts.nextIfPresent(.sequence).map { try Self.extensions($0) } ?? [] }
      var reason: [UInt8] = []
      for (type, isCritical, content) in (try? extensions.get()) ?? [] {
        if type == "2.5.29.21" { reason = (try? content.requiredChild(0x0A)).map { Array($0.value) } ?? [] }
        if type == "2.5.29.29" {
          let name = try? content.requiredChild(.sequence).requiredChild(NameConstraints.directory)
          isAboutOthers =
            (try? name.map { try DistinguishedName($0.requiredChild(.sequence)) })?.isSame(as: issuer) != true
        }
        if isCritical || type == "2.5.29.29" {
          problems.append(
            Violation(.revocationListUnsupported, "an entry of the revocation list has the extension \(type)"))
        }
      }
      // An entry revokes its certificate even if the rest of the entry is malformed, unless it removes it from the list.
      if !isAboutOthers, reason != [Self.removeFromList] {
        if reason != [Self.hold] { held.remove(serial) } else if revoked[serial] == nil { held.insert(serial) }
        revoked[serial] = (try? date.get()) ?? thisUpdate
      }
      guard try date.get() != nil else { throw VerifyError(.damaged, "a revoked certificate has no date") }
      _ = try extensions.get()
    } catch {
      problems.append(Violation(.revocationListDamaged, "an entry of the revocation list cannot be read"))
    }
  }

  /// Reasons of entries (5.3.1).
  private static let (hold, removeFromList) = (UInt8(6), UInt8(8))

  /// - Throws: also if one is repeated (4.2).
  private static func extensions(_ list: TLV) throws -> [(type: String, isCritical: Bool, content: TLV)] {
    var (members, found) = (try list.children(), [(type: String, isCritical: Bool, content: TLV)]())
    while let member = try members.next() {
      let parts = try parts(of: member)
      guard !found.contains(where: { $0.type == parts.type }) else {
        throw VerifyError(.damaged, "the extension \(parts.type) is repeated")
      }
      found.append(parts)
    }
    return found
  }

  private mutating func read(_ type: String, _ isCritical: Bool, _ content: TLV) throws {
    switch type {
    case "2.5.29.35":
      authorityKeyIdentifier = try content.requiredChild(.sequence).child(0x80).map { hexadecimal(Array($0.value)) }
    // CRL number and issuer alternative name.
    case "2.5.29.20", "2.5.29.18": break
    case "2.5.29.27":
      problems.append(Violation(.revocationListUnsupported, "the revocation list is a delta of another one"))
    case "2.5.29.28":
      let scope = try content.requiredChild(.sequence)
      func flag(_ tag: TLVTag) throws -> Bool { try scope.child(tag)?.boolean() ?? false }
      distributionPoint = try scope.child(0xA0).map { try CertificateExtensions.names(ofPoint: $0) }
      let attributes = try flag(0x85)
      covers = (try !flag(0x82) && !attributes, try !flag(0x81) && !attributes)
      if try scope.child(0x83) != nil || flag(0x84) {
        problems.append(
          Violation(.revocationListUnsupported, "the revocation list has only some reasons, or those of other issuers"))
      }
    default:
      if isCritical {
        problems.append(
          Violation(
            .revocationListUnsupported, "the revocation list has the critical extension \(type), which is unknown"))
      }
    }
  }

  private static func parts(of member: TLV) throws -> (type: String, isCritical: Bool, content: TLV) {
    var fields = try member.children()
    let type = try fields.next(.objectIdentifier).objectIdentifier()
    let isCritical = try fields.nextIfPresent(.boolean)?.boolean() ?? false
    return (type, isCritical, try fields.next(.octetString))
  }

  /// Whether the certificate is within the list's scope.
  func isAbout(_ certificate: Certificate) -> Bool {
    guard certificate.extensions.basicConstraints?.isAuthority ?? false ? covers.authorities : covers.signers else {
      return false
    }
    return distributionPoint.map { !$0.isDisjoint(with: certificate.extensions.distributionPoints) } ?? true
  }

  /// Whether the list releases certificates that an older list of its issuer put on hold: it is complete, and newer.
  func releases(_ certificate: Certificate, from older: CertificateRevocationList) -> Bool {
    problem == nil && isAbout(certificate) && revoked[certificate.serialNumber] == nil && issuerKey == older.issuerKey
      && older.held.contains(certificate.serialNumber) && older.problem == nil && thisUpdate > older.thisUpdate
  }
}
