/// Trusted CSCA certificates, and revocation lists.
///
/// ```swift
/// let trust = try TrustStore(folder: "trust")  // certificates, master lists and revocation lists
/// ```
///
/// A certificate in a file of its own is trusted because the caller put it there. A master list is trusted only if its
/// signer's certificate chains to such a certificate, or to one whose fingerprint the caller pinned: anyone can make a
/// self-consistent list. Its trust is judged for each date and policy: see ``judged(on:by:)``.
///
/// A store without anchors is not an error: no chip is then ``PassiveAuthentication/Verdict/authentic``, and none is
/// invalid for that reason.
public struct TrustStore: Sendable {
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
  private var all: [TrustAnchor] = []
  /// Indices of anchors from lists that are not trusted.
  private var hidden: Set<Int> = []
  public private(set) var revocationLists: [CertificateRevocationList] = []
  /// What each file contributed.
  public private(set) var sources: [TrustSource] = []
  /// Pinned certificate fingerprints: SHA-256 in hexadecimal.
  public private(set) var pins: Set<String> = []
  /// Signed lists whose signers chain to a trusted certificate.
  private var lists: [SignedList] = []
  private var verdicts = Verdicts()
  private var known: [[UInt8]: Int] = [:]
  /// Indices of anchors that the caller trusts directly, not through a list.
  private var own: Set<Int> = []
  private var byKey: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: [Int]] = [:]
  /// Indices of the certificates that one name issued for another of the same state, by both names.
  private var links: [String: [Int]] = [:]

  /// Whether the caller gave a folder or files to trust, even if nothing in them can be trusted.
  package var isGiven: Bool { isFolder || !sources.isEmpty }
  private var isFolder = false

  public init() {}

  /// Reads all files in a folder. Files that are not a certificate, master list or revocation list are reported in
  /// ``sources``, as is everything that is not read: folders, hidden files, and files whose names are not UTF-8.
  /// Folders whose names begin with two dots are skipped: Kubernetes creates them as targets of its links.
  ///
  /// - Parameter pins: fingerprints in addition to those in ``pinsFile``.
  /// - Throws: ``VerifyError/Code/unreadable``, ``VerifyError/Code/tooLarge``, or ``VerifyError/Code/badArgument`` for
  ///   an invalid pin.
  public init(folder: String, pins: [String] = []) throws {
    isFolder = true
    for pin in pins { try self.pin(pin) }
    // Lists come last: the certificates that they are judged by must be present.
    var signed: [(name: String, bytes: [UInt8], unread: Int)] = []
    let contents = try FolderList.contents(of: folder, maximum: Self.maximumFiles)
    sources = contents.others.map { Self.refused($0.name, "not read: \($0.problem)") }
    for name in contents.files {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: Self.maximumFileBytes)
      if name == Self.pinsFile {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
          let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
          if !text.isEmpty { try pin(text) }
        }
      } else {
        switch Self.contents(of: bytes) {
        case .blocks(let blocks, let unread): sources.append(added(blocks, unread, name: name))
        case .signedData(let bytes, let unread): signed.append((name, bytes, unread))
        }
      }
    }
    for list in signed { sources.append(addedSignedData(list.bytes, list.unread, name: list.name)) }
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
      throw VerifyError(
        .badArgument, "\(sha256) is no fingerprint: give SHA-256 in 64 hexadecimal digits")
    }
    pins.insert(digits)
  }

  /// Adds the contents of a file: certificates and revocation lists, as concatenated DER or as PEM; or a signed list of
  /// CSCA certificates, deviations or defects. Certificates and pins that a list depends on must be added before it.
  ///
  /// - Returns: what the file contributed, also in ``sources``.
  @discardableResult
  public mutating func add(_ bytes: [UInt8], name: String) -> TrustSource {
    let source =
      switch Self.contents(of: bytes) {
      case .blocks(let blocks, let unread): added(blocks, unread, name: name)
      case .signedData(let bytes, let unread): addedSignedData(bytes, unread, name: name)
      }
    sources.append(source)
    change()
    return sources[sources.count - 1]
  }

  private mutating func added(_ blocks: [[UInt8]], _ unread: Int, name: String) -> TrustSource {
    var (certificates, lists, signers, unreadable) = (0, 0, 0, unread)
    var problem: String?
    for block in blocks {
      if let certificate = try? Certificate(block) {
        if let index = insert(certificate, from: name) {
          certificates += 1
          own.insert(index)
        } else {
          signers += 1
        }
      } else if let list = try? CertificateRevocationList(block) {
        revocationLists.append(list)
        lists += 1
        problem = problem ?? list.problem?.text
      } else if blocks.count == 1 {
        return addedSignedData(block, unread, name: name)
      } else {
        unreadable += 1
      }
    }
    guard certificates + lists > 0 else {
      return Self.refused(
        name, signers > 0 ? "the certificates may not sign others" : "there is no certificate or revocation list in it")
    }
    var text = "\(certificates) certificates and \(lists) revocation lists"
    if signers > 0 { text += "; \(signers) certificates that may not sign others are left out" }
    if let problem { text += "; it vouches for nobody: \(problem)" }
    text += Self.lost(unreadable)
    return TrustSource(
      name: name, kind: .certificates, certificateCount: certificates, revocationListCount: lists,
      signature: .notChecked, signer: nil, signerChain: .notChecked, pin: nil, text: text.printable,
      unreadableCount: unreadable)
  }

  private mutating func addedSignedData(_ bytes: [UInt8], _ unread: Int, name: String) -> TrustSource {
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
      default: return Self.refused(name, "it signs \(data.contentType), which is no master list")
      }
      list.unreadableCount = unread
      if !pins.isEmpty { list.pinned = (list.certificates + data.certificates).filter { pins.contains($0.sha256) } }
      let (source, path) = verdict(of: list, in: trustedAlone, by: .standard)
      // Without a trusted signer, the list can never be used.
      guard path?.anchor != nil, data.signature == .valid else { return source }
      for certificate in list.certificates {
        guard let index = insert(certificate, from: name) else { continue }
        list.brought.append(index)
      }
      lists.append(list)
      var kept = source
      kept.list = lists.count - 1
      return kept
    } catch let error as VerifyError {
      return Self.refused(name, error.message)
    } catch {
      return Self.refused(name, "it cannot be read")
    }
  }

  /// A signed list of CSCA certificates, deviations or defects.
  private struct SignedList: Sendable {
    let name: String
    let data: SignedData
    let purpose: PathContext.Purpose
    var damagedCount = 0
    var unreadableCount = 0
    var certificates: [Certificate] = []
    var deviations: [DeviationList.Entry] = []
    /// Pinned certificates among those in the list or its signed data.
    var pinned: [Certificate] = []
    /// Indices of the anchors that it contributed.
    var brought: [Int] = []

    func source(
      _ kind: TrustSource.Kind, _ chain: CheckStatus, _ text: String, signature: CheckStatus = .passed,
      pin: String? = nil
    ) -> TrustSource {
      let isUsed = kind == .masterList
      var text = (isUsed ? "\(brought.count) certificates, \(damagedCount) damaged ones left out; " : "") + text
      text += TrustStore.lost(unreadableCount)
      return TrustSource(
        name: name, kind: kind, certificateCount: isUsed ? brought.count : 0, revocationListCount: 0,
        signature: signature, signer: data.signer?.certificate, signerChain: chain, pin: pin, text: text.printable,
        unreadableCount: unreadableCount)
    }
  }

  /// Returns the store with only those lists that are trusted on a date and by a policy: their signers satisfy the
  /// policy, did not sign after that day, and were not revoked. ``PassiveAuthentication`` calls it.
  public func judged(on date: DateTime, by policy: AuthenticationPolicy = .standard) -> TrustStore {
    var store = self
    store.judge(on: date, by: policy)
    return store
  }

  /// Judges the lists again after an addition.
  private mutating func change() {
    verdicts = Verdicts()
    judge(on: nil, by: .standard)
  }

  private mutating func judge(on date: DateTime?, by policy: AuthenticationPolicy) {
    guard !lists.isEmpty else { return }
    var found = verdicts.found(by: policy) { judged(by: policy) }
    for (index, list) in lists.enumerated() where found[index].isTrustedList {
      // Lists are dated by day: one issued today is valid for all of today.
      guard let date, let time = list.data.signer?.signingTime, time.calendarDate > date.calendarDate else { continue }
      found[index] = Self.refused(list, "it was signed at \(time), which is after \(date.calendarDate)")
    }
    hide(found)
    for (index, source) in sources.enumerated() {
      guard let list = source.list else { continue }
      sources[index] = found[list]
      sources[index].list = list
    }
  }

  /// Judges each list by a policy, regardless of the date.
  private func judged(by policy: AuthenticationPolicy) -> [TrustSource] {
    let alone = trustedAlone
    let found = lists.map { verdict(of: $0, in: alone, by: policy) }
    // A CSCA signs its revocation list with its newest key, which may be present only in a list.
    var store = self
    store.hide(found.map(\.source))
    return zip(lists, found).map { list, one in
      guard one.source.isTrustedList else { return one.source }
      let step = Revocation.step(one.path, trust: store, date: .distantPast, policy: policy)
      return step.status == .failed ? Self.refused(list, step.text) : one.source
    }
  }

  /// A thread-safe cache of the verdicts on the lists by policy: they are the same for all chips, and judging a list
  /// costs as much as a chip.
  private final class Verdicts: Sendable {
    private struct Key: Hashable {
      let leniencies: Set<PassiveAuthentication.Reason>
      let algorithms: [AlgorithmRule]
    }

    private let known = Lock([Key: [TrustSource]]())

    func found(by policy: AuthenticationPolicy, _ judge: () -> [TrustSource]) -> [TrustSource] {
      let key = Key(leniencies: policy.leniencies, algorithms: policy.algorithms)
      if let found = known.withLock({ $0[key] }) { return found }
      let found = judge()
      known.withLock { known in
        // Programs use one or two policies.
        if known.count > 8 { known = [:] }
        known[key] = found
      }
      return found
    }
  }

  /// - Parameter found: the verdict on each list.
  private mutating func hide(_ found: [TrustSource]) {
    hidden = Set(lists.flatMap(\.brought)).subtracting(own)
    for (list, source) in zip(lists, found) where source.isTrustedList { hidden.subtract(list.brought) }
  }

  /// The store with only what is trusted without a list.
  private var trustedAlone: TrustStore {
    var store = self
    store.hidden = Set(all.indices).subtracting(own)
    return store
  }

  /// Judges a list: it is trusted if its signature is valid and its signer chains to a certificate trusted without the
  /// list, satisfies the rules, and was valid when it signed.
  ///
  /// - Parameter alone: the store with only what is trusted without a list.
  private func verdict(
    of list: SignedList, in alone: TrustStore, by policy: AuthenticationPolicy
  ) -> (source: TrustSource, path: CertificationPath?) {
    let data = list.data
    var trusted = alone
    for one in list.pinned { if let index = trusted.insert(one, from: "pin") { trusted.hidden.remove(index) } }
    let signed = data.signer?.signingTime ?? data.signer?.certificate?.validFrom ?? DateTime.distantPast
    func report(_ trust: TrustStore) -> SignatureReport {
      SignatureReport(
        data, of: list.purpose, trust: trust, date: signed, documentCode: nil, policy: policy, hashList: nil)
    }
    let found = report(trusted)
    let signature = found.signatureSteps[0]
    guard signature.status == .passed else {
      return (Self.refused(list, signature.text, signature: signature.status, chain: .notChecked), found.path)
    }
    let state = PassiveAuthentication.countryStep(found.path, issuingState: nil)
    if let failed = (found.signatureSteps + found.pathSteps + [state]).first(where: { $0.status == .failed }) {
      return (Self.refused(list, failed.text), found.path)
    }
    if data.signer?.signingTime == nil {
      return (Self.refused(list, "it does not say when it was signed"), found.path)
    }
    if let anchor = found.path?.anchor?.certificate {
      let kind: TrustSource.Kind = list.purpose == .masterLists ? .masterList : .deviationList
      let why = pins.contains(anchor.sha256) ? "is pinned" : "is trusted by itself"
      return (list.source(kind, .passed, "signed for \(anchor.subject), which \(why)"), found.path)
    }
    // Finds the certificate to pin: the list's own CSCA, as if it were trusted.
    var itself = TrustStore()
    for one in list.certificates + data.certificates { _ = itself.insert(one, from: list.name) }
    let end = report(itself).path?.anchor?.certificate.sha256
    let advice = end.map { "if its publisher confirms the fingerprint \($0), pin that" } ?? "add its CSCA's certificate"
    return (
      list.source(
        .notPinned, .notChecked,
        "it agrees with itself, but nobody trusted signed it: nothing of it is used; \(advice)", pin: end),
      found.path
    )
  }

  private static func refused(
    _ list: SignedList, _ text: String, signature: CheckStatus = .passed, chain: CheckStatus = .failed
  ) -> TrustSource {
    list.source(.refused, chain, "\(text); nothing of it is trusted", signature: signature)
  }

  private static func lost(_ parts: Int) -> String {
    parts == 0 ? "" : "; \(parts) part\(parts == 1 ? "" : "s") cannot be read"
  }

  private static func refused(_ name: String, _ text: String) -> TrustSource {
    TrustSource(
      name: name, kind: .refused, certificateCount: 0, revocationListCount: 0, signature: .notChecked, signer: nil,
      signerChain: .notChecked, pin: nil, text: text.printable)
  }

  /// The contents of a file, and the number of further parts that cannot be read.
  private enum Contents {
    /// Certificates or revocation lists.
    case blocks([[UInt8]], unread: Int)
    case signedData([UInt8], unread: Int)
  }

  private static func contents(of bytes: [UInt8]) -> Contents {
    guard let (blocks, unread) = PEM.blocks(in: bytes) ?? sequences(in: bytes) else {
      return .signedData(bytes, unread: 0)
    }
    // Signed data can be in PEM too.
    return blocks.count == 1 && sequences(in: blocks[0]) == nil
      ? .signedData(blocks[0], unread: unread) : .blocks(blocks, unread: unread)
  }

  /// Splits concatenated data objects whose first member is a sequence: certificates or revocation lists, not signed
  /// data. Returns nil for any other bytes.
  private static func sequences(in bytes: [UInt8]) -> (blocks: [[UInt8]], unread: Int)? {
    let padding: Set<UInt8> = [0, 9, 10, 13, 32]
    let end = bytes.lastIndex { !padding.contains($0) } ?? -1
    var reader = TLVReader(bytes)
    var (blocks, read): ([[UInt8]], Int) = ([], 0)
    while let object = try? reader.next() {
      guard object.tag == .sequence, var members = try? object.children(), let first = try? members.next(),
        first.tag == .sequence
      else { return nil }
      blocks.append(Array(object.encoded))
      read += object.encoded.count
    }
    return blocks.isEmpty ? nil : (blocks, end < read ? 0 : 1)
  }

  /// - Returns: the index among the anchors, or nil if the certificate may not sign others.
  private mutating func insert(_ certificate: Certificate, from source: String) -> Int? {
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
    let indices = list.authorityKeyIdentifier.flatMap { byKey[$0] } ?? byName[list.issuerKey] ?? []
    return indices.filter { !hidden.contains($0) }.map { all[$0].certificate }
  }

  /// Returns all present and former names of a CSCA, connected by link certificates (Doc 9303-12, 4.3).
  func generation(of name: DistinguishedName) -> Set<String> {
    var names: Set<String> = []
    var new: Set<String> = [name.comparisonKey]
    while !new.isEmpty {
      names.formUnion(new)
      let joined = new.flatMap { links[$0] ?? [] }.filter { !hidden.contains($0) }.map { all[$0].certificate }
        .filter(isLink).flatMap { [$0.subject.comparisonKey, $0.issuer.comparisonKey] }
      new = Set(joined).subtracting(names)
    }
    return names
  }

  /// Whether a certificate between two names is a CSCA's link, not a certificate for a subordinate authority: it has the
  /// name change extension (Doc 9303-12, 7.1), or its key has a self-issued certificate of its own; and the issuer's key
  /// signed it.
  private func isLink(_ certificate: Certificate) -> Bool {
    func anchors(named name: DistinguishedName) -> [Certificate] {
      (byName[name.comparisonKey] ?? []).filter { !hidden.contains($0) }.map { all[$0].certificate }
    }
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
}

/// A certificate trusted to certify document signers: a CSCA's, or a link certificate between two of its keys.
public struct TrustAnchor: Sendable, Hashable {
  public let certificate: Certificate
  /// The file that contained it.
  public let source: String

  /// The subject's country code; nil if the certificate has none.
  public var country: String? { certificate.subject.country }
}

/// What one file contributed to a ``TrustStore``.
public struct TrustSource: Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Certificates, revocation lists or both.
    public static let certificates = Self(rawValue: "certificates")
    /// A signed list of CSCA certificates (ICAO Doc 9303-12, 9).
    public static let masterList = Self(rawValue: "master-list")
    /// A signed list of deviations or defects (Doc 9303-12, 10; BSI TR-03129).
    public static let deviationList = Self(rawValue: "deviation-list")
    /// A valid list whose signer is not trusted: nothing of it is used. ``TrustSource/pin`` is the certificate to pin.
    public static let notPinned = Self(rawValue: "not-pinned")
    /// Nothing in the file is trusted; ``TrustSource/text`` explains why.
    public static let refused = Self(rawValue: "refused")
  }

  public let name: String
  public let kind: Kind
  /// Number of certificates in the file that may sign document signers; the store holds each once.
  public let certificateCount: Int
  public let revocationListCount: Int
  /// Whether the signature of a signed list is valid. If it failed, nothing of the list is trusted.
  public let signature: CheckStatus
  /// The signer of a signed list.
  public let signer: Certificate?
  /// Whether the list's signer chains to a certificate trusted without the list.
  public let signerChain: CheckStatus
  /// SHA-256 of the certificate to pin, if the list's publisher confirms it.
  public let pin: String?
  /// One line.
  public let text: String
  /// Number of parts of the file that were lost: they cannot be read, or are in an unexpected place.
  public var unreadableCount = 0
  /// The index of a signed list.
  fileprivate var list: Int?

  var isTrustedList: Bool { kind == .masterList || kind == .deviationList }
}
