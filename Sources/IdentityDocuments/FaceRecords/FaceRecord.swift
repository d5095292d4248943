/// The metadata of a face record. Fields that the record or its standard lacks are nil or empty.
public struct FaceRecord: Sendable, Hashable, JSONConvertible {
  /// The record's own version: 10 or 30 (ISO/IEC 19794-5), or the year (ISO/IEC 39794-5).
  public let version: Int

  // The person.
  public internal(set) var gender: CodedValue?
  public internal(set) var eyeColour: CodedValue?
  public internal(set) var hairColour: CodedValue?
  /// Millimetres; ISO/IEC 19794-5:2011 stores whole centimetres.
  public internal(set) var subjectHeight: Int?
  /// Properties stated to be present or absent, by name: `glasses`, `beard`, `mouth-open`…
  public internal(set) var properties: [String: Bool] = [:]
  /// `neutral`, `smile`, `frowning`…
  public internal(set) var expressions: [String: Bool] = [:]
  public internal(set) var yaw: FaceRecordAngle?
  public internal(set) var pitch: FaceRecordAngle?
  public internal(set) var roll: FaceRecordAngle?
  public internal(set) var featurePoints: [FaceRecordPoint] = []

  // The picture.
  public internal(set) var imageKind: CodedValue?
  /// The compression stated by the record; see ``FaceImage/format`` for the actual one.
  public internal(set) var imageDataType: CodedValue?
  /// Pixels, as the record states; pictures may differ.
  public internal(set) var width: Int?
  public internal(set) var height: Int?
  public internal(set) var colourSpace: CodedValue?
  /// `cropped`, `down-sampled`, `multiply-compressed`…
  public internal(set) var postProcessing: [String: Bool] = [:]
  public internal(set) var lossyTransformations: CodedValue?
  /// Code of table 15 in ISO/IEC 19794-5:2011.
  public internal(set) var spatialSamplingRate: Int?
  public internal(set) var crossReference: Int?
  /// Pixels.
  public internal(set) var headWidth: Int?
  public internal(set) var interEyeDistance: Int?
  public internal(set) var eyeToMouthDistance: Int?
  public internal(set) var headLength: Int?
  public internal(set) var referenceColourSchema: String?
  public internal(set) var referenceColours: [ReferenceColour] = []

  // The capture.
  /// The kind of camera or scanner.
  public internal(set) var source: CodedValue?
  /// The manufacturer's number for the device (ISO/IEC 19794-5).
  public internal(set) var deviceType: Int?
  public internal(set) var deviceVendor: Int?
  public internal(set) var deviceModel: RegistryIdentifier?
  public internal(set) var certifications: [RegistryIdentifier] = []
  /// `white-light`, `near-infrared`, `thermal`.
  public internal(set) var spectra: [String: Bool] = [:]
  /// ISO 8601 with the known parts, without a time zone.
  public internal(set) var captureTime: String?
  /// Millimetres.
  public internal(set) var cameraToSubjectDistance: Int?
  /// Millimetres.
  public internal(set) var sensorDiagonal: Int?
  /// Millimetres.
  public internal(set) var lensFocalLength: Int?
  public internal(set) var qualities: [FaceRecordQuality] = []
  public internal(set) var presentationAttack: PresentationAttackData?

  // Relations to other records (ISO/IEC 39794-5).
  public internal(set) var representationIdentifier: Int?
  public internal(set) var sessionIdentifier: Int?
  public internal(set) var derivedFrom: Int?

  public var jsonValue: JSONValue {
    func named(_ value: CodedValue?) -> JSONValue {
      value.map { ["code": .integer($0.code), "name": .string($0.name)] } ?? .null
    }
    func angle(_ angle: FaceRecordAngle?) -> JSONValue {
      angle.map { ["degrees": .integer($0.degrees), "uncertainty": .optional($0.uncertainty)] } ?? .null
    }
    func registered(_ value: RegistryIdentifier?) -> JSONValue {
      value.map { ["organization": .integer($0.organization), "identifier": .integer($0.identifier)] } ?? .null
    }
    func scores(_ qualities: [FaceRecordQuality]) -> JSONValue {
      .array(qualities.map { ["algorithm": registered($0.algorithm), "score": .optional($0.score)] })
    }
    return [
      "version": .integer(version), "gender": named(gender), "eyeColour": named(eyeColour),
      "hairColour": named(hairColour), "subjectHeight": .optional(subjectHeight), "properties": properties.memberJSON,
      "expressions": expressions.memberJSON, "yaw": angle(yaw), "pitch": angle(pitch), "roll": angle(roll),
      "featurePoints": .array(
        featurePoints.map {
          [
            "kind": .string($0.kind), "name": .string($0.name), "x": .optional($0.x), "y": .optional($0.y),
            "z": .optional($0.z),
          ]
        }),
      "imageKind": named(imageKind), "imageDataType": named(imageDataType), "width": .optional(width),
      "height": .optional(height), "colourSpace": named(colourSpace), "postProcessing": postProcessing.memberJSON,
      "lossyTransformations": named(lossyTransformations), "spatialSamplingRate": .optional(spatialSamplingRate),
      "crossReference": .optional(crossReference), "headWidth": .optional(headWidth),
      "interEyeDistance": .optional(interEyeDistance), "eyeToMouthDistance": .optional(eyeToMouthDistance),
      "headLength": .optional(headLength), "referenceColourSchema": .optional(referenceColourSchema),
      "referenceColours": .array(
        referenceColours.map { ["definition": .optional($0.definition), "value": .optional($0.value)] }),
      "source": named(source), "deviceType": .optional(deviceType), "deviceVendor": .optional(deviceVendor),
      "deviceModel": registered(deviceModel), "certifications": .array(certifications.map(registered)),
      "spectra": spectra.memberJSON, "captureTime": .optional(captureTime),
      "cameraToSubjectDistance": .optional(cameraToSubjectDistance), "sensorDiagonal": .optional(sensorDiagonal),
      "lensFocalLength": .optional(lensFocalLength), "qualities": scores(qualities),
      "presentationAttack": presentationAttack.map { attack in
        [
          "decision": named(attack.decision), "scores": scores(attack.scores),
          "captureContext": named(attack.captureContext), "supervisionLevel": named(attack.supervisionLevel),
          "riskLevel": .optional(attack.riskLevel), "criteriaCategory": named(attack.criteriaCategory),
          "captureTime": .optional(attack.captureTime),
        ]
      } ?? .null,
      "representationIdentifier": .optional(representationIdentifier),
      "sessionIdentifier": .optional(sessionIdentifier), "derivedFrom": .optional(derivedFrom),
    ]
  }
}

/// A value from a list in a standard: its number and its name.
public struct CodedValue: Sendable, Hashable, CustomStringConvertible {
  public let code: Int
  /// Kebab case; `reserved` for a number that the standard does not define.
  public let name: String
  public var description: String { name }

  init(_ code: Int, _ names: [String]) {
    self.code = code
    name = names.indices.contains(code) ? names[code] : "reserved"
  }
}

/// An angle of the head pose as a face record states it, in degrees.
public struct FaceRecordAngle: Sendable, Hashable {
  /// -180 to 180.
  public let degrees: Int
  /// 0 to 180, or nil if the record does not state it.
  public let uncertainty: Int?
}

/// A feature point of a face record, in pixels of the picture.
public struct FaceRecordPoint: Sendable, Hashable {
  /// `mpeg4`, `anthropometric`, `anthropometric-3d`, `anthropometric-name`, `anthropometric-point`…
  public let kind: String
  /// For MPEG-4, group and point, such as `8.4` (ISO/IEC 14496-2, annex C); otherwise the number in the standard's
  /// list.
  public let name: String
  public let x: Int?
  public let y: Int?
  public let z: Int?
}

/// A quality score that the issuer stored in a face record.
public struct FaceRecordQuality: Sendable, Hashable {
  /// The organisation and its algorithm, if the record states them.
  public let algorithm: RegistryIdentifier?
  /// 0 (worst) to 100, or nil if it could not be assessed.
  public let score: Int?
}

/// An entry in the register of biometric organisations (ISO/IEC 19785-2).
public struct RegistryIdentifier: Sendable, Hashable {
  public let organization: Int
  public let identifier: Int
}

/// A colour of a reference chart in a picture (ISO/IEC 39794-5).
public struct ReferenceColour: Sendable, Hashable {
  public let definition: String?
  public let value: String?
}

/// Presentation attack data of the issuer's capture (ISO/IEC 39794-1, PADDataBlock).
public struct PresentationAttackData: Sendable, Hashable {
  /// `no-attack`, `attack`, `failure-to-assess`.
  public internal(set) var decision: CodedValue?
  public internal(set) var scores: [FaceRecordQuality] = []
  public internal(set) var extendedData: [ExtendedData] = []
  public internal(set) var captureContext: CodedValue?
  public internal(set) var supervisionLevel: CodedValue?
  /// 0 to 100.
  public internal(set) var riskLevel: Int?
  public internal(set) var criteriaCategory: CodedValue?
  public internal(set) var parameter: [UInt8]?
  public internal(set) var challenges: [[UInt8]] = []
  public internal(set) var captureTime: String?

  public struct ExtendedData: Sendable, Hashable {
    public let dataType: RegistryIdentifier
    public let data: [UInt8]
  }
}

/// The capture time of a picture, as far as a face record states it.
enum CaptureTime {
  /// ISO 8601 up to the first unknown part. The parts are month, day, hour, minute, second, millisecond.
  static func text(year: Int, parts: [Int?]) -> String {
    var text = padded(year, to: 4)
    for (part, before) in zip(parts, ["-", "-", "T", ":", ":", "."]) {
      guard let part else { break }
      text += before + padded(part, to: before == "." ? 3 : 2)
    }
    return text
  }
}

/// Names of the flags that the versions of the standards share, in their order.
enum FaceRecordNames {
  static let postProcessing = [
    "rotated", "cropped", "down-sampled", "white-balance-adjusted", "multiply-compressed", "interpolated",
    "contrast-stretched", "pose-corrected", "multi-view-image", "age-progressed", "super-resolution-processed",
    "normalised",
  ]
  static let expressions = ["neutral", "smile", "raised-eyebrows", "eyes-looking-away", "squinting", "frowning"]
}
