extension DocumentField: JSONConvertible {
  public var jsonValue: JSONValue {
    ["value": .optional(value), "status": .string(status.rawValue), "reason": .optional(reason?.rawValue)]
  }
}

extension DocumentData: JSONConvertible {
  public var jsonValue: JSONValue {
    var members: [String: JSONValue] = [
      "hasChip": .bool(hasChip), "type": .string(type.rawValue), "class": .optional(documentClass?.rawValue),
    ]
    for (name, field) in fields { members[name.rawValue] = field.jsonValue }
    return .object(members)
  }
}

extension DocumentReport: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "result": .string(result.rawValue), "assurance": .string(assurance.rawValue),
      "shortfall": shortfall.map { ["code": .string($0.code), "text": .string($0.text)] } ?? .null,
      "checks": .array(
        checks.map {
          [
            "name": .string($0.name.rawValue), "status": .string($0.status.rawValue),
            "reason": .optional($0.reason?.rawValue),
          ]
        }),
      "data": data.jsonValue, "pageData": pageData?.jsonValue ?? .null, "chipData": chipData?.jsonValue ?? .null,
      "mismatches": .array(
        mismatches.map {
          [
            "name": .string($0.name.rawValue), "page": $0.page.jsonValue, "chip": $0.chip.jsonValue,
            "code": $0.code?.jsonValue ?? .null,
          ]
        }),
      "portraitSha256": .optional(portraitSHA256), "dataSha256": .optional(dataSHA256),
    ]
  }
}

extension DocumentImageCheck: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "reason": .string(reason.rawValue), "status": .string(status.rawValue), "value": .rounded(value, 3),
      "unit": .string(unit), "limit": .rounded(limit, 3), "text": .string(text),
    ]
  }
}

extension DocumentPage: JSONConvertible {
  public var jsonValue: JSONValue {
    func points(_ points: [Point]) -> JSONValue {
      .array(points.map { .array([.rounded($0.x, 1), .rounded($0.y, 1)]) })
    }
    return [
      "input": ["sha256": .string(sha256), "width": .integer(width), "height": .integer(height)],
      "mrz": reading?.jsonValue ?? .null, "zoneCorners": points(zoneCorners), "corners": points(corners),
      "turn": .rounded(turn, 1), "checks": checks.jsonValue, "face": face?.jsonValue ?? .null,
      "portrait": portrait?.jsonValue ?? .null,
    ]
  }
}

extension DocumentPortrait: JSONConvertible {
  public var jsonValue: JSONValue { ["source": .string(source.rawValue), "sample": sample.jsonValue] }
}

extension DocumentReading: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "date": .string(date.description), "report": report.jsonValue,
      "mrz": zone?.jsonValue ?? .null, "pages": pages.jsonValue, "chip": chip?.jsonValue ?? .null,
      "licence": licence?.jsonValue ?? .null,
      "portrait": portrait?.jsonValue ?? .null, "portraitProblem": .optional(portraitProblem),
    ]
  }
}

extension DocumentDecision: JSONConvertible {
  /// As the comparison's, with result and reasons of this decision, and the document.
  public var jsonValue: JSONValue {
    guard case .object(var members) = comparison.jsonValue else { return .null }
    members["result"] = .string(result.rawValue)
    members["reasons"] = .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] })
    members["document"] = document.jsonValue
    return .object(members)
  }
}
