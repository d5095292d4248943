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
  /// Results of verifying the signature, by public key; copies of the list share them.
  private let signatures = Lock((known: [[UInt8]: SignatureCheck](), count: 0))
  var verificationCount: Int { signatures.withLock { $0.count } }

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
      throw whole.damaged("the revocation list has no date")
    }
    let next = try fields.nextIfPresent(.utcTime) ?? fields.nextIfPresent(.generalizedTime)
    let date = try? update.time()
    thisUpdate = date ?? .distantPast
    nextUpdate = try? next?.time()
    if date == nil { report(.revocationListDamaged, "the revocation list has an unreadable date") }
    if let digest = algorithm?.digest, !digest.isPermitted {
      report(digest.isBroken ? .brokenAlgorithm : .weakSignatureDigest, "the revocation list is signed with \(digest)")
    }
    if let text = algorithm?.parameterProblem { report(.brokenAlgorithm, "the revocation list: \(text)") }
    do {
      let number = try version?.integer() ?? 0
      if number != 1 {
        report(.revocationListDamaged, "the revocation list has the version \(number), not 1 (v2)")
      }
      if try outer.next(.sequence).encoded != inner.encoded {
        report(.revocationListDamaged, "the revocation list has two different signature algorithms")
      }
      if var entries = try fields.nextIfPresent(.sequence)?.children() {
        while let entry = try entries.next() { read(entry: entry) }
      }
      if let list = try fields.nextIfPresent(0xA0) {
        for one in try Self.extensions(list.requiredChild(.sequence)) { try read(one) }
      }
      guard fields.isAtEnd else { throw VerifyError(.damaged, "the revocation list has further fields") }
    } catch {
      report(.revocationListDamaged, "a part of the revocation list cannot be read")
    }
    if nextUpdate == nil { report(.revocationListDamaged, "the revocation list has no next update") }
  }

  private mutating func read(entry: TLV) {
    do {
      var parts = try entry.children()
      let serial = Certificate.hexadecimalNumber(try parts.next(.integer).value)
      let date = Result { try parts.next().map { try $0.time() } }
      // The certificate issuer extension names the issuer for its entry and those that follow.
      let extensions = Result { try parts.nextIfPresent(.sequence).map { try Self.extensions($0) } ?? [] }
      var reason: [UInt8] = []
      for one in (try? extensions.get()) ?? [] {
        if one.type == "2.5.29.21" { reason = (try? one.content.requiredChild(0x0A)).map { Array($0.value) } ?? [] }
        if one.type == "2.5.29.29" {
          let name = try? one.content.requiredChild(.sequence).requiredChild(NameConstraints.directory)
          isAboutOthers =
            (try? name.map { try DistinguishedName($0.requiredChild(.sequence)) })?.isSame(as: issuer) != true
        }
        if one.isCritical || one.type == "2.5.29.29" {
          report(.revocationListUnsupported, "an entry of the revocation list has the extension \(one.type)")
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
      report(.revocationListDamaged, "an entry of the revocation list cannot be read")
    }
  }

  private mutating func report(_ reason: PassiveAuthentication.Reason, _ text: String) {
    problems.append(Violation(reason, text))
  }

  /// Reasons of entries (5.3.1).
  private static let (hold, removeFromList) = (UInt8(6), UInt8(8))

  /// - Throws: also if one is repeated (4.2).
  private static func extensions(_ list: TLV) throws -> [Extension] {
    var (members, found) = (try list.children(), [Extension]())
    while let member = try members.next() {
      let one = try Extension(member)
      guard !found.contains(where: { $0.type == one.type }) else {
        throw VerifyError(.damaged, "the extension \(one.type) is repeated")
      }
      found.append(one)
    }
    return found
  }

  private mutating func read(_ one: Extension) throws {
    let content = one.content
    switch one.type {
    case "2.5.29.35":
      authorityKeyIdentifier = try content.requiredChild(.sequence).child(0x80).map { hexadecimal($0.value) }
    // CRL number and issuer alternative name.
    case "2.5.29.20", "2.5.29.18": break
    case "2.5.29.27": report(.revocationListUnsupported, "the revocation list is a delta list")
    case "2.5.29.28":
      let scope = try content.requiredChild(.sequence)
      func flag(_ tag: TLVTag) throws -> Bool { try scope.child(tag)?.boolean() ?? false }
      distributionPoint = try scope.child(0xA0).map { try CertificateExtensions.names(ofPoint: $0) }
      let attributes = try flag(0x85)
      covers = (try !flag(0x82) && !attributes, try !flag(0x81) && !attributes)
      if try scope.child(0x83) != nil || flag(0x84) {
        report(.revocationListUnsupported, "the revocation list covers only some reasons, or is indirect")
      }
    default:
      if one.isCritical {
        report(.revocationListUnsupported, "the revocation list has the unknown critical extension \(one.type)")
      }
    }
  }

  /// Returns the result of verifying the signature by a key; computed once for each key.
  func signature(by key: [UInt8], verify: () -> SignatureCheck) -> SignatureCheck {
    signatures.withLock { signatures in
      if let known = signatures.known[key] { return known }
      // A list has one or two possible signers.
      if signatures.known.count > 64 { signatures.known = [:] }
      let found = verify()
      signatures.known[key] = found
      signatures.count += 1
      return found
    }
  }

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

/// An extension of a revocation list or of one of its entries (RFC 5280, 5.2 and 5.3).
private struct Extension {
  let type: String
  let isCritical: Bool
  let content: TLV

  init(_ member: TLV) throws {
    var fields = try member.children()
    type = try fields.next(.objectIdentifier).objectIdentifier()
    isCritical = try fields.nextIfPresent(.boolean)?.boolean() ?? false
    content = try fields.next(.octetString)
  }
}
