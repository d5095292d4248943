/// EF.DG15: the public key of active authentication (ICAO Doc 9303-10, 4.7.15).
public struct DataGroup15: Sendable, Hashable {
  public let publicKey: PublicKeyInfo

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let key = try ElementaryFile.object(in: bytes, tag: 0x6F, name: "EF.DG15").requiredChild(.sequence)
    publicKey = try PublicKeyInfo(Array(key.encoded))
  }
}
