/// The group of biometric information templates in EF.DG2 (ICAO Doc 9303-10, 4.7.2.1; ISO/IEC 7816-11).
enum BiometricTemplates {
  static func images(in group: TLV) throws -> [FaceImage] {
    var objects = try group.children()
    var announced: Int?
    var templates = 0
    var images: [FaceImage] = []
    while let object = try objects.next() {
      switch object.tag {
      case .integer: announced = try object.integer()
      case 0x7F60:
        templates += 1
        images += try self.images(inTemplate: object)
        guard images.count <= FaceImage.maximumCount else {
          throw VerifyError(.tooLarge, "EF.DG2 has more than \(FaceImage.maximumCount) pictures")
        }
      default: break
      }
    }
    if let announced, announced != templates {
      throw VerifyError(.damaged, "EF.DG2 says it has \(announced) templates; there are \(templates)")
    }
    guard !images.isEmpty else { throw VerifyError(.damaged, "EF.DG2 has no face") }
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
    if bytes.starts(with: FaceRecord19794.formatIdentifier) { return try FaceRecord19794.images(in: bytes) }
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
