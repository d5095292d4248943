/// EF.COM: what is on the chip (ICAO Doc 9303-10, 4.6.1). It is not signed; EF.SOD says the same with a signature.
public struct EFCommon: Sendable, Hashable {
  /// Such as `1.7`.
  public let ldsVersion: String?
  /// Such as `4.0.0`.
  public let unicodeVersion: String?
  /// Numbers of the data groups on the chip.
  public let dataGroups: [Int]

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let object = try ElementaryFile.object(in: bytes, tag: 0x60, name: "EF.COM")
    ldsVersion = try object.child(0x5F01).flatMap { Self.version($0.value) }
    unicodeVersion = try object.child(0x5F36).flatMap { Self.version($0.value) }
    dataGroups = try (object.child(0x5C)?.value ?? []).compactMap {
      ElementaryFile(tag: TLVTag(rawValue: UInt32($0)))?.dataGroupNumber
    }
  }

  /// Pairs of digits: `0107` is 1.7, `040000` is 4.0.0.
  static func version(_ text: ArraySlice<UInt8>) -> String? {
    guard let digits = TLV.digits(text), digits.count % 2 == 0, !digits.isEmpty else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { "\(10 * digits[$0] + digits[$0 + 1])" }.joined(separator: ".")
  }
}
