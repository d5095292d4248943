/// An X.509 certificate revocation list (RFC 5280, 5) of a CSCA.
public struct CertificateRevocationList: Sendable {
  /// DER.
  public let bytes: [UInt8]
  public let issuer: DistinguishedName
  public let thisUpdate: DateTime
  public let nextUpdate: DateTime?
  /// When certificates were revoked, by their serial numbers as in ``Certificate/serialNumber``.
  public let revoked: [String: DateTime]

  /// - Throws: ``VerifyError/Code/damaged``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    var outer = try whole.children()
    var fields = try outer.next(.sequence).children()
    _ = try fields.nextIfPresent(.integer)
    _ = try fields.next(.sequence)
    issuer = try DistinguishedName(fields.next(.sequence))
    guard let update = try fields.next() else { throw VerifyError(.damaged, "a revocation list has no date") }
    thisUpdate = try update.time()
    let next = try fields.nextIfPresent(.utcTime) ?? fields.nextIfPresent(.generalizedTime)
    nextUpdate = try next?.time()
    var revoked: [String: DateTime] = [:]
    if var entries = try fields.nextIfPresent(.sequence)?.children() {
      while let entry = try entries.next() {
        var parts = try entry.children()
        let serial = try parts.next(.integer).value
        guard let date = try parts.next() else { throw VerifyError(.damaged, "a revoked certificate has no date") }
        revoked[Certificate.hexadecimalNumber(serial)] = try date.time()
      }
    }
    self.revoked = revoked
    self.bytes = Array(whole.encoded)
  }
}
