extension FaceImage: JSONConvertible {
  /// The picture is represented by its hash.
  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue), "bytes": .integer(bytes.count), "sha256": .string(sha256(bytes)),
      "standard": .string(standard.rawValue), "record": record.jsonValue, "header": header?.jsonValue ?? .null,
    ]
  }
}

extension BiometricHeader: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .optional(version), "biometricType": .optional(biometricType),
      "biometricSubtype": .optional(biometricSubtype), "creationDate": .optional(creationDate),
      "validityPeriod": .optional(validityPeriod), "creator": .optional(creator),
      "formatOwner": .optional(formatOwner), "formatType": .optional(formatType),
    ]
  }
}

extension FaceRecord: JSONConvertible {
  public var jsonValue: JSONValue {
    func named(_ value: CodedValue?) -> JSONValue {
      value.map { ["code": .integer($0.code), "name": .string($0.name)] } ?? .null
    }
    func flags(_ flags: [String: Bool]) -> JSONValue { .object(flags.mapValues(JSONValue.bool)) }
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
      "hairColour": named(hairColour), "subjectHeight": .optional(subjectHeight), "properties": flags(properties),
      "expressions": flags(expressions), "yaw": angle(yaw), "pitch": angle(pitch), "roll": angle(roll),
      "featurePoints": .array(
        featurePoints.map {
          [
            "kind": .string($0.kind), "name": .string($0.name), "x": .optional($0.x), "y": .optional($0.y),
            "z": .optional($0.z),
          ]
        }),
      "imageKind": named(imageKind), "imageDataType": named(imageDataType), "width": .optional(width),
      "height": .optional(height), "colourSpace": named(colourSpace), "postProcessing": flags(postProcessing),
      "lossyTransformations": named(lossyTransformations), "spatialSamplingRate": .optional(spatialSamplingRate),
      "crossReference": .optional(crossReference), "headWidth": .optional(headWidth),
      "interEyeDistance": .optional(interEyeDistance), "eyeToMouthDistance": .optional(eyeToMouthDistance),
      "headLength": .optional(headLength), "referenceColourSchema": .optional(referenceColourSchema),
      "referenceColours": .array(
        referenceColours.map { ["definition": .optional($0.definition), "value": .optional($0.value)] }),
      "source": named(source), "deviceType": .optional(deviceType), "deviceVendor": .optional(deviceVendor),
      "deviceModel": registered(deviceModel), "certifications": .array(certifications.map(registered)),
      "spectra": flags(spectra), "captureTime": .optional(captureTime),
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
