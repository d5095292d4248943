/// A signed list of CSCA certificates (ICAO Doc 9303-12, 9).
struct MasterList {
  /// id-icao-cscaMasterList.
  static let contentType = "2.23.136.1.1.2"
  /// The largest lists have about 600.
  private static let maximumCertificates = 10_000

  let certificates: [Certificate]
  /// Number of entries that are not certificates.
  let damagedCount: Int

  init(_ content: [UInt8]) throws {
    var reader = TLVReader(content)
    var fields = try reader.next(.sequence).children()
    try requireVersion0(fields.next(.integer), "the master list")
    var members = try fields.next(.set).children()
    guard fields.isAtEnd, reader.isAtEnd else {
      throw VerifyError(.damaged, "there is something behind the certificates of the master list")
    }
    var certificates: [Certificate] = []
    var damaged = 0
    while let member = try members.next() {
      guard certificates.count + damaged < Self.maximumCertificates else {
        throw VerifyError(.tooLarge, "the master list has more than \(Self.maximumCertificates) certificates")
      }
      if let certificate = try? Certificate(member) { certificates.append(certificate) } else { damaged += 1 }
    }
    self.certificates = certificates
    damagedCount = damaged
  }
}

/// A published deviation from Doc 9303 of a signer's documents.
public struct Deviation: Sendable, Hashable {
  /// Kinds of deviations or defects, as object identifiers in dotted form.
  public let types: [String]
  /// The file that listed it.
  public let source: String
}

/// A list of deviations (ICAO Doc 9303-12, 10) or defects (BSI TR-03129). Only entries that name a document signer by
/// issuer and serial number or by key identifier are found; people decide how to treat each kind.
struct DeviationList {
  /// id-icao-DeviationList and id-DefectList; the kinds are subordinate identifiers.
  static let contentTypes = ["2.23.136.1.1.7", "0.4.0.127.0.7.3.1.5"]
  private static let maximumEntries = 10_000

  struct Entry {
    var issuers: Set<String> = []
    var numbers: Set<String> = []
    var keys: Set<String> = []
    var types: [String] = []

    func names(_ signer: Certificate) -> Bool {
      signer.subjectKeyIdentifier.map(keys.contains) ?? false
        || (issuers.contains(signer.issuer.comparisonKey) && numbers.contains(signer.serialNumber))
    }

    /// Collects everything that may identify a signer or a kind, anywhere in the entry.
    mutating func collect(_ object: TLV) throws {
      switch object.tag {
      case .integer: numbers.insert(Certificate.hexadecimalNumber(object.value))
      case .octetString, 0x80: keys.insert(hexadecimal(Array(object.value)))
      case .objectIdentifier:
        let type = try object.objectIdentifier()
        if DeviationList.contentTypes.contains(where: { type.hasPrefix($0 + ".") }) { types.append(type) }
      default: break
      }
      guard object.tag.isConstructed else { return }
      if object.tag == .sequence, let name = try? DistinguishedName(object), !name.attributes.isEmpty {
        issuers.insert(name.comparisonKey)
      }
      var members = try object.children()
      while let member = try members.next() { try collect(member) }
    }
  }

  private(set) var entries: [Entry] = []

  init(_ content: [UInt8]) throws {
    var reader = TLVReader(content)
    let list = try reader.next(.sequence)
    var fields = try list.children()
    try requireVersion0(fields.next(.integer), "the list")
    guard var members = try list.child(.set)?.children() else { throw VerifyError(.damaged, "the list has no entries") }
    while let member = try members.next() {
      guard entries.count < Self.maximumEntries else { throw VerifyError(.tooLarge, "the list is too long") }
      var entry = Entry()
      try entry.collect(member)
      entries.append(entry)
    }
  }
}

/// Doc 9303-12, 9 and 10: the meaning of other versions is undefined.
private func requireVersion0(_ number: TLV, _ what: String) throws {
  let version = try number.integer()
  guard version == 0 else {
    throw VerifyError(.unknownFormat, "\(what) is of version \(version), and only version 0 is known")
  }
}
