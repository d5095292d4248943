extension DocumentDataField: JSONConvertible {
  public var jsonValue: JSONValue {
    ["value": .optional(value), "status": .string(status.rawValue), "reason": .optional(reason?.rawValue)]
  }
}

extension DocumentData: JSONConvertible {
  public var jsonValue: JSONValue {
    var members: [String: JSONValue] = ["hasChip": .bool(hasChip), "chipPage": .optional(chipPage)]
    for (name, field) in fields { members[name.rawValue] = field.jsonValue }
    return .object(members)
  }
}

extension DocumentReaderReport: JSONConvertible {
  public var jsonValue: JSONValue {
    let info = documentData.documentTypeData.info
    return [
      "documentData": documentData.jsonValue, "opticalData": opticalData?.jsonValue ?? .null,
      "chipData": chipData?.jsonValue ?? .null,
      "documentType": [
        "type": .string(documentType.rawValue),
        "info": info.map {
          [
            "dTypeId": .integer($0.dTypeId), "documentName": .string($0.documentName),
            "icaoCode": .string($0.icaoCode),
          ]
        } ?? .null,
      ],
      "rfidStatus": .string(rfidStatus.rawValue), "statuses": .array(statuses.map { .string($0.rawValue) }),
      "checks": .array(
        checks.map {
          [
            "name": .string($0.name.rawValue), "status": .string($0.status.rawValue),
            "reason": .optional($0.reason?.rawValue),
          ]
        }),
      "mismatches": .array(
        mismatches.map {
          ["name": .string($0.name.rawValue), "optical": $0.optical.jsonValue, "chip": $0.chip.jsonValue]
        }),
      "documentPhotoHash": .optional(documentPhotoHash), "documentDataHash": .optional(documentDataHash),
      "hashAlgorithm": .string(Self.hashAlgorithm),
    ]
  }
}

extension DocumentImageCheck: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "reason": .string(reason.rawValue), "number": .integer(reason.number), "status": .string(status.rawValue),
      "value": .rounded(value, 3), "unit": .string(unit), "limit": .rounded(limit, 3), "text": .string(text),
    ]
  }
}

extension DocumentPage: JSONConvertible {
  public var jsonValue: JSONValue {
    func points(_ points: [Point]) -> JSONValue {
      .array(points.map { .array([.rounded($0.x, 1), .rounded($0.y, 1)]) })
    }
    return [
      "input": ["sha256": .string(photoHash), "width": .integer(width), "height": .integer(height)],
      "mrz": reading?.jsonValue ?? .null, "zoneCorners": points(zoneCorners), "corners": points(corners),
      "turn": .rounded(turn, 1), "checks": checks.jsonValue,
      "portrait": portrait.map { ["sha256": .string($0.sha256), "sample": $0.sample.jsonValue] } ?? .null,
    ]
  }
}

extension DocumentReading: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "date": .string(date.description), "report": report.jsonValue,
      "mrz": zone?.jsonValue ?? .null, "pages": pages.jsonValue, "chip": chip?.jsonValue ?? .null,
      "portrait": portrait.map { ["trust": .string($0.trust.rawValue), "sample": $0.sample.jsonValue] } ?? .null,
      "portraitProblem": .optional(portraitProblem),
    ]
  }
}

extension DocumentDecision: JSONConvertible {
  /// That of the comparison, with the result and the reasons that the document adds to.
  public var jsonValue: JSONValue {
    guard case .object(var members) = comparison.jsonValue else { return .null }
    members["result"] = .string(result.rawValue)
    members["reasons"] = .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] })
    members["document"] = document.jsonValue
    return .object(members)
  }
}
