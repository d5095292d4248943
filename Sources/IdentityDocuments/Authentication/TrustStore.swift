/// The CSCA certificates that a caller trusts, and revocation lists.
///
/// ```swift
/// let trust = try TrustStore(folder: "trust")  // certificates, master lists and revocation lists
/// ```
///
/// A certificate in a file of its own is trusted because the caller put it there. A master list is trusted only if its
/// signer's certificate chains to such a certificate, or to one whose fingerprint the caller pinned: anybody can make a
/// list that agrees with itself. Whether it is used is decided anew for each date and policy: see ``judged(on:by:)``.
///
/// A store without anchors is no error: then no chip is ``PassiveAuthentication/Verdict/authentic``, and none is
/// invalid for that.
public struct TrustStore: Sendable {
  /// A file has at most this many bytes.
  public static let maximumFileBytes = 32 << 20
  /// A folder has at most this many files.
  public static let maximumFiles = 4096
  /// The file of a folder that has pins: the SHA-256 of a certificate on each line, in hexadecimal; what follows a `#` is
  /// a comment.
  public static let pinsFile = "pins.txt"

  /// The trusted certificates in the order in which they were added, each once.
  public var anchors: [TrustAnchor] {
    hidden.isEmpty ? all : all.indices.filter { !hidden.contains($0) }.map { all[$0] }
  }
  private var all: [TrustAnchor] = []
  /// Anchors of lists that are not trusted.
  private var hidden: Set<Int> = []
  public private(set) var revocationLists: [CertificateRevocationList] = []
  /// What each file brought.
  public private(set) var sources: [TrustSource] = []
  /// SHA-256 of certificates, in hexadecimal.
  public private(set) var pins: Set<String> = []
  /// Signed lists whose signers chain to a trusted certificate.
  private var lists: [SignedList] = []
  private var verdicts = Verdicts()
  private var known: [[UInt8]: Int] = [:]
  /// Anchors that the caller trusts by themselves, and not because a list has them.
  private var own: Set<Int> = []
  private var byKey: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: [Int]] = [:]
  /// Names of one CSCA, joined by link certificates (Doc 9303-12, 4.3).
  private var linkedNames: [String: Set<String>] = [:]

  /// Whether the caller named anything to trust, also if nothing of it can be: a folder, or files.
  package var isGiven: Bool { isFolder || !sources.isEmpty }
  private var isFolder = false

  public init() {}

  /// Reads all files in a folder. What is no certificate, master list or revocation list is named in ``sources``, and so
  /// is what is not read: folders, hidden files, files whose names are not UTF-8. Names that begin with two dots are
  /// left out: Kubernetes puts the folders there that its links point to.
  ///
  /// - Parameter pins: further ones than those in ``pinsFile``.
  /// - Throws: ``VerifyError/Code/unreadable``, ``VerifyError/Code/tooLarge``, or ``VerifyError/Code/badArgument`` for a
  ///   pin that is none.
  public init(folder: String, pins: [String] = []) throws {
    isFolder = true
    for pin in pins { try self.pin(pin) }
    // Lists come last: what they are judged by must be there.
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

  /// Trusts the certificate with this fingerprint to sign those who sign lists. It must be known before the list is added.
  ///
  /// - Parameter sha256: 64 hexadecimal digits; colons between them are left out.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public mutating func pin(_ sha256: String) throws {
    let digits = sha256.lowercased().filter { $0 != ":" }
    guard digits.utf8.count == 64, digits.utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }) else {
      throw VerifyError(
        .badArgument, "\(sha256) is no fingerprint: give SHA-256 in 64 hexadecimal digits")
    }
    pins.insert(digits)
  }

  /// Adds what a file holds: certificates and revocation lists in DER, one behind the other, or in PEM; or a list that a
  /// state signed, of CSCA certificates, deviations or defects. Certificates and pins that a list rests on come before it.
  ///
  /// - Returns: what was found, also in ``sources``.
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
      // Without a trusted signer nothing of it can ever be used.
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

  /// A list that a state signed, of CSCA certificates, deviations or defects.
  private struct SignedList: Sendable {
    let name: String
    let data: SignedData
    let purpose: PathContext.Purpose
    var damagedCount = 0
    var unreadableCount = 0
    var certificates: [Certificate] = []
    var deviations: [DeviationList.Entry] = []
    /// Certificates beside it whose fingerprints the caller has pinned.
    var pinned: [Certificate] = []
    /// Anchors that it has.
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

  /// The store with those lists alone that are trusted on a date and by a policy: their signers keep the rules of the
  /// policy, have not signed after that day, and were not revoked. ``PassiveAuthentication`` asks for it itself.
  public func judged(on date: DateTime, by policy: AuthenticationPolicy = .standard) -> TrustStore {
    var store = self
    store.judge(on: date, by: policy)
    return store
  }

  /// Something was added.
  private mutating func change() {
    verdicts = Verdicts()
    judge(on: nil, by: .standard)
  }

  private mutating func judge(on date: DateTime?, by policy: AuthenticationPolicy) {
    guard !lists.isEmpty else { return }
    var found = verdicts.found(by: policy) { judged(by: policy) }
    for (index, list) in lists.enumerated() where found[index].isTrustedList {
      // Lists are dated by days: one that came out today is there for all of today.
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

  /// What each list is by a policy, whatever the date.
  private func judged(by policy: AuthenticationPolicy) -> [TrustSource] {
    let alone = trustedAlone
    let found = lists.map { verdict(of: $0, in: alone, by: policy) }
    // A CSCA signs its revocation list with its newest key, which perhaps only a list has.
    var store = self
    store.hide(found.map(\.source))
    return zip(lists, found).map { list, one in
      guard one.source.isTrustedList else { return one.source }
      let step = Revocation.step(one.path, trust: store, date: .distantPast, policy: policy)
      return step.status == .failed ? Self.refused(list, step.text) : one.source
    }
  }

  /// What came of the lists by each policy: the same for all chips, and each list costs as much as a chip.
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
        // Programs have one policy or two.
        if known.count > 8 { known = [:] }
        known[key] = found
      }
      return found
    }
  }

  /// - Parameter found: of each list.
  private mutating func hide(_ found: [TrustSource]) {
    hidden = Set(lists.flatMap(\.brought)).subtracting(own)
    for (list, source) in zip(lists, found) where source.isTrustedList { hidden.subtract(list.brought) }
  }

  /// What is trusted without any list.
  private var trustedAlone: TrustStore {
    var store = self
    store.hidden = Set(all.indices).subtracting(own)
    return store
  }

  /// Whether a list is trusted: its signature is right, and its signer chains to a certificate that is trusted without
  /// it, keeps the rules, and was valid when it signed.
  ///
  /// - Parameter alone: what is trusted without any list.
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
    // Who would have to be pinned: the list's own CSCA, found as if it were trusted.
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

  /// What a file holds, and how many parts beside that cannot be read.
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

  /// Data objects one behind the other whose first member is a sequence: certificates or revocation lists, not signed
  /// data. Nil if the bytes are anything else.
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

  /// - Returns: its place among the anchors, or nil if the certificate may not sign others.
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
    // One state's certificate for another says nothing about their names.
    if subject != issuer, certificate.subject.state == certificate.issuer.state {
      linkedNames[subject, default: []].insert(issuer)
      linkedNames[issuer, default: []].insert(subject)
    }
    return index
  }

  /// Anchors that may have signed a certificate. Names and key identifiers only find them: states write both in ways
  /// that do not match letter by letter.
  ///
  /// - Returns: those that are named as the issuer; and the rest of the country, which only matter if none of them signed.
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

  /// Those that may have signed a list, whose key identifier is right if there is one.
  func issuers(of list: CertificateRevocationList) -> [Certificate] {
    let indices = list.authorityKeyIdentifier.flatMap { byKey[$0] } ?? byName[list.issuerKey] ?? []
    return indices.filter { !hidden.contains($0) }.map { all[$0].certificate }
  }

  /// The names that a CSCA has or had.
  func generation(of name: DistinguishedName) -> Set<String> {
    var names: Set<String> = []
    var new: Set<String> = [name.comparisonKey]
    while !new.isEmpty {
      names.formUnion(new)
      new = Set(new.flatMap { linkedNames[$0] ?? [] }).subtracting(names)
    }
    return names
  }

  /// What trusted lists say of documents of a signer.
  func deviations(of signer: Certificate) -> [Deviation] {
    let trusted = sources.compactMap { $0.isTrustedList ? $0.list : nil }.map { lists[$0] }
    return trusted.flatMap { list in
      list.deviations.filter { $0.names(signer) }.map { Deviation(types: $0.types, source: list.name) }
    }
  }
}

/// A certificate that the caller trusts to sign document signers: a CSCA's, or a link between two of its keys.
public struct TrustAnchor: Sendable, Hashable {
  public let certificate: Certificate
  /// The file that it came from.
  public let source: String

  /// Two letters, where the certificate has a country.
  public var country: String? { certificate.subject.country }
}

/// What one file brought into a ``TrustStore``.
public struct TrustSource: Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Certificates, revocation lists or both.
    public static let certificates = Self(rawValue: "certificates")
    /// A list of CSCA certificates that a state signed (ICAO Doc 9303-12, 9).
    public static let masterList = Self(rawValue: "master-list")
    /// A list of deviations or defects that a state signed (Doc 9303-12, 10; BSI TR-03129).
    public static let deviationList = Self(rawValue: "deviation-list")
    /// A list that is right in itself, while nothing tells that its signer is to be trusted: nothing of it is used.
    /// ``TrustSource/pin`` says what to pin.
    public static let notPinned = Self(rawValue: "not-pinned")
    /// Nothing that is trusted; ``TrustSource/text`` says why.
    public static let refused = Self(rawValue: "refused")
  }

  public let name: String
  public let kind: Kind
  /// Certificates in the file that can sign document signers; the store holds each once.
  public let certificateCount: Int
  public let revocationListCount: Int
  /// Whether the signature of a master list is right. If it failed, nothing of the list is trusted.
  public let signature: CheckStatus
  /// Who signed the master list.
  public let signer: Certificate?
  /// Whether the list's signer chains to a certificate that is trusted without the list.
  public let signerChain: CheckStatus
  /// SHA-256 of the certificate to pin, if the list's publisher confirms it.
  public let pin: String?
  /// One line.
  public let text: String
  /// Parts of the file that are lost: they cannot be read, or stand where nothing is looked for.
  public var unreadableCount = 0
  /// The place of a signed list.
  fileprivate var list: Int?

  var isTrustedList: Bool { kind == .masterList || kind == .deviationList }
}
