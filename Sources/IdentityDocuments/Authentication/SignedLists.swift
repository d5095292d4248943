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
    let set = try fields.next(.set)
    guard fields.isAtEnd, reader.isAtEnd else {
      throw VerifyError(.damaged, "the master list has further fields")
    }
    let most = Self.maximumCertificates
    let tooMany = VerifyError(.tooLarge, "the master list has more than \(most) certificates")
    let entries = try set.mapChildren(atMost: most, else: tooMany) { try? Certificate($0) }
    certificates = entries.compactMap(\.self)
    damagedCount = entries.count - certificates.count
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
      case .octetString, 0x80: keys.insert(hexadecimal(object.value))
      case .objectIdentifier:
        let type = try object.objectIdentifier()
        if DeviationList.contentTypes.contains(where: { type.hasPrefix($0 + ".") }) { types.append(type) }
      default: break
      }
      guard object.tag.isConstructed else { return }
      if object.tag == .sequence, let name = try? DistinguishedName(object), !name.attributes.isEmpty {
        issuers.insert(name.comparisonKey)
      }
      try object.forEachChild { try collect($0) }
    }
  }

  let entries: [Entry]

  init(_ content: [UInt8]) throws {
    var reader = TLVReader(content)
    let list = try reader.next(.sequence)
    var fields = try list.children()
    try requireVersion0(fields.next(.integer), "the list")
    guard let set = try list.child(.set) else { throw VerifyError(.damaged, "the list has no entries") }
    entries = try set.mapChildren(atMost: Self.maximumEntries, else: VerifyError(.tooLarge, "the list is too long")) {
      var entry = Entry()
      try entry.collect($0)
      return entry
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
