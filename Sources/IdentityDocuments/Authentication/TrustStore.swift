/// The CSCA certificates that a caller trusts, and revocation lists.
///
/// ```swift
/// let trust = try TrustStore(folder: "trust")  // certificates, master lists and revocation lists
/// ```
///
/// A store without anchors is no error: then no chip is ``PassiveAuthentication/Verdict/authentic``, and none is
/// invalid for that.
public struct TrustStore: Sendable {
  /// A file has at most this many bytes.
  public static let maximumFileBytes = 32 << 20
  /// A folder has at most this many files.
  public static let maximumFiles = 4096

  /// The trusted certificates in the order in which they were added, each once.
  public private(set) var anchors: [TrustAnchor] = []
  public private(set) var revocationLists: [CertificateRevocationList] = []
  /// What each file brought.
  public private(set) var sources: [TrustSource] = []
  private var known: Set<[UInt8]> = []
  private var byKey: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: [Int]] = [:]

  public init() {}

  /// Reads all files in a folder, without the folders in it. What is no certificate, master list or revocation list is
  /// named in ``sources``.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` or ``VerifyError/Code/tooLarge``.
  public init(folder: String) throws {
    for name in try FolderList.files(in: folder, maximum: Self.maximumFiles) {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: Self.maximumFileBytes)
      add(bytes, name: name)
    }
  }

  /// Adds what a file holds: certificates and revocation lists in DER, one behind the other, or in PEM; or a master
  /// list, whose signature is checked first.
  ///
  /// - Returns: what was found, also in ``sources``.
  @discardableResult
  public mutating func add(_ bytes: [UInt8], name: String) -> TrustSource {
    let source: TrustSource
    if let blocks = PEM.blocks(in: bytes) ?? Self.sequences(in: bytes) {
      source = added(blocks, name: name)
    } else {
      source = addedSignedData(bytes, name: name)
    }
    sources.append(source)
    return source
  }

  private mutating func added(_ blocks: [[UInt8]], name: String) -> TrustSource {
    var (certificates, lists, signers) = (0, 0, 0)
    for block in blocks {
      if let certificate = try? Certificate(block) {
        if insert(certificate, from: name) { certificates += 1 } else { signers += 1 }
      } else if let list = try? CertificateRevocationList(block) {
        revocationLists.append(list)
        lists += 1
      } else if blocks.count == 1 {
        return addedSignedData(block, name: name)
      }
    }
    guard certificates + lists > 0 else {
      return Self.refused(
        name, signers > 0 ? "the certificates may not sign others" : "there is no certificate or revocation list in it")
    }
    return TrustSource(
      name: name, kind: .certificates, certificateCount: certificates, revocationListCount: lists,
      signature: .notChecked, signer: nil, signerChain: .notChecked,
      text: "\(certificates) certificates and \(lists) revocation lists")
  }

  private mutating func addedSignedData(_ bytes: [UInt8], name: String) -> TrustSource {
    do {
      let data = try SignedData(bytes)
      guard data.contentType == MasterList.contentType else {
        return Self.refused(name, "it signs \(data.contentType), which is no master list")
      }
      return try added(MasterList(data), name: name)
    } catch let error as VerifyError {
      return Self.refused(name, error.message)
    } catch {
      return Self.refused(name, "it cannot be read")
    }
  }

  private mutating func added(_ list: MasterList, name: String) -> TrustSource {
    let signature: CheckStatus =
      switch list.signature {
      case .valid: .passed
      case .unsupported, nil: .notChecked
      case .invalid, .wrongDigest: .failed
      }
    var count = 0
    // Also nothing of a list whose signature could not be checked is trusted.
    if signature == .passed {
      for certificate in list.certificates where insert(certificate, from: name) { count += 1 }
    }
    let chain: CheckStatus
    if signature == .passed, let signer = list.signer {
      chain = issuers(of: signer).contains { $0.certificate.signed(signer) == .valid } ? .passed : .notChecked
    } else {
      chain = .notChecked
    }
    let text =
      switch signature {
      case .passed: "\(count) certificates, \(list.damagedCount) damaged ones left out"
      case .failed: "the signature of the master list is wrong; nothing of it is trusted"
      case .notChecked: "the signature of the master list cannot be checked; nothing of it is trusted"
      }
    return TrustSource(
      name: name, kind: signature == .passed ? .masterList : .refused, certificateCount: count,
      revocationListCount: 0, signature: signature, signer: list.signer, signerChain: chain, text: text)
  }

  private static func refused(_ name: String, _ text: String) -> TrustSource {
    TrustSource(
      name: name, kind: .refused, certificateCount: 0, revocationListCount: 0, signature: .notChecked, signer: nil,
      signerChain: .notChecked, text: RegularFile.oneLine(text))
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

  /// - Returns: false if the certificate may not sign others.
  private mutating func insert(_ certificate: Certificate, from source: String) -> Bool {
    guard certificate.isAuthority else { return false }
    guard known.insert(certificate.bytes).inserted else { return true }
    let index = anchors.count
    anchors.append(TrustAnchor(certificate: certificate, source: source))
    if let key = certificate.subjectKeyIdentifier { byKey[key, default: []].append(index) }
    byName[certificate.subject.comparisonKey, default: []].append(index)
    if let country = certificate.subject.country { byCountry[country, default: []].append(index) }
    return true
  }

  /// Anchors that may have signed a certificate, the likelier first. Names and key identifiers only find them: states
  /// write both in ways that do not match letter by letter.
  func issuers(of certificate: Certificate) -> [TrustAnchor] {
    issuers(
      key: certificate.authorityKeyIdentifier, name: certificate.issuer,
      country: certificate.issuer.country ?? certificate.subject.country)
  }

  func issuers(of list: CertificateRevocationList) -> [TrustAnchor] {
    issuers(key: nil, name: list.issuer, country: list.issuer.country)
  }

  /// A country has up to 30 in today's master lists.
  private static let maximumIssuers = 64

  private func issuers(key: String?, name: DistinguishedName, country: String?) -> [TrustAnchor] {
    var indices: [Int] = byName[name.comparisonKey] ?? []
    for index in key.flatMap({ byKey[$0] }) ?? [] where !indices.contains(index) { indices.append(index) }
    for index in country.flatMap({ byCountry[$0] }) ?? [] where !indices.contains(index) { indices.append(index) }
    return indices.prefix(Self.maximumIssuers).map { anchors[$0] }
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
  /// Whether a CSCA in the store, mostly one of the list itself, signed the signer's certificate.
  public let signerChain: CheckStatus
  /// One line.
  public let text: String
}
