/// Decodes face records of ISO/IEC 19794-5:2005 (5.4 to 5.8) and 19794-5:2011 (5.3 to 5.8). The last picture ends with the
/// bytes present: some states store lengths that are too large, and the data object around the record has its own.
enum FaceRecord19794 {
  static func images(in bytes: [UInt8]) throws -> [FaceImage] {
    var reader = ByteReader(bytes)
    guard reader.take("FAC\0") else { throw VerifyError(.unknownFormat, "the face record does not begin with FAC") }
    let is2011 = !reader.take("010\0")
    guard !is2011 || reader.take("030\0") else {
      throw VerifyError(.unknownFormat, "the face record is of a version that is not read; 010 and 030 are")
    }
    try reader.skip(4)  // the length of the record
    let count = try reader.u16()
    var isCertified = false
    if is2011 {
      isCertified = try reader.u8() != 0
      try reader.skip(2)  // temporal semantics
    }
    guard (1...FaceImage.maximumCount).contains(count) else {
      throw VerifyError(.damaged, "the face record says it has \(count) pictures")
    }
    var images: [FaceImage] = []
    while images.count < count {
      let start = reader
      let length = try reader.u32()
      var whole = start
      var record = try whole.section(images.count + 1 == count ? whole.remaining : length)
      try record.skip(4)
      reader = whole
      images.append(try is2011 ? image2011(from: &record, isCertified: isCertified) : image2005(from: &record))
    }
    return images
  }

  private static func image2005(from reader: inout ByteReader) throws -> FaceImage {
    var record = FaceRecord(version: 10)
    let points = try reader.u16()
    try readPerson(from: &reader, into: &record, hasHeight: false)
    try readPoints(points, from: &reader, into: &record)
    record.imageKind = CodedValue(try reader.u8(), ["basic", "full-frontal", "token-frontal"])
    record.imageDataType = CodedValue(try reader.u8(), ["jpeg", "jpeg-2000"])
    record.width = try reader.u16()
    record.height = try reader.u16()
    record.colourSpace = CodedValue(try reader.u8(), colourSpaces)
    record.source = CodedValue(try reader.u8(), sources)
    record.deviceType = try reader.u16()
    let quality = try reader.u16()
    if quality > 0 { record.qualities = [FaceRecordQuality(algorithm: nil, score: quality)] }
    return try FaceImage(reader.rest(), standard: .iso19794Edition2005, record: record)
  }

  private static func image2011(from reader: inout ByteReader, isCertified: Bool) throws -> FaceImage {
    var record = FaceRecord(version: 30)
    record.captureTime = try captureTime(from: &reader)
    record.source = CodedValue(try reader.u8(), sources)
    record.deviceVendor = try reader.u16()
    record.deviceType = try reader.u16()
    for _ in 0..<(try reader.u8()) {
      let score = try reader.u8()
      let algorithm = RegistryIdentifier(organization: try reader.u16(), identifier: try reader.u16())
      // 255 is a failure to compute (ISO/IEC 19794-1:2011, 12.3).
      record.qualities.append(FaceRecordQuality(algorithm: algorithm, score: score <= 100 ? score : nil))
    }
    if isCertified {
      for _ in 0..<(try reader.u8()) {
        record.certifications.append(RegistryIdentifier(organization: try reader.u16(), identifier: try reader.u8()))
      }
    }
    let points = try reader.u16()
    try readPerson(from: &reader, into: &record, hasHeight: true)
    try readPoints(points, from: &reader, into: &record)
    record.imageKind = CodedValue(
      try reader.u8(), ["basic", "full-frontal", "token-frontal", "post-processed-frontal"])
    record.imageDataType = CodedValue(try reader.u8(), ["jpeg", "jpeg-2000-lossy", "jpeg-2000-lossless", "png"])
    record.width = try reader.u16()
    record.height = try reader.u16()
    record.spatialSamplingRate = try reader.u8()
    let processing = try reader.u16()
    for (bit, name) in FaceRecordNames.postProcessing.enumerated() {
      record.postProcessing[name] = processing >> bit & 1 == 1
    }
    record.crossReference = try reader.u8()
    record.colourSpace = CodedValue(try reader.u8(), colourSpaces)
    let length = try reader.u32()
    return try FaceImage(reader.bytes(min(length, reader.remaining)), standard: .iso19794Edition2011, record: record)
  }

  /// The facial information block (2005: 5.5; 2011: 5.5), after its count of points.
  private static func readPerson(from reader: inout ByteReader, into record: inout FaceRecord, hasHeight: Bool) throws {
    record.gender = value(try reader.u8(), ["unspecified", "male", "female"])
    record.eyeColour = value(
      try reader.u8(), ["unspecified", "black", "blue", "brown", "grey", "green", "multi-coloured", "pink"])
    record.hairColour = value(
      try reader.u8(), ["unspecified", "bald", "black", "blonde", "brown", "grey", "white", "red", "green", "blue"])
    if hasHeight {
      let centimetres = try reader.u8()
      record.subjectHeight = centimetres == 0 ? nil : 10 * centimetres
    }
    let mask = try reader.u8() << 16 | reader.u16()
    // Bit 0 indicates whether the others are specified.
    if mask & 1 == 1 {
      for (bit, name) in properties.enumerated() { record.properties[name] = mask >> (bit + 1) & 1 == 1 }
    }
    let expression = try reader.u16()
    if hasHeight {
      // 2011: bit 0 indicates whether the others are specified.
      if expression & 1 == 1 {
        for (bit, name) in FaceRecordNames.expressions.enumerated() {
          record.expressions[name] = expression >> (bit + 1) & 1 == 1
        }
      }
    } else if expression > 0 {
      let names = [
        "unspecified", "neutral", "smile", "smile-teeth-visible", "raised-eyebrows", "eyes-looking-away", "squinting",
        "frowning",
      ]
      record.expressions = [names.indices.contains(expression) ? names[expression] : "reserved": true]
    }
    let angles = [try reader.u8(), try reader.u8(), try reader.u8()]
    let uncertainties = [try reader.u8(), try reader.u8(), try reader.u8()]
    let pose = zip(angles, uncertainties).map(angle)
    (record.yaw, record.pitch, record.roll) = (pose[0], pose[1], pose[2])
  }

  /// 0 is unspecified; 1 to 91 encode 0° to 180°, 92 to 180 encode -178° to -2°, in steps of 2° (2005: 5.5.8). An
  /// uncertainty is stored as degrees plus 1.
  private static func angle(_ code: Int, _ uncertainty: Int) -> FaceRecordAngle? {
    guard (1...181).contains(code) else { return nil }
    return FaceRecordAngle(
      degrees: code <= 91 ? 2 * (code - 1) : 2 * (code - 181), uncertainty: uncertainty == 0 ? nil : uncertainty - 1)
  }

  /// Feature points of eight bytes each (2005: 5.6).
  private static func readPoints(_ count: Int, from reader: inout ByteReader, into record: inout FaceRecord) throws {
    guard count <= reader.remaining / 8 else {
      throw VerifyError(.damaged, "the face record says it has \(count) points, more than its bytes hold")
    }
    for _ in 0..<count {
      let type = try reader.u8()
      let code = try reader.u8()
      let (x, y, z) = (try reader.u16(), try reader.u16(), try reader.u16())
      let kinds = [1: "mpeg4", 2: "anthropometric", 3: "anthropometric-3d"]
      record.featurePoints.append(
        FaceRecordPoint(
          kind: kinds[type] ?? "reserved", name: "\(code >> 4).\(code & 15)", x: x, y: y, z: type == 3 ? z : nil))
    }
  }

  private static func captureTime(from reader: inout ByteReader) throws -> String? {
    let year = try reader.u16()
    let parts = [try reader.u8(), try reader.u8(), try reader.u8(), try reader.u8(), try reader.u8(), try reader.u16()]
    // All ones denote an unknown part.
    guard year > 0, year < 0xFFFF else { return nil }
    return CaptureTime.text(
      year: year, parts: zip(parts, [255, 255, 255, 255, 255, 0xFFFF]).map { $0 == $1 ? nil : $0 })
  }

  private static func value(_ code: Int, _ names: [String]) -> CodedValue {
    code == 255 ? CodedValue(code, Array(repeating: "", count: 255) + ["unknown"]) : CodedValue(code, names)
  }

  private static let colourSpaces = ["unspecified", "rgb-24-bit", "yuv-422", "greyscale-8-bit", "other"]
  private static let sources = [
    "unspecified", "static-photograph-unknown", "static-photograph-digital-camera", "static-photograph-scanner",
    "video-frame-unknown", "video-frame-analogue-camera", "video-frame-digital-camera", "unknown",
  ]
  private static let properties = [
    "glasses", "moustache", "beard", "teeth-visible", "blink", "mouth-open", "left-eye-patch", "right-eye-patch",
    "dark-glasses", "feature-distorting-medical-condition",
  ]
}
