/// What a chain of certificates needs of their extensions (RFC 5280, 4.2.1).
struct CertificateExtensions {
  private(set) var subjectKeyIdentifier: String?
  private(set) var authorityKeyIdentifier: String?
  private var basicConstraints: Bool?
  private var keyUsage: Bool?

  /// Old CSCA certificates say nothing, and in some of the German master list of August 2024 one of
  /// the two extensions contradicts the other. A document signer's says twice that it is none.
  var isAuthority: Bool {
    basicConstraints ?? false || keyUsage ?? false || (basicConstraints == nil && keyUsage == nil)
  }

  private static let maximumExtensions = 100

  mutating func read(_ list: TLV) throws {
    var members = try list.children()
    var count = 0
    while let member = try members.next() {
      count += 1
      guard count <= Self.maximumExtensions else {
        throw VerifyError(.damaged, "a certificate has more than \(Self.maximumExtensions) extensions")
      }
      var fields = try member.children()
      let type = try fields.next(.objectIdentifier).value
      // All that are wanted are 2.5.29.n.
      guard type.count == 3, type.starts(with: [0x55, 0x1D]), let number = type.last else { continue }
      _ = try fields.nextIfPresent(.boolean)
      var content = try fields.next(.octetString).children()
      guard let value = try content.next() else { continue }
      switch number {
      case 14: subjectKeyIdentifier = hexadecimal(Array(value.value))
      case 15: keyUsage = value.value.dropFirst().first.map { $0 & 0x04 != 0 } ?? false
      case 19: basicConstraints = try value.child(.boolean)?.boolean() ?? false
      case 35: authorityKeyIdentifier = try value.child(0x80).map { hexadecimal(Array($0.value)) }
      default: break
      }
    }
  }
}
