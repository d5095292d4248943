import EmulatedChip
import IdentityDocuments
import TestSupport
import Testing

@Suite struct FaceImageTests {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]

  static func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

  /// A record of ISO/IEC 19794-5:2005 with one picture and the given points, eight bytes each.
  static func record(
    _ picture: [UInt8], points: [UInt8] = [], pointCount: Int? = nil, length: Int? = nil, faceLength: Int? = nil,
    count: Int = 1
  ) -> [UInt8] {
    let number = pointCount ?? points.count / 8
    let information: [UInt8] = [
      UInt8(number >> 8), UInt8(number & 255), 1, 2, 3, 0, 0, 5, 0, 2, 3, 178, 0, 1, 3, 0,
    ]
    let face = information + points + [2, 1, 1, 0x00, 2, 0x10, 1, 2, 0, 7, 0, 80] + picture
    return Array("FAC\u{0}010\u{0}".utf8) + four(length ?? 18 + face.count) + [UInt8(count >> 8), UInt8(count & 255)]
      + four(faceLength ?? 4 + face.count) + face
  }

  /// EF.DG2 with one template per record.
  static func dataGroup2(_ records: [[UInt8]], announced: UInt8? = nil) -> [UInt8] {
    let templates = records.flatMap { tlv(0x7F60, tlv(0xA1, tlv(0x88, [0, 8])) + tlv(0x5F2E, $0)) }
    return tlv(0x75, tlv(0x7F61, tlv(0x02, [announced ?? UInt8(records.count)]) + templates))
  }

  @Test func `the format is determined by the picture's bytes`() throws {
    let pictures: [([UInt8], FaceImageFormat)] = [
      (Self.jpeg, .jpeg), ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 0x87, 10, 0], .jp2),
      ([0xFF, 0x4F, 0xFF, 0x51, 0], .jpeg2000CodeStream),
    ]
    for (picture, format) in pictures {
      let image = try #require(try FaceImage.images(in: Self.record(picture)).first)
      #expect(image.format == format)
      #expect(image.bytes == picture)
    }
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xA0, 0xFF, 0xA4], "WSQ"), ([0xFF, 0xD8, 0xFE, 0xE0], "unknown"),
      ([], "unknown"),
    ] as [([UInt8], String)])
  func `other formats are rejected, and the error names them`(_ picture: [UInt8], _ name: String) {
    let error = #expect(throws: VerifyError.self) { try FaceImage.images(in: Self.record(picture)) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains(name) == true)
  }

  @Test func `all fields of the edition of 2005 are read`() throws {
    let points: [UInt8] = [1, 0x84, 0, 100, 0, 200, 0, 0, 9, 0x21, 0, 1, 0, 2, 0, 0]
    let record = try #require(try FaceImage.images(in: Self.record(Self.jpeg, points: points)).first).record
    #expect(record.gender?.name == "male")
    #expect(record.eyeColour?.name == "blue")
    #expect(record.hairColour?.name == "blonde")
    #expect(record.properties["moustache"] == true)
    #expect(record.properties["glasses"] == false)
    #expect(record.expressions == ["smile": true])
    #expect(record.yaw?.degrees == 4 && record.yaw?.uncertainty == 0)
    #expect(record.pitch?.degrees == -6 && record.pitch?.uncertainty == 2)
    #expect(record.roll == nil)
    #expect(record.featurePoints.map(\.name) == ["8.4", "2.1"])
    #expect(record.featurePoints.map(\.kind) == ["mpeg4", "reserved"])
    #expect(record.featurePoints.map(\.x) == [100, 1])
    #expect(record.featurePoints.map(\.y) == [200, 2])
    #expect(record.imageKind?.name == "token-frontal")
    #expect(record.imageDataType?.name == "jpeg-2000")
    #expect(record.width == 256 && record.height == 528)
    #expect(record.colourSpace?.name == "rgb-24-bit")
    #expect(record.source?.name == "static-photograph-digital-camera")
    #expect(record.deviceType == 7)
    #expect(record.qualities.map(\.score) == [80])
  }

  @Test func `several templates are several pictures`() throws {
    let other: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
    let group = try DataGroup2(Self.dataGroup2([Self.record(Self.jpeg), Self.record(other)]))
    #expect(group.images.map(\.bytes) == [Self.jpeg, other])
    #expect(group.images.map(\.header?.formatType) == [8, 8])
  }

  @Test func `counts are compared before use`() {
    let damaged = [
      Self.record(Self.jpeg, pointCount: 0xFFFF), Self.record(Self.jpeg, count: 0),
      Self.record(Self.jpeg, count: 0xFFFF), Self.record(Self.jpeg, count: 2), Self.dataGroup2([]),
    ]
    for bytes in damaged { #expect(code { _ = try FaceImage.images(in: bytes) } == .damaged) }
  }

  @Test func `a wrong length of a record, of its last picture or of a list loses no picture`() throws {
    let size = Self.record(Self.jpeg).count
    for length in [0, 3, size - 1, size + 100, 0xFFFF_FFFF] {
      for record in [Self.record(Self.jpeg, length: length), Self.record(Self.jpeg, faceLength: length)] {
        #expect(try FaceImage.images(in: record).map(\.bytes) == [Self.jpeg], "\(length)")
      }
    }
    #expect(try DataGroup2(Self.dataGroup2([Self.record(Self.jpeg)], announced: 2)).images.count == 1)
  }

  @Test func `a block of ISO 39794-5 without a picture is damaged`() {
    #expect(code { _ = try FaceImage.images(in: tlv(0x65, tlv(0xA0, []) + tlv(0xA1, []))) } == .damaged)
  }

  @Test func `other versions and other data are unknown formats`() {
    for bytes in [
      Array("FAC\u{0}040\u{0}".utf8) + [0, 0, 0, 0], Array("FIR\u{0}010\u{0}".utf8), tlv(0x30, []), [],
      Self.dataGroup2([Array("FMR\u{0}".utf8)]),
    ] { #expect(code { _ = try FaceImage.images(in: bytes) } == .unknownFormat) }
  }

  @Test func `no truncated record causes a crash or is read without its fields`() throws {
    for whole in [
      Self.dataGroup2([Self.record(Self.jpeg)]), Self.record(Self.jpeg, points: [1, 0x84, 0, 1, 0, 1, 0, 0]),
    ] {
      // A record without its end has a shorter picture.
      let picture = whole.count - Self.jpeg.count
      for count in whole.indices {
        let images = try? FaceImage.images(in: Array(whole.prefix(count)))
        #expect(images == nil || whole[0] != 0x75 && count > picture && images?[0].bytes.count == count - picture)
      }
    }
  }

  @Test(.needsSpecimenChips) func `the profile's sample with all fields is read`() throws {
    let image = try #require(
      try FaceImage.images(in: TestData.bytes("iso_face/ICAO_39794_5_AP_DG2_AllFields.dat")).first)
    #expect(image.format == .jp2)
    #expect(image.bytes.count == 15_000)
    #expect(image.standard == .iso39794)
    let record = image.record
    #expect(record.version == 2019)
    #expect(record.gender?.name == "female")
    #expect(record.eyeColour?.name == "blue")
    #expect(record.hairColour?.name == "brown")
    #expect(record.subjectHeight == 1786)
    #expect(record.properties.count == 11 && !record.properties.values.contains(true))
    #expect(record.expressions["neutral"] == true && record.expressions.count == 6)
    #expect(record.yaw?.degrees == 2 && record.pitch?.degrees == 3 && record.roll?.degrees == 1)
    #expect(record.yaw?.uncertainty == 1 && record.pitch?.uncertainty == 1 && record.roll?.uncertainty == 2)
    #expect(record.featurePoints.map(\.name) == ["2.11"])
    #expect(record.featurePoints.map(\.x) == [90] && record.featurePoints.map(\.y) == [22])
    #expect(record.imageKind?.name == "mrtd")
    #expect(record.imageDataType?.name == "jpeg-2000-lossy")
    #expect(record.width == 572 && record.height == 731)
    #expect(record.postProcessing.count == 12)
    #expect(record.lossyTransformations?.name == "zero")
    #expect(record.cameraToSubjectDistance == 3000)
    #expect(record.sensorDiagonal == 43 && record.lensFocalLength == 55)
    #expect(record.headWidth == 300 && record.interEyeDistance == 150)
    #expect(record.eyeToMouthDistance == 180 && record.headLength == 500)
    #expect(record.colourSpace?.name == "rgb-24-bit")
    #expect(record.referenceColourSchema == "Reference Colour Schema Example")
    #expect(record.referenceColours.map(\.definition) == ["Reference Colour Definition Example"])
    #expect(record.spectra.count == 3)
    #expect(record.source?.name == "static-photograph-digital-camera")
    #expect(record.captureTime == "2024-01-20T13:23:09.908")
    #expect(record.qualities.map(\.score) == [99])
    #expect(record.deviceModel?.organization == 1)
    #expect(record.certifications.map(\.identifier) == [2])
    #expect(record.representationIdentifier == 0 && record.sessionIdentifier == 9 && record.derivedFrom == 0)
    let attack = try #require(record.presentationAttack)
    #expect(attack.decision?.name == "no-attack")
    #expect(attack.scores.map(\.score) == [99])
    #expect(attack.extendedData.map(\.data.count) == [22])
    #expect(attack.captureContext?.name == "enrolment")
    #expect(attack.supervisionLevel?.name == "unknown")
    #expect(attack.riskLevel == 5)
    #expect(attack.criteriaCategory?.name == "common")
    #expect(attack.parameter == Array("PAD Parameter".utf8))
    #expect(attack.challenges == [Array("Challenge1".utf8)])
    #expect(attack.captureTime == "2024-01-22T15:16:17.018")
    #expect(image.header?.version == 0x101)
    #expect(image.header?.validityPeriod == "2124010521290105")
    #expect(image.header?.creator == "01030001")
    #expect(image.header?.formatType == 0x2A)
  }

  @Test(.needsSpecimenChips) func `the profile's sample with the mandatory fields is read`() throws {
    let image = try #require(
      try FaceImage.images(in: TestData.bytes("iso_face/ICAO_39794_5_AP_DG2_MandFields.dat")).first)
    #expect(image.format == .jp2)
    #expect(image.bytes.count == 15_000)
    #expect(image.record.gender == nil && image.record.yaw == nil && image.record.properties.isEmpty)
  }

  @Test(.needsSpecimenChips) func `a sample with an invalid picture is rejected, its twin is read`() throws {
    let images = try FaceImage.images(in: TestData.bytes("iso_face/ISO19794_Test1_Data.bin"))
    #expect(images.map(\.format) == [.jpeg])
    #expect(images.map(\.bytes.count) == [5099])
    #expect(
      code { _ = try FaceImage.images(in: TestData.bytes("iso_face/ISO19794_Test2_Data_InvalidImage.bin")) }
        == .unknownFormat)
  }

  @Test(.needsChips) func `the edition of 2011 is read`() throws {
    let image = try #require(try DataGroup2(TestData.made("td3-2011/EF.DG2")).images.first)
    #expect(image.standard == .iso19794Edition2011)
    #expect(image.format == .jp2)
    let record = image.record
    #expect(record.captureTime == "2023-05-05T10:15:00.000")
    #expect(record.source?.name == "static-photograph-digital-camera")
    #expect(record.deviceVendor == 1 && record.deviceType == 7)
    #expect(record.qualities.map(\.score) == [80])
    #expect(record.subjectHeight == 1700)
    #expect(record.gender?.name == "female")
    #expect(record.properties["glasses"] == true && record.properties["beard"] == false)
    #expect(record.expressions["neutral"] == true)
    #expect(record.featurePoints.map(\.name) == ["3.6", "3.5"])
    #expect(record.width == 413 && record.height == 531)
    #expect(record.postProcessing["cropped"] == true)
    #expect(record.colourSpace?.name == "rgb-24-bit")
  }
}
