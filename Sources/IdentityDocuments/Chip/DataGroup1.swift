/// EF.DG1: the text of the machine readable zone (ICAO Doc 9303-10, 4.7.1).
public struct DataGroup1: Sendable, Hashable {
  /// The lines without line ends: 90 (TD1), 72 (TD2) or 88 (TD3) characters.
  public let text: String

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let zone = try ElementaryFile.object(in: bytes, tag: 0x61, name: "EF.DG1").requiredChild(0x5F1F)
    guard [90, 72, 88].contains(zone.value.count) else {
      throw VerifyError(.damaged, "EF.DG1 has \(zone.value.count) characters, not 90, 72 or 88")
    }
    guard zone.value.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw VerifyError(.damaged, "EF.DG1 has a character that is not printable ASCII")
    }
    text = zone.latin1
  }

  /// Characters 3 to 5, without fillers: `D`, `UTO`. They are the issuing state in all three layouts.
  public var issuingState: String {
    String(text.dropFirst(2).prefix(3).filter { $0 != "<" })
  }

  /// The layout that this many characters have.
  public var format: MRZFormat { text.utf8.count == 90 ? .td1 : text.utf8.count == 72 ? .td2 : .td3 }
}
