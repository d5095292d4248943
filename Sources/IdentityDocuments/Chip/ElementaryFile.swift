/// An elementary file of a chip (ICAO Doc 9303-10, table 39), identified by its name, such as `EF.DG1`.
public struct ElementaryFile: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The list of data groups on the chip. It is not authenticated.
  public static let common = Self(rawValue: "EF.COM")
  /// The document security object: hashes of the data groups, signed by the issuing state.
  public static let documentSecurity = Self(rawValue: "EF.SOD")
  /// The parameters for opening the chip with PACE.
  public static let cardAccess = Self(rawValue: "EF.CardAccess")
  /// The same, signed.
  public static let cardSecurity = Self(rawValue: "EF.CardSecurity")

  /// `EF.DG1` to `EF.DG16`.
  public static func dataGroup(_ number: Int) -> Self { Self(rawValue: "EF.DG\(number)") }

  /// 1 to 16 for a data group.
  public var dataGroupNumber: Int? {
    guard rawValue.hasPrefix("EF.DG"), let number = Int(rawValue.dropFirst(5)), (1...16).contains(number) else {
      return nil
    }
    return number
  }

  /// Tags of the data groups 1 to 16 (Doc 9303-10, table 37).
  package static let dataGroupTags: [TLVTag] = [
    0x61, 0x75, 0x63, 0x76, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70,
  ]

  init?(tag: TLVTag) {
    switch tag {
    case 0x60: self = .common
    case 0x77: self = .documentSecurity
    default:
      guard let index = Self.dataGroupTags.firstIndex(of: tag) else { return nil }
      self = .dataGroup(index + 1)
    }
  }

  /// The chip file for a file name on disk: `EF.DG1`, `EF_DG01.bin`, `dg1`, `DataGroup1`, `0101.hex`…
  init?(fileName: String) {
    var name = fileName.uppercased()
    let endings = [".BIN", ".DAT", ".HEX", ".TXT", ".B64", ".BASE64", ".DER", ".CMS", ".TLV", ".BER"]
    if let ending = endings.first(where: { name.hasSuffix($0) }) { name.removeLast(ending.count) }
    name.removeAll { ". _-".contains($0) }
    if name.hasPrefix("EF") { name.removeFirst(2) }
    switch name {
    case "COM", "COMMON", "011E": self = .common
    case "SOD", "011D": self = .documentSecurity
    case "CARDACCESS", "011C": self = .cardAccess
    case "CARDSECURITY": self = .cardSecurity
    default:
      var number: Int?
      for prefix in ["DATAGROUP", "DG"] where name.hasPrefix(prefix) { number = Int(name.dropFirst(prefix.count)) }
      if number == nil, name.count == 4, name.hasPrefix("01") { number = Int(name.dropFirst(2), radix: 16) }
      guard let number, (1...16).contains(number) else { return nil }
      self = .dataGroup(number)
    }
  }

  /// Returns the data object that forms a file; trailing bytes are allowed.
  static func object(in bytes: [UInt8], tag: TLVTag) throws -> TLV {
    var reader = TLVReader(bytes)
    guard let object = try reader.next() else { throw VerifyError(.damaged, "the file is empty") }
    guard object.tag == tag else {
      throw VerifyError(.unknownFormat, "the file begins with the tag \(object.tag), not \(tag)")
    }
    return object
  }
}
