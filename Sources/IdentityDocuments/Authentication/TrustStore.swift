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
    sources = contents.others.map { .refused($0.name, "not read: \($0.problem)") }
    for name in contents.files {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: Self.maximumFileBytes)
      if name == Self.pinsFile {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
          let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
          if !text.isEmpty { try pin(text) }
        }
      } else {
        switch TrustFile(bytes) {
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
      throw VerifyError(.badArgument, "\(sha256) is no fingerprint: give SHA-256 in 64 hexadecimal digits")
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
      switch TrustFile(bytes) {
      case .blocks(let blocks, let unread): added(blocks, unread, name: name)
      case .signedData(let bytes, let unread): addedSignedData(bytes, unread, name: name)
      }
    sources.append(source)
    change()
    return sources[sources.count - 1]
  }

  private mutating func added(_ blocks: [[UInt8]], _ unread: Int, name: String) -> TrustSource {
    var (certificates, lists, seals, signers, unreadable) = (0, 0, 0, 0, unread)
    var problem: String?
    for block in blocks {
      if let certificate = try? Certificate(block) {
        if let index = insert(certificate, from: name) {
          certificates += 1
          own.insert(index)
        } else if certificate.sealSigner != nil {
          if !sealSigners.contains(certificate) { sealSigners.append(certificate) }
          seals += 1
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
    guard certificates + lists + seals > 0 else {
      return .refused(
        name, signers > 0 ? "the certificates may not sign others" : "there is no certificate or revocation list in it")
    }
    var text = "\(certificates) certificates and \(lists) revocation lists"
    if seals > 0 { text += "; \(seals) certificates of signers of seals" }
    if signers > 0 { text += "; \(signers) certificates that may not sign others are left out" }
    if let problem { text += "; it vouches for nobody: \(problem)" }
    text += TrustSource.lost(unreadable)
    return TrustSource(
      name: name, kind: .certificates, certificateCount: certificates, revocationListCount: lists,
      text: text.printable, unreadableCount: unreadable)
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
      default: return .refused(name, "it signs \(data.contentType), which is no master list")
      }
      list.unreadableCount = unread
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

/// What a file of a trust store has, and the number of further parts that cannot be read.
enum TrustFile {
  /// Certificates or revocation lists.
  case blocks([[UInt8]], unread: Int)
  case signedData([UInt8], unread: Int)

  init(_ bytes: [UInt8]) {
    guard let (blocks, unread) = PEM.blocks(in: bytes) ?? Self.sequences(in: bytes) else {
      self = .signedData(bytes, unread: 0)
      return
    }
    // Signed data can be in PEM too.
    let isSigned = blocks.count == 1 && Self.sequences(in: blocks[0]) == nil
    self = isSigned ? .signedData(blocks[0], unread: unread) : .blocks(blocks, unread: unread)
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
}
