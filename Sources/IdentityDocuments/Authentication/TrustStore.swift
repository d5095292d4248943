/// The CSCA certificates that a caller trusts, and revocation lists.
///
/// ```swift
/// let trust = try TrustStore(folder: "trust")  // certificates, master lists and revocation lists
/// ```
///
/// A certificate in a file of its own is trusted because the caller put it there. A master list is trusted only if its
/// signer's certificate chains to such a certificate, or to one whose fingerprint the caller pinned: anybody can make a
/// list that agrees with itself.
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
  public private(set) var anchors: [TrustAnchor] = []
  public private(set) var revocationLists: [CertificateRevocationList] = []
  /// What each file brought.
  public private(set) var sources: [TrustSource] = []
  /// SHA-256 of certificates, in hexadecimal.
  public private(set) var pins: Set<String> = []
  private var deviationLists: [(list: DeviationList, source: String)] = []
  private var known: Set<[UInt8]> = []
  /// Those that the caller trusts by themselves, and not because a list has them.
  private var own: [Int] = []
  private var byKey: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: [Int]] = [:]
  /// Names of one CSCA, joined by link certificates (Doc 9303-12, 4.3).
  private var linkedNames: [String: Set<String>] = [:]

  /// Whether the caller named anything to trust, also if nothing of it can be: a folder, or files.
  var isGiven: Bool { isFolder || !sources.isEmpty }
  private var isFolder = false

  public init() {}

  /// Reads all files in a folder, without the folders in it. What is no certificate, master list or revocation list is
  /// named in ``sources``.
  ///
  /// - Parameter pins: further ones than those in ``pinsFile``.
  /// - Throws: ``VerifyError/Code/unreadable``, ``VerifyError/Code/tooLarge``, or ``VerifyError/Code/badArgument`` for a
  ///   pin that is none.
  public init(folder: String, pins: [String] = []) throws {
    isFolder = true
    for pin in pins { try self.pin(pin) }
    // Lists come last: what they are judged by must be there.
    var lists: [(name: String, bytes: [UInt8])] = []
    for name in try FolderList.files(in: folder, maximum: Self.maximumFiles) {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: Self.maximumFileBytes)
      if name == Self.pinsFile {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
          let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
          if !text.isEmpty { try pin(text) }
        }
      } else {
        switch Self.contents(of: bytes) {
        case .blocks(let blocks): sources.append(added(blocks, name: name))
        case .signedData(let bytes): lists.append((name, bytes))
        }
      }
    }
    for list in lists { sources.append(addedSignedData(list.bytes, name: list.name)) }
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
      case .blocks(let blocks): added(blocks, name: name)
      case .signedData(let bytes): addedSignedData(bytes, name: name)
      }
    sources.append(source)
    return source
  }

  private mutating func added(_ blocks: [[UInt8]], name: String) -> TrustSource {
    var (certificates, lists, signers, unreadable) = (0, 0, 0, 0)
    for block in blocks {
      if let certificate = try? Certificate(block) {
        if let index = insert(certificate, from: name) {
          certificates += 1
          own.append(index)
        } else {
          signers += 1
        }
      } else if let list = try? CertificateRevocationList(block) {
        revocationLists.append(list)
        lists += 1
      } else if blocks.count == 1 {
        return addedSignedData(block, name: name)
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
    if unreadable > 0 { text += "; \(unreadable) parts cannot be read" }
    return TrustSource(
      name: name, kind: .certificates, certificateCount: certificates, revocationListCount: lists,
      signature: .notChecked, signer: nil, signerChain: .notChecked, pin: nil, text: text)
  }

  private mutating func addedSignedData(_ bytes: [UInt8], name: String) -> TrustSource {
    do {
      let data = try SignedData(bytes)
      switch data.contentType {
      case MasterList.contentType:
        let list = try MasterList(data.content)
        let source = judged(data, .masterLists, with: list.certificates, name: name)
        guard source.kind == .masterList else { return source }
        var count = 0
        for certificate in list.certificates where insert(certificate, from: name) != nil { count += 1 }
        return source.with(count, "\(count) certificates, \(list.damagedCount) damaged ones left out; \(source.text)")
      case let type where DeviationList.contentTypes.contains(type):
        let list = try DeviationList(data.content)
        let purpose = type == DeviationList.contentTypes[0] ? PathContext.Purpose.deviationLists : .defectLists
        let source = judged(data, purpose, with: [], name: name)
        if source.kind == .deviationList { deviationLists.append((list, name)) }
        return source
      default: return Self.refused(name, "it signs \(data.contentType), which is no master list")
      }
    } catch let error as VerifyError {
      return Self.refused(name, error.message)
    } catch {
      return Self.refused(name, "it cannot be read")
    }
  }

  /// Whether a list is trusted: its signature is right, and its signer chains to a certificate that is trusted without
  /// it, keeps the rules, and was valid when it signed.
  ///
  /// - Parameter candidates: of the list, those that may be pinned.
  private func judged(
    _ data: SignedData, _ purpose: PathContext.Purpose, with candidates: [Certificate], name: String
  ) -> TrustSource {
    var trusted = TrustStore()
    for index in own { _ = trusted.insert(anchors[index].certificate, from: anchors[index].source) }
    let present = candidates + data.certificates
    if !pins.isEmpty { for one in present where pins.contains(one.sha256) { _ = trusted.insert(one, from: "pin") } }
    let date = data.signer?.signingTime ?? data.signer?.certificate?.validFrom ?? DateTime.distantPast
    func report(_ trust: TrustStore) -> SignatureReport {
      SignatureReport(
        data, of: purpose, trust: trust, date: date, documentCode: nil, policy: .standard, hashList: nil)
    }
    func source(
      _ kind: TrustSource.Kind, _ signature: CheckStatus, _ chain: CheckStatus, _ text: String, pin: String? = nil
    ) -> TrustSource {
      TrustSource(
        name: name, kind: kind, certificateCount: 0, revocationListCount: 0, signature: signature,
        signer: data.signer?.certificate, signerChain: chain, pin: pin, text: text.printable)
    }
    let found = report(trusted)
    let signature = found.signatureSteps[0].status
    guard signature == .passed else {
      return source(.refused, signature, .notChecked, "\(found.signatureSteps[0].text); nothing of it is trusted")
    }
    let steps = found.signatureSteps + found.pathSteps
    if let failed = steps.first(where: { $0.status == .failed }) {
      return source(.refused, .passed, .failed, "\(failed.text); nothing of it is trusted")
    }
    if data.signer?.signingTime == nil {
      return source(.refused, .passed, .failed, "it does not say when it was signed; nothing of it is trusted")
    }
    if let anchor = found.path?.anchor?.certificate {
      let kind: TrustSource.Kind = purpose == .masterLists ? .masterList : .deviationList
      return source(
        kind, .passed, .passed,
        "signed for \(anchor.subject), which \(pins.contains(anchor.sha256) ? "is pinned" : "is trusted by itself")")
    }
    // Who would have to be pinned: the list's own CSCA, found as if it were trusted.
    var itself = TrustStore()
    for one in present { _ = itself.insert(one, from: name) }
    let end = report(itself).path?.anchor?.certificate.sha256
    let advice = end.map { "if its publisher confirms the fingerprint \($0), pin that" } ?? "add its CSCA's certificate"
    return source(
      .notPinned, .passed, .notChecked,
      "it agrees with itself, but nobody trusted signed it: nothing of it is used; "
        + advice, pin: end)
  }

  private static func refused(_ name: String, _ text: String) -> TrustSource {
    TrustSource(
      name: name, kind: .refused, certificateCount: 0, revocationListCount: 0, signature: .notChecked, signer: nil,
      signerChain: .notChecked, pin: nil, text: text.printable)
  }

  private enum Contents {
    /// Certificates or revocation lists.
    case blocks([[UInt8]])
    case signedData([UInt8])
  }

  private static func contents(of bytes: [UInt8]) -> Contents {
    guard let blocks = PEM.blocks(in: bytes) ?? sequences(in: bytes) else { return .signedData(bytes) }
    // Signed data can be in PEM too.
    return blocks.count == 1 && sequences(in: blocks[0]) == nil ? .signedData(blocks[0]) : .blocks(blocks)
  }

  /// Data objects one behind the other whose first member is a sequence: certificates or revocation lists, not signed
  /// data. Nil if the bytes are anything else.
  private static func sequences(in bytes: [UInt8]) -> [[UInt8]]? {
    var reader = TLVReader(bytes)
    var blocks: [[UInt8]] = []
    while let object = try? reader.next() {
      guard object.tag == .sequence, var members = try? object.children(), let first = try? members.next(),
        first.tag == .sequence
      else { return nil }
      blocks.append(Array(object.encoded))
    }
    return blocks.isEmpty ? nil : blocks
  }

  /// - Returns: its place among the anchors, or nil if the certificate may not sign others.
  private mutating func insert(_ certificate: Certificate, from source: String) -> Int? {
    guard certificate.isAuthority else { return nil }
    guard known.insert(certificate.bytes).inserted else {
      return anchors.firstIndex { $0.certificate == certificate }
    }
    let index = anchors.count
    anchors.append(TrustAnchor(certificate: certificate, source: source))
    if let key = certificate.subjectKeyIdentifier { byKey[key, default: []].append(index) }
    let (subject, issuer) = (certificate.subject.comparisonKey, certificate.issuer.comparisonKey)
    byName[subject, default: []].append(index)
    if let country = certificate.subject.country { byCountry[country, default: []].append(index) }
    if subject != issuer {
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
    var seen = Set(named)
    return (named.map { anchors[$0] }, rest.filter { seen.insert($0).inserted }.map { anchors[$0] })
  }

  /// Those that may have signed a list, whose key identifier is right if there is one.
  func issuers(of list: CertificateRevocationList) -> [Certificate] {
    let indices = list.authorityKeyIdentifier.flatMap { byKey[$0] } ?? byName[list.issuerKey] ?? []
    return indices.map { anchors[$0].certificate }
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
    deviationLists.flatMap { one in
      one.list.entries.filter { $0.names(signer) }.map { Deviation(types: $0.types, source: one.source) }
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

  func with(_ certificateCount: Int, _ text: String) -> TrustSource {
    TrustSource(
      name: name, kind: kind, certificateCount: certificateCount, revocationListCount: 0, signature: signature,
      signer: signer, signerChain: signerChain, pin: nil, text: text)
  }
}
