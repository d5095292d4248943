/// Decodes face records of ISO/IEC 39794-5:2019 in DER, by the application profile for travel documents (ICAO). This
/// software makes use of the schemas from ISO/IEC 39794-1 and ISO/IEC 39794-5 within modifications permitted in the
/// relevant standards. The tags of each block are those of the schema; fields that it may gain are skipped.
enum FaceRecord39794 {
  /// FaceImageDataBlock: APPLICATION 5.
  static let tag: TLVTag = 0x65
  private static let maximumMembers = 256

  static func images(in block: TLV) throws -> [FaceImage] {
    let year = try block.requiredChild(0xA0).child(0x81)?.integer() ?? 0
    let representations = try members(of: block.requiredChild(0xA1))
    guard (1...FaceImage.maximumCount).contains(representations.count) else {
      throw VerifyError(.damaged, "the face record has \(representations.count) pictures")
    }
    return try representations.map { representation in
      var record = FaceRecord(version: year)
      let bytes = try read(representation, into: &record)
      return try FaceImage(bytes, standard: .iso39794, record: record)
    }
  }

  /// RepresentationBlock. Returns the picture.
  private static func read(_ block: TLV, into record: inout FaceRecord) throws -> ArraySlice<UInt8> {
    guard let image = try block.requiredChild(0xA1).child(0xA0)?.child(0xA0) else {
      throw VerifyError(.unknownFormat, "the face record has no two-dimensional picture")
    }
    record.representationIdentifier = try block.child(0x80)?.integer()
    record.captureTime = try block.child(0xA2).flatMap(time)
    record.qualities = try qualities(block.child(0xA3))
    record.presentationAttack = try block.child(0xA4).map(presentationAttack)
    record.sessionIdentifier = try block.child(0x85)?.integer()
    record.derivedFrom = try block.child(0x86)?.integer()
    if let device = try block.child(0xA7) {
      record.deviceModel = try device.child(0xA0).map(registry)
      record.certifications = try members(of: device.child(0xA1)).map(registry)
    }
    if let person = try block.child(0xA8) { try readPerson(person, into: &record) }
    record.featurePoints = try members(of: block.child(0xA9)).map(point)
    if let information = try image.child(0xA1) { try readInformation(information, into: &record) }
    if let device = try image.child(0xA2) {
      record.spectra = try flags(device.child(0xA0), ["white-light", "near-infrared", "thermal"])
      record.source = try code(
        device.child(0xA1),
        [
          "unknown", "static-photograph-unknown", "static-photograph-digital-camera", "static-photograph-scanner",
          "video-frame-unknown", "video-frame-analogue-camera", "video-frame-digital-camera",
        ])
    }
    return try image.requiredChild(0x80).value
  }

  /// ImageInformation2DBlock.
  private static func readInformation(_ block: TLV, into record: inout FaceRecord) throws {
    record.imageDataType = try code(
      block.child(0xA0), ["unknown", "other", "jpeg", "jpeg-2000-lossy", "jpeg-2000-lossless", "png", "pgm", "ppm"])
    record.imageKind = try code(block.child(0xA1), ["mrtd"])
    record.postProcessing = try flags(block.child(0xA2), FaceRecordNames.postProcessing)
    record.lossyTransformations = try code(block.child(0xA3), ["unknown", "zero", "one", "more-than-one"])
    record.cameraToSubjectDistance = try block.child(0x84)?.integer()
    record.sensorDiagonal = try block.child(0x85)?.integer()
    record.lensFocalLength = try block.child(0x86)?.integer()
    if let size = try block.child(0xA7) {
      record.width = try size.child(0x80)?.integer()
      record.height = try size.child(0x81)?.integer()
    }
    if let measures = try block.child(0xA8) {
      record.headWidth = try measures.child(0x80)?.integer()
      record.interEyeDistance = try measures.child(0x81)?.integer()
      record.eyeToMouthDistance = try measures.child(0x82)?.integer()
      record.headLength = try measures.child(0x83)?.integer()
    }
    record.colourSpace = try code(
      block.child(0xA9),
      ["unknown", "other", "rgb-24-bit", "rgb-48-bit", "yuv-422", "greyscale-8-bit", "greyscale-16-bit"])
    if let colours = try block.child(0xAA) {
      record.referenceColourSchema = try colours.child(0x80)?.text
      record.referenceColours = try members(of: colours.child(0xA1)).map {
        ReferenceColour(definition: try $0.child(0x80)?.text, value: try $0.child(0x81)?.text)
      }
    }
  }

  /// IdentityMetadataBlock.
  private static func readPerson(_ block: TLV, into record: inout FaceRecord) throws {
    record.gender = try code(block.child(0xA0), ["unknown", "other", "male", "female"])
    record.eyeColour = try code(
      block.child(0xA1),
      ["unknown", "other", "black", "blue", "brown", "grey", "green", "hazel", "multi-coloured", "pink"])
    record.hairColour = try code(
      block.child(0xA2),
      ["unknown", "other", "bald", "black", "blonde", "brown", "grey", "white", "red", "known-coloured"])
    record.subjectHeight = try block.child(0x83)?.integer()
    record.properties = try flags(
      block.child(0xA4),
      [
        "glasses", "moustache", "beard", "teeth-visible", "pupil-or-iris-not-visible", "mouth-open", "left-eye-patch",
        "right-eye-patch", "dark-glasses", "biometric-absent", "head-coverings-present",
      ])
    record.expressions = try flags(block.child(0xA5), FaceRecordNames.expressions)
    if let pose = try block.child(0xA6) {
      record.yaw = try pose.child(0xA0).flatMap(angle)
      record.pitch = try pose.child(0xA1).flatMap(angle)
      record.roll = try pose.child(0xA2).flatMap(angle)
    }
  }

  /// AngleDataBlock.
  private static func angle(_ block: TLV) throws -> FaceRecordAngle? {
    guard let degrees = try block.child(0x80)?.integer() else { return nil }
    return FaceRecordAngle(degrees: degrees, uncertainty: try block.child(0x81)?.integer())
  }

  /// LandmarkBlock.
  private static func point(_ block: TLV) throws -> FaceRecordPoint {
    var (kind, name) = ("other", "")
    if let base = try block.child(0xA0)?.child(0xA0) {
      if let number = try base.child(0xA0).flatMap(number) {
        (kind, name) = ("mpeg4", mpeg4Name(number))
      } else if let landmark = try base.child(0xA1)?.child(0xA0) {
        let kinds = ["anthropometric-name", "anthropometric-point", "anthropometric-id"]
        for (index, candidate) in kinds.enumerated() {
          guard let number = try landmark.child(TLVTag(rawValue: 0xA0 + UInt32(index))).flatMap(number) else {
            continue
          }
          (kind, name) = (candidate, String(number))
        }
      }
    }
    var coordinates: [Int?] = [nil, nil, nil]
    if let base = try block.child(0xA1)?.child(0xA0) {
      var forms = try base.children()
      if let form = try forms.next() {
        coordinates = try [0x80, 0x81, 0x82].map { try form.child(TLVTag(rawValue: $0))?.integer() }
      }
    }
    return FaceRecordPoint(kind: kind, name: name, x: coordinates[0], y: coordinates[1], z: coordinates[2])
  }

  /// MPEG4FeaturePointCode numbers the points of group 2, then those of group 3, and so on.
  private static func mpeg4Name(_ number: Int) -> String {
    var rest = number
    for (group, count) in zip(2..., [14, 14, 6, 4, 4, 1, 10, 15, 10, 6, 4]) {
      if rest < count, rest >= 0 { return "\(group).\(rest + 1)" }
      rest -= count
    }
    return "reserved"
  }

  /// PADDataBlock.
  private static func presentationAttack(_ block: TLV) throws -> PresentationAttackData {
    var data = PresentationAttackData()
    data.decision = try code(block.child(0xA0), ["no-attack", "attack", "failure-to-assess"])
    data.scores = try qualities(block.child(0xA1))
    data.extendedData = try members(of: block.child(0xA2)).map {
      PresentationAttackData.ExtendedData(
        dataType: try registry($0.requiredChild(0xA0)), data: Array(try $0.requiredChild(0x81).value))
    }
    data.captureContext = try code(block.child(0xA3), ["enrolment", "verification", "identification"])
    data.supervisionLevel = try code(
      block.child(0xA4), ["unknown", "controlled", "assisted", "observed", "unattended"])
    data.riskLevel = try block.child(0x85)?.integer()
    data.criteriaCategory = try code(block.child(0xA6), ["unknown", "individual", "common"])
    data.parameter = try block.child(0x87).map { Array($0.value) }
    data.challenges = try members(of: block.child(0xA8)).map { Array($0.value) }
    data.captureTime = try block.child(0xA9).flatMap(time)
    return data
  }

  /// QualityBlocks, or PADScoreBlocks, which have the same form.
  private static func qualities(_ blocks: TLV?) throws -> [FaceRecordQuality] {
    try members(of: blocks).map { block in
      FaceRecordQuality(
        algorithm: try block.child(0xA0).map(registry), score: try block.child(0xA1)?.child(0x80)?.integer())
    }
  }

  private static func registry(_ block: TLV) throws -> RegistryIdentifier {
    RegistryIdentifier(
      organization: try block.requiredChild(0x80).integer(), identifier: try block.requiredChild(0x81).integer())
  }

  /// DateTimeBlock.
  private static func time(_ block: TLV) throws -> String? {
    guard let year = try block.child(0x80)?.integer(), (0...9999).contains(year) else { return nil }
    let parts = try (0x81...0x86 as ClosedRange<UInt32>).map { try block.child(TLVTag(rawValue: $0))?.integer() }
    return CaptureTime.text(year: year, parts: parts)
  }

  /// A choice of an enumeration: the code itself, or the fallback of an extension.
  private static func code(_ choice: TLV?, _ names: [String]) throws -> CodedValue? {
    try choice.flatMap(number).map { CodedValue($0, names) }
  }

  private static func number(_ choice: TLV) throws -> Int? {
    try (choice.child(0x80) ?? choice.child(0xA1)?.child(0x80))?.integer()
  }

  /// Boolean values with the tags 80, 81… in the order of the names.
  private static func flags(_ block: TLV?, _ names: [String]) throws -> [String: Bool] {
    guard let block else { return [:] }
    var flags: [String: Bool] = [:]
    for (index, name) in names.enumerated() {
      flags[name] = try block.child(TLVTag(rawValue: 0x80 + UInt32(index)))?.boolean()
    }
    return flags
  }

  private static func members(of block: TLV?) throws -> [TLV] {
    let tooMany = VerifyError(.tooLarge, "a face record's list is too long")
    return try block?.mapChildren(atMost: maximumMembers, else: tooMany, \.self) ?? []
  }
}
