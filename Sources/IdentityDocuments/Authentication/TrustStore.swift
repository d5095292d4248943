/// Trusted CSCA certificates, and revocation lists.
///
/// ```swift
/// let trust = try TrustStore(folder: "trust")  // certificates, master lists and revocation lists
/// ```
///
/// A certificate in a file of certificates is trusted because the caller put it there. A master list is trusted only if its
/// signer's certificate chains to such a certificate, or to one whose fingerprint the caller pinned: anyone can make a
/// self-consistent list. Its trust is judged for each date and policy: see ``judged(on:by:)``.
///
/// A store without anchors is not an error: no chip is then ``PassiveAuthentication/Verdict/authentic``, and none is
/// invalid for that reason.
public struct TrustStore: Sendable, JSONConvertible {
  /// Maximum size of a file in bytes.
  public static let maximumFileBytes = 32 << 20
  /// Maximum number of files in a folder.
  public static let maximumFiles = 4096
  /// The file of a folder that has pins: one SHA-256 certificate fingerprint per line, in hexadecimal; text after a `#`
  /// is a comment.
  public static let pinsFile = "pins.txt"

  /// The trusted certificates in the order of insertion, without duplicates.
  public var anchors: [TrustAnchor] {
    hidden.isEmpty ? all : all.indices.filter { !hidden.contains($0) }.map { all[$0] }
  }
  private(set) var all: [TrustAnchor] = []
  /// Indices of anchors from lists that are not trusted.
  var hidden: Set<Int> = []
  public private(set) var revocationLists: [CertificateRevocationList] = []
  /// Certificates of the signers of visible digital seals, which a seal only names. They are not trusted: each needs a
  /// path to an anchor.
  public private(set) var sealSigners: [Certificate] = []
  /// Certificates of document signers, by serial number and by key identifier. They complete signed data without one,
  /// and are not trusted: each needs a path to an anchor.
  private(set) var documentSigners: [String: [Certificate]] = [:]
  /// What each file contributed.
  public internal(set) var sources: [TrustSource] = []
  /// Pinned certificate fingerprints: SHA-256 in hexadecimal.
  public private(set) var pins: Set<String> = []
  /// Signed lists whose signers chain to a trusted certificate.
  var lists: [SignedList] = []
  var verdicts = Verdicts()
  private var known: [[UInt8]: Int] = [:]
  /// Indices of anchors that the caller trusts directly, not through a list.
  private(set) var own: Set<Int> = []
  private var byKey: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: [Int]] = [:]
  /// Indices of the certificates that one name issued for another of the same state, by both names.
  private var links: [String: [Int]] = [:]

  /// Whether the caller gave a folder or files to trust, even if nothing in them can be trusted.
  package var isGiven: Bool { isFolder || !sources.isEmpty }
  private var isFolder = false

  public init() {}

  /// Reads all files in a folder. What a file contributes depends on its extension: see docs/documents.md. Files that
  /// are not a certificate, master list or revocation list are reported in ``sources``, as is everything that is not
  /// read: folders, hidden files, and files whose names are not UTF-8.
  /// Folders whose names begin with two dots are skipped: Kubernetes creates them as targets of its links.
  ///
  /// - Parameter pins: fingerprints in addition to those in ``pinsFile``.
  /// - Throws: ``VerifyError/Code/unreadable``, ``VerifyError/Code/tooLarge``, or ``VerifyError/Code/badArgument`` for
  ///   an invalid pin.
  public init(folder: String, pins: [String] = []) throws {
    isFolder = true
    for pin in pins { try self.pin(pin) }
    // Lists come last: the certificates that they are judged by must be present.
    var signed: [(name: String, bytes: [UInt8])] = []
    let contents = try FolderList.contents(of: folder, maximum: Self.maximumFiles)
    sources = contents.others.map { .refused($0.name, "not read: \($0.problem)") }
    for name in contents.files {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: Self.maximumFileBytes)
      if name == Self.pinsFile {
        for line in String(decoding: PEM.unmarked(bytes), as: UTF8.self).split(whereSeparator: \.isNewline) {
          let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
          if !text.isEmpty { try pin(text) }
        }
      } else {
        let file = TrustFile(bytes, name: name, isNamedByCaller: false)
        if let source = added(file, name: name) { sources.append(source) }
        signed += Self.named(file, name)
      }
    }
    for list in signed { sources.append(addedSignedData(list.bytes, name: list.name)) }
    change()
    sources.sort { $0.name < $1.name }
  }

  /// Pins the certificate with this fingerprint as an anchor of list signers. Must be called before the list is added.
  ///
  /// - Parameter sha256: 64 hexadecimal digits; colons are ignored.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public mutating func pin(_ sha256: String) throws {
    let digits = sha256.lowercased().filter { $0 != ":" }
    guard digits.utf8.count == 64, isLowerCaseHexadecimal(digits) else {
      throw VerifyError(.badArgument, "\(sha256) is no fingerprint: give SHA-256 in 64 hexadecimal digits")
    }
    pins.insert(digits)
  }

  /// Adds the contents of a file: certificates and revocation lists, as concatenated DER, as base64, as PEM or as a
  /// bundle (`.p7b`); signed lists of CSCA certificates, deviations or defects; or the LDIF of the ICAO PKD.
  /// Certificates and pins that a list depends on must be added before it.
  ///
  /// - Parameter name: its extension limits what the file contributes, as in a folder: `.crl` revocation lists alone,
  ///   an unknown one signed lists alone. A name without a full stop sets no limit.
  /// - Returns: what the file contributed, also in ``sources``: of several lists, one that is used.
  @discardableResult
  public mutating func add(_ bytes: [UInt8], name: String) -> TrustSource {
    let (file, first) = (TrustFile(bytes, name: name, isNamedByCaller: true), sources.count)
    if let source = added(file, name: name) { sources.append(source) }
    for list in Self.named(file, name) { sources.append(addedSignedData(list.bytes, name: list.name)) }
    change()
    return sources[first...].first { ![.refused, .notPinned].contains($0.kind) } ?? sources[sources.count - 1]
  }

  /// Returns the signed lists in a file; several are numbered.
  private static func named(_ file: TrustFile, _ name: String) -> [(name: String, bytes: [UInt8])] {
    file.signedLists.enumerated().map { (file.signedLists.count == 1 ? name : "\(name)#\($0 + 1)", $1) }
  }

  /// - Returns: nil if the file has signed lists alone.
  private mutating func added(_ file: TrustFile, name: String) -> TrustSource? {
    if let problem = file.problem { return .refused(name, problem) }
    for certificate in file.anchors { if let index = insert(certificate, from: name) { own.insert(index) } }
    revocationLists += file.revocationLists
    let seals = file.signers.filter { $0.sealSigner != nil }
    sealSigners += seals.filter { !sealSigners.contains($0) }
    let signers = file.signers.filter { $0.sealSigner == nil }
    for signer in signers {
      for key in [signer.serialNumber, signer.subjectKeyIdentifier].compactMap(\.self)
      where documentSigners[key]?.contains(signer) != true {
        documentSigners[key, default: []].append(signer)
      }
    }
    let (certificates, lists) = (file.anchors.count, file.revocationLists.count)
    let lost = TrustSource.lost(file.unreadCount)
    guard certificates + lists + file.signers.count > 0 else {
      if !file.signedLists.isEmpty, lost.isEmpty { return nil }
      let rule = "certificates are read from .cer, .crt, .der, .pem and .p7b files, revocation lists also from .crl"
      return .refused(name, "nothing in it is used: \(rule)\(lost)")
    }
    var text = "\(certificates) certificates and \(lists) revocation lists"
    if !seals.isEmpty { text += "; \(seals.count) certificates of signers of seals" }
    if !signers.isEmpty { text += "; \(signers.count) certificates of document signers, which are no anchors" }
    if let problem = file.revocationLists.lazy.compactMap(\.problem).first {
      text += "; a revocation list does not show that a certificate is unrevoked: \(problem.text)"
    }
    return TrustSource(
      name: name, kind: .certificates, certificateCount: certificates, revocationListCount: lists,
      text: (text + lost).printable, unreadableCount: file.unreadCount)
  }

  private mutating func addedSignedData(_ bytes: [UInt8], name: String) -> TrustSource {
    do {
      let data = try SignedData(bytes)
      var list: SignedList
      switch data.contentType {
      case MasterList.contentType:
        let content = try MasterList(data.content)
        list = SignedList(name: name, data: data, purpose: .masterLists, damagedCount: content.damagedCount)
        list.certificates = content.certificates
      case let type where DeviationList.contentTypes.contains(type):
        list = SignedList(
          name: name, data: data, purpose: type == DeviationList.contentTypes[0] ? .deviationLists : .defectLists)
        list.deviations = try DeviationList(data.content).entries
      default: return .refused(name, "its content type \(data.contentType) is not that of a master list")
      }
      if !pins.isEmpty { list.pinned = (list.certificates + data.certificates).filter { pins.contains($0.sha256) } }
      let (source, path) = verdict(of: list, in: trustedAlone, by: .standard)
      // Without a trusted signer, the list can never be used.
      guard path?.anchor != nil, data.signature == .valid else { return source }
      list.brought = list.certificates.compactMap { insert($0, from: name) }
      lists.append(list)
      var kept = source
      kept.list = lists.count - 1
      return kept
    } catch let error as VerifyError {
      return .refused(name, error.message)
    } catch {
      return .refused(name, "it cannot be read")
    }
  }

  /// - Returns: the index among the anchors, or nil if the certificate may not sign others.
  mutating func insert(_ certificate: Certificate, from source: String) -> Int? {
    guard certificate.isAuthority else { return nil }
    if let index = known[certificate.bytes] { return index }
    let index = all.count
    known[certificate.bytes] = index
    all.append(TrustAnchor(certificate: certificate, source: source))
    if let key = certificate.subjectKeyIdentifier { byKey[key, default: []].append(index) }
    let (subject, issuer) = (certificate.subject.comparisonKey, certificate.issuer.comparisonKey)
    byName[subject, default: []].append(index)
    if let country = certificate.subject.country { byCountry[country, default: []].append(index) }
    // A certificate that one state issues for another does not link their names.
    if subject != issuer, certificate.subject.state == certificate.issuer.state {
      for name in [subject, issuer] { links[name, default: []].append(index) }
    }
    return index
  }

  /// Returns the anchors that may have signed a certificate. Names and key identifiers only find candidates: states'
  /// spellings of both do not always match exactly.
  ///
  /// - Returns: those named as the issuer; and the rest of the country, needed only if none of the former signed.
  func issuers(of certificate: Certificate) -> (named: [TrustAnchor], rest: [TrustAnchor]) {
    let name = byName[certificate.issuer.comparisonKey] ?? []
    let key = certificate.authorityKeyIdentifier.flatMap { byKey[$0] } ?? []
    let country = certificate.issuer.country ?? certificate.subject.country
    let named = key.isEmpty ? name : key
    let rest = (key.isEmpty ? [] : name) + (country.flatMap { byCountry[$0] } ?? [])
    var seen = hidden
    func anchors(_ indices: [Int]) -> [TrustAnchor] { indices.filter { seen.insert($0).inserted }.map { all[$0] } }
    return (anchors(named), anchors(rest))
  }

  /// Returns the anchors that may have signed a list, by its authority key identifier, or by name if that finds none.
  func issuers(of list: CertificateRevocationList) -> [Certificate] {
    visible(list.authorityKeyIdentifier.flatMap { byKey[$0] } ?? byName[list.issuerKey])
  }

  private func visible(_ indices: [Int]?) -> [Certificate] {
    (indices ?? []).filter { !hidden.contains($0) }.map { all[$0].certificate }
  }

  /// Returns all present and former names of a CSCA, connected by link certificates (Doc 9303-12, 4.3).
  func generation(of name: DistinguishedName) -> Set<String> {
    var names: Set<String> = []
    var new: Set<String> = [name.comparisonKey]
    while !new.isEmpty {
      names.formUnion(new)
      let joined = visible(new.flatMap { links[$0] ?? [] }).filter(isLink)
        .flatMap { [$0.subject.comparisonKey, $0.issuer.comparisonKey] }
      new = Set(joined).subtracting(names)
    }
    return names
  }

  /// Whether a certificate between two names is a CSCA's link, not a certificate for a subordinate authority: it has the
  /// name change extension (Doc 9303-12, 7.1), or its key has a self-issued certificate of its own; and the issuer's key
  /// signed it.
  private func isLink(_ certificate: Certificate) -> Bool {
    func anchors(named name: DistinguishedName) -> [Certificate] { visible(byName[name.comparisonKey]) }
    let isOfAuthority =
      certificate.extensions.isNameChange
      || anchors(named: certificate.subject).contains {
        $0.publicKey == certificate.publicKey && $0.issuer.comparisonKey == $0.subject.comparisonKey
      }
    return isOfAuthority && anchors(named: certificate.issuer).contains { $0.signed(certificate) == .valid }
  }

  /// Returns what trusted lists report about documents of a signer.
  func deviations(of signer: Certificate) -> [Deviation] {
    let trusted = sources.compactMap { $0.isTrustedList ? $0.list : nil }.map { lists[$0] }
    return trusted.flatMap { list in
      list.deviations.filter { $0.names(signer) }.map { Deviation(types: $0.types, source: list.name) }
    }
  }

  public var jsonValue: JSONValue {
    [
      "sources": sources.jsonValue, "anchors": anchors.jsonValue, "sealSigners": sealSigners.jsonValue,
      "revocationLists": .array(
        revocationLists.map {
          [
            "issuer": .string($0.issuer.description), "thisUpdate": .string($0.thisUpdate.description),
            "nextUpdate": .optional($0.nextUpdate?.description), "revoked": .integer($0.revoked.count),
          ]
        }),
    ]
  }
}
