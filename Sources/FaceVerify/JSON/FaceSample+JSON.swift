extension FaceSample: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "input": FaceEvidence(self).jsonInput,
      "faces": faces.jsonValue,
      "choice": .optional(choice),
      "quality": quality.jsonValue,
    ]
  }
}

extension Photo: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "kind": "photo", "sha256": .string(sha256), "format": .string(format), "width": .integer(width),
      "height": .integer(height), "warnings": warnings.jsonValue,
    ]
  }
}

extension PhotoWarning: JSONConvertible {
  public var jsonValue: JSONValue { .string(rawValue) }
}

extension FaceEvidence: JSONConvertible {
  /// Of a template nothing is known but its hash and quality: then faces are null.
  public var jsonValue: JSONValue {
    guard let sample else {
      return ["input": jsonInput, "faces": .null, "choice": .null, "quality": ["score": .optional(quality)]]
    }
    return sample.jsonValue
  }

  var jsonInput: JSONValue {
    var input: [String: JSONValue] = ["kind": .string(kind.rawValue), "sha256": .string(sha256)]
    if let sample {
      input["format"] = .string(sample.format)
      input["width"] = .integer(sample.width)
      input["height"] = .integer(sample.height)
      input["warnings"] = sample.warnings.jsonValue
    }
    return .object(input)
  }
}
