/// The group of biometric information templates in EF.DG2 (ICAO Doc 9303-10, 4.7.2.1; ISO/IEC 7816-11).
enum BiometricTemplates {
  static func images(in group: TLV) throws -> [FaceImage] {
    var images: [FaceImage] = []
    try group.forEachChild { object in
      guard object.tag == 0x7F60 else { return }
      images += try self.images(inTemplate: object)
      guard images.count <= FaceImage.maximumCount else {
        throw VerifyError(.tooLarge, "EF.DG2 has more than \(FaceImage.maximumCount) pictures")
      }
    }
    guard !images.isEmpty else { throw VerifyError(.damaged, "there is no face") }
    return images
  }

  private static func images(inTemplate template: TLV) throws -> [FaceImage] {
    var header: BiometricHeader?
    var objects = try template.children()
    while let object = try objects.next() {
      switch object.tag {
      case 0xA1: header = try BiometricHeader(object)
      case 0x5F2E, 0x7F2E:
        return try images(inRecord: Array(object.value)).map { image in
          var image = image
          image.header = header
          return image
        }
      default: break
      }
    }
    throw VerifyError(.damaged, "a biometric template has no data")
  }

  static func images(inRecord bytes: [UInt8]) throws -> [FaceImage] {
    if bytes.starts(with: "FAC\0".utf8) { return try FaceRecord19794.images(in: bytes) }
    var reader = TLVReader(bytes)
    guard let object = try? reader.next() else {
      throw VerifyError(.unknownFormat, "the biometric data are no face record of ISO/IEC 19794-5 or 39794-5")
    }
    switch object.tag {
    case 0xA1: return try FaceRecord39794.images(in: object.requiredChild(FaceRecord39794.tag))
    case FaceRecord39794.tag: return try FaceRecord39794.images(in: object)
    default:
      throw VerifyError(
        .unknownFormat, "the biometric data begin with the tag \(object.tag); a face has FAC, 65 or A1 there")
    }
  }
}

/// The header of a biometric information template (ISO/IEC 19785-3, clause 13; ICAO Doc 9303-10, table 43).
public struct BiometricHeader: Sendable, Hashable, JSONConvertible {
  /// The version of the header, such as 0x0101.
  public let version: Int?
  /// 2 is a face.
  public let biometricType: Int?
  public let biometricSubtype: Int?
  /// The creation date as stored, in hexadecimal: year, month, day, hour, minute and second.
  public let creationDate: String?
  /// The period of validity as stored, in hexadecimal: the first and the last day.
  public let validityPeriod: String?
  /// The product that created it, in hexadecimal.
  public let creator: String?
  /// 0x0101 is ISO/IEC JTC 1/SC 37.
  public let formatOwner: Int?
  /// 8 is ISO/IEC 19794-5, 0x2A ISO/IEC 39794-5.
  public let formatType: Int?

  init(_ header: TLV) throws {
    func value(_ tag: TLVTag, atMost most: Int) throws -> ArraySlice<UInt8>? {
      try header.child(tag).flatMap { 1...most ~= $0.value.count ? $0.value : nil }
    }
    func number(_ tag: TLVTag) throws -> Int? { try value(tag, atMost: 4)?.reduce(0) { $0 << 8 | Int($1) } }
    func text(_ tag: TLVTag) throws -> String? { try value(tag, atMost: 64).map(hexadecimal) }
    version = try number(0x80)
    biometricType = try number(0x81)
    biometricSubtype = try number(0x82)
    creationDate = try text(0x83)
    validityPeriod = try text(0x85)
    creator = try text(0x86)
    formatOwner = try number(0x87)
    formatType = try number(0x88)
  }

  public var jsonValue: JSONValue {
    [
      "version": .optional(version), "biometricType": .optional(biometricType),
      "biometricSubtype": .optional(biometricSubtype), "creationDate": .optional(creationDate),
      "validityPeriod": .optional(validityPeriod), "creator": .optional(creator),
      "formatOwner": .optional(formatOwner), "formatType": .optional(formatType),
    ]
  }
}
