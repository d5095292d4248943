extension CodeReading: JSONConvertible {
  /// Bytes in lower-case hexadecimal; `text`, `encoding`, `gs1`, `purpose` and `part` may be null.
  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue),
      "bytes": .string(hexadecimal(bytes)),
      "text": .optional(text),
      "encoding": .optional(encoding),
      "interpretations": .array(interpretations.map { .integer($0) }),
      "identifier": .string(identifier),
      "gs1": gs1?.jsonValue ?? .null,
      "purpose": .optional(purpose?.rawValue),
      "corners": corners.jsonValue,
      "isInverted": .bool(isInverted),
      "isMirrored": .bool(isMirrored),
      "part": part.map { ["index": .integer($0.index), "count": .integer($0.count)] } ?? .null,
    ]
  }
}

extension GS1Element: JSONConvertible {
  public var jsonValue: JSONValue { ["identifier": .string(identifier), "value": .string(value)] }
}

extension CodePlace: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "corners": corners.jsonValue, "isLinear": .bool(isLinear), "likeness": .rounded(likeness, 3),
      "contrast": .rounded(contrast, 1), "edge": .significant(edge, 3), "module": .significant(module, 3),
      "stretch": .significant(stretch, 3), "taper": .significant(taper, 3), "slant": .rounded(slant, 1),
      "glare": .rounded(glare, 4),
    ]
  }
}

extension CodeFrame: JSONConvertible {
  /// `fault` is null if a code was read.
  public var jsonValue: JSONValue {
    [
      "state": .string(state.rawValue), "readings": readings.jsonValue, "places": places.jsonValue,
      "fault": fault?.jsonValue ?? .null,
    ]
  }
}

extension CodeFault: JSONConvertible {
  public var jsonValue: JSONValue { ["code": .string(rawValue), "advice": .string(advice)] }
}

extension CodeReport: JSONConvertible {
  public var jsonValue: JSONValue {
    ["kind": .string(kind.rawValue), "state": .string(state.rawValue), "isFinal": .bool(isFinal)]
  }
}

extension CodeVerdict: JSONConvertible {
  public var jsonValue: JSONValue {
    ["status": .string(status.rawValue), "score": .significant(score, 4), "text": .string(text)]
  }
}

extension CodeScan: JSONConvertible {
  /// Without the specimen's pixels.
  public var jsonValue: JSONValue {
    [
      "report": report.jsonValue, "reading": reading?.jsonValue ?? .null, "fault": fault?.jsonValue ?? .null,
      "verdict": verdict?.jsonValue ?? .null,
      "specimen": specimen.map {
        [
          "side": .integer($0.side), "resolution": .significant($0.resolution, 3), "edge": .significant($0.edge, 3),
          "contrast": .rounded($0.contrast, 1),
        ]
      } ?? .null,
    ]
  }
}
