/// EF.DG1: the text of the machine-readable zone (ICAO Doc 9303-10, 4.7.1).
public struct DataGroup1: Sendable, Hashable {
  /// The lines without line ends: 90 (TD1), 72 (TD2) or 88 (TD3) characters.
  public let text: String

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let zone = try ElementaryFile.object(in: bytes, tag: 0x61).requiredChild(0x5F1F)
    guard [90, 72, 88].contains(zone.value.count) else {
      throw zone.damaged("the zone has \(zone.value.count) characters, not 90, 72 or 88")
    }
    guard zone.value.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw zone.damaged("the zone has a character that is not printable ASCII")
    }
    text = zone.latin1
  }

  /// Characters 3 to 5, without fillers at the end: `D`, `UTO`. They are the issuing state in all three formats.
  public var issuingState: String { Self.trimmed(text.dropFirst(2).prefix(3)) }

  /// Characters 1 and 2, without fillers at the end: `P`, `ID`.
  public var documentCode: String { Self.trimmed(text.prefix(2)) }

  private static func trimmed(_ text: Substring) -> String {
    String(decoding: MRZText.trimmed(text.utf8), as: UTF8.self)
  }

  /// The format, determined by the number of characters.
  public var format: MRZFormat { text.utf8.count == 90 ? .td1 : text.utf8.count == 72 ? .td2 : .td3 }
}

/// EF.DG2: the holder's face (ICAO Doc 9303-10, 4.7.2).
public struct DataGroup2: Sendable, Hashable {
  /// One image per record; the first is the portrait.
  public let images: [FaceImage]

  /// - Throws: ``VerifyError/Code/damaged``, or ``VerifyError/Code/unknownFormat`` if the image is not JPEG or
  ///   JPEG 2000.
  public init(_ bytes: [UInt8]) throws {
    images = try BiometricTemplates.images(in: ElementaryFile.object(in: bytes, tag: 0x75).requiredChild(0x7F61))
  }
}

/// EF.DG15: the public key of active authentication (ICAO Doc 9303-10, 4.7.15).
public struct DataGroup15: Sendable, Hashable {
  public let publicKey: PublicKeyInfo

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let key = try ElementaryFile.object(in: bytes, tag: 0x6F).requiredChild(.sequence)
    publicKey = try PublicKeyInfo(Array(key.encoded))
  }
}

/// EF.COM: the list of data groups on the chip (ICAO Doc 9303-10, 4.6.1). It is not signed; EF.SOD has a signed list.
public struct EFCommon: Sendable, Hashable {
  /// The version of the logical data structure, such as `1.7`.
  public let ldsVersion: String?
  /// The version of Unicode, such as `4.0.0`.
  public let unicodeVersion: String?
  /// Numbers of the data groups on the chip.
  public let dataGroups: [Int]

  /// Tolerates what chips in circulation have: tags of EF.COM and EF.SOD in the list, padding, versions in other forms.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat`` if it is not the file's data object.
  public init(_ bytes: [UInt8]) throws {
    var fields = try ElementaryFile.object(in: bytes, tag: 0x60).children()
    var found: [TLVTag: ArraySlice<UInt8>] = [:]
    while let field = try? fields.next() { found[field.tag] = found[field.tag] ?? field.value }
    ldsVersion = found[0x5F01].flatMap(Self.version)
    unicodeVersion = found[0x5F36].flatMap(Self.version)
    dataGroups = (found[0x5C] ?? []).compactMap { ElementaryFile(tag: TLVTag(rawValue: UInt32($0)))?.dataGroupNumber }
  }

  /// Formats pairs of digits: `0107` is 1.7, `040000` is 4.0.0.
  static func version(_ text: ArraySlice<UInt8>) -> String? {
    guard let digits = TLV.digits(text), digits.count % 2 == 0, !digits.isEmpty else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { "\(10 * digits[$0] + digits[$0 + 1])" }.joined(separator: ".")
  }
}
