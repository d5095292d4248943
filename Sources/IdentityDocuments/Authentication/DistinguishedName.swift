/// The name of a certificate's holder or issuer (ITU-T X.501).
public struct DistinguishedName: Sendable, Hashable, CustomStringConvertible {
  public struct Attribute: Sendable, Hashable {
    /// Short name, such as `C` or `CN`, or the object identifier in dotted form.
    public let type: String
    public let value: String
  }

  /// The parts of the name, in the order of the certificate.
  public let attributes: [Attribute]

  private static let maximumAttributes = 64

  init(_ name: TLV) throws {
    var attributes: [Attribute] = []
    var sets = try name.children()
    while let set = try sets.next() {
      var members = try set.children()
      while let member = try members.next() {
        guard attributes.count < Self.maximumAttributes else {
          throw VerifyError(.damaged, "a name in a certificate has too many parts")
        }
        var fields = try member.children()
        let type = try fields.next(.objectIdentifier).objectIdentifier()
        guard let value = try fields.next() else { throw VerifyError(.damaged, "a part of a name has no value") }
        attributes.append(Attribute(type: Self.shortNames[type] ?? type, value: Self.text(value)))
      }
    }
    self.attributes = attributes
  }

  /// UTF-8, ASCII, ISO 8859-1 or UCS-2, as the string's type says.
  private static func text(_ value: TLV) -> String {
    guard value.tag == 0x1E else { return value.text }
    let bytes = Array(value.value)
    let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// RFC 4519, the names that certificates of travel documents have.
  private static let shortNames = [
    "2.5.4.3": "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O",
    "2.5.4.11": "OU", "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "emailAddress",
    "2.5.4.97": "organizationIdentifier",
  ]

  /// Two capital letters, where the name has a country.
  public var country: String? {
    attributes.first { $0.type == "C" }.map { $0.value.filter { $0 != " " }.uppercased() }
  }

  /// All countries that it names, in two letters; a code that Doc 9303-3 does not have stays as it is.
  var states: [String] {
    attributes.filter { $0.type == "C" }.map {
      let code = $0.value.filter { $0 != " " }.uppercased()
      return CountryCode.twoLetters(code) ?? code
    }
  }

  /// The first of them: whose certificate it is.
  var state: String? { states.first }

  /// The name in one line, such as `C=DE, O=bund, OU=bsi, CN=csca-germany`; as the certificate has it, whatever that is.
  public var description: String {
    attributes.map { "\($0.type)=\($0.value)" }.joined(separator: ", ")
  }

  /// The parts as RFC 5280, 7.1, compares them: without regard to letter case and blanks.
  private var folded: [String] {
    attributes.map { "\($0.type)=\($0.value.lowercased().split(separator: " ").joined(separator: " "))" }
  }

  /// Whether both are one name (RFC 5280, 7.1).
  func isSame(as other: DistinguishedName) -> Bool { folded == other.folded }

  /// Whether the name lies in a subtree of names: it begins with the subtree's parts.
  func isWithin(_ subtree: DistinguishedName) -> Bool { folded.starts(with: subtree.folded) }

  /// The same also for names that differ in the order of their parts, as those of signers and issuers of some states do.
  /// It finds candidates; only a signature proves anything.
  var comparisonKey: String { folded.sorted().joined(separator: "\n") }
}
