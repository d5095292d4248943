/// The header of a biometric information template (ISO/IEC 19785-3, clause 13; ICAO Doc 9303-10, table 43).
public struct BiometricHeader: Sendable, Hashable {
  /// Of the header, such as 0x0101.
  public let version: Int?
  /// 2 is a face.
  public let biometricType: Int?
  public let biometricSubtype: Int?
  /// As it is stored, in hexadecimal: year, month, day, hour, minute and second.
  public let creationDate: String?
  /// As it is stored, in hexadecimal: the first and the last day.
  public let validityPeriod: String?
  /// The product that made it, in hexadecimal.
  public let creator: String?
  /// 0x0101 is ISO/IEC JTC 1/SC 37.
  public let formatOwner: Int?
  /// 8 is ISO/IEC 19794-5, 0x2A ISO/IEC 39794-5.
  public let formatType: Int?

  init(_ header: TLV) throws {
    func number(_ tag: TLVTag) throws -> Int? {
      guard let value = try header.child(tag)?.value, !value.isEmpty, value.count <= 4 else { return nil }
      return value.reduce(0) { $0 << 8 | Int($1) }
    }
    func text(_ tag: TLVTag) throws -> String? {
      guard let value = try header.child(tag)?.value, !value.isEmpty, value.count <= 64 else { return nil }
      return hexadecimal(Array(value))
    }
    version = try number(0x80)
    biometricType = try number(0x81)
    biometricSubtype = try number(0x82)
    creationDate = try text(0x83)
    validityPeriod = try text(0x85)
    creator = try text(0x86)
    formatOwner = try number(0x87)
    formatType = try number(0x88)
  }
}
