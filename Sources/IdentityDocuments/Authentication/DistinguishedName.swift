/// The distinguished name of a certificate's subject or issuer (ITU-T X.501).
public struct DistinguishedName: Sendable, Hashable, CustomStringConvertible {
  public struct Attribute: Sendable, Hashable {
    /// Short name, such as `C` or `CN`, or the object identifier in dotted form.
    public let type: String
    public let value: String
  }

  /// The attributes in the order of the certificate.
  public let attributes: [Attribute]

  private static let maximumAttributes = 64

  init(_ name: TLV) throws {
    var attributes: [Attribute] = []
    try name.forEachChild { set in
      try set.forEachChild { member in
        guard attributes.count < Self.maximumAttributes else {
          throw name.damaged("a name has more than \(Self.maximumAttributes) attributes")
        }
        var fields = try member.children()
        let type = try fields.next(.objectIdentifier).objectIdentifier()
        guard let value = try fields.next() else { throw member.damaged("an attribute of a name has no value") }
        attributes.append(Attribute(type: Self.shortNames[type] ?? type, value: Self.text(value)))
      }
    }
    self.attributes = attributes
  }

  /// Decodes UTF-8, ASCII, ISO 8859-1 or UCS-2, depending on the string type.
  private static func text(_ value: TLV) -> String {
    guard value.tag == 0x1E else { return value.text }
    let bytes = Array(value.value)
    let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Short names of attributes in certificates of travel documents, mostly from RFC 4519.
  private static let shortNames = [
    "2.5.4.3": "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O",
    "2.5.4.11": "OU", "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "emailAddress",
    "2.5.4.97": "organizationIdentifier",
  ]

  /// The first country code, in capital letters; nil if the name has none.
  public var country: String? { countries.first }

  private var countries: [String] {
    attributes.filter { $0.type == "C" }.map { $0.value.filter { $0 != " " }.uppercased() }
  }

  /// All country codes in the name, as two letters; a code that Doc 9303-3 does not define is unchanged. The CSCA of the
  /// United Nations from 2012 has ZZ, which ISO 3166-1 leaves to its users.
  var states: [String] { countries.map { $0 == "ZZ" ? "UN" : CountryName.twoLetters($0) ?? $0 } }

  /// The first country code: the state that the certificate belongs to.
  var state: String? { states.first }

  /// The name on one line, such as `C=DE, O=bund, OU=bsi, CN=csca-germany`, with the certificate's characters
  /// unescaped.
  public var description: String { attributes.map { "\($0.type)=\($0.value)" }.joined(separator: ", ") }

  /// The attributes normalised for comparison (RFC 5280, 7.1): case-folded, with runs of spaces collapsed.
  private var folded: [String] {
    attributes.map { "\($0.type)=\($0.value.lowercased().split(separator: " ").joined(separator: " "))" }
  }

  func isSame(as other: DistinguishedName) -> Bool { folded == other.folded }

  /// Whether the name is within a subtree: it begins with the subtree's attributes.
  func isWithin(_ subtree: DistinguishedName) -> Bool { folded.starts(with: subtree.folded) }

  /// A key that also matches names that differ in attribute order, as signer and issuer names of some states do. It
  /// only finds candidates; the signature decides.
  var comparisonKey: String { folded.sorted().joined(separator: "\n") }
}
