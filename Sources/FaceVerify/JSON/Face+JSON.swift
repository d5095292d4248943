extension Face: JSONConvertible {
  /// Positions in pixels of the upright photo; without the mesh.
  public var jsonValue: JSONValue {
    let points = landmarks.alignment
    return [
      "box": box.jsonValue,
      "score": .rounded(score, 4),
      "turn": .integer(turn),
      "points": [
        "leftEyeOuter": points[0].jsonValue, "leftEyeInner": points[1].jsonValue,
        "rightEyeOuter": points[2].jsonValue, "rightEyeInner": points[3].jsonValue,
        "noseBase": points[4].jsonValue,
      ],
      "eyes": [
        "left": eye(landmarks.leftEye, centre: landmarks.leftEyeCentre),
        "right": eye(landmarks.rightEye, centre: landmarks.rightEyeCentre),
        "distance": .rounded(landmarks.interEyeDistance, 2),
      ],
      "pose": landmarks.pose?.jsonValue ?? .null,
    ]
  }

  /// `openness` is null for model sets without a mesh.
  private func eye(_ contour: EyeContour?, centre: Point) -> JSONValue {
    ["centre": centre.jsonValue, "openness": .rounded(contour?.openness, 4)]
  }
}

extension Point: JSONConvertible {
  public var jsonValue: JSONValue { ["x": .rounded(x, 2), "y": .rounded(y, 2)] }
}

extension Rectangle: JSONConvertible {
  public var jsonValue: JSONValue {
    ["x": .rounded(x, 2), "y": .rounded(y, 2), "width": .rounded(width, 2), "height": .rounded(height, 2)]
  }
}

extension HeadPose: JSONConvertible {
  public var jsonValue: JSONValue {
    ["yaw": .rounded(yaw, 2), "pitch": .rounded(pitch, 2), "roll": .rounded(roll, 2)]
  }
}

extension FaceSample: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "input": Photo.json(sha256: sha256, format: format, width: width, height: height, warnings: warnings),
      "faces": faces.jsonValue, "choice": .optional(choice), "quality": quality.jsonValue,
    ]
  }
}

extension Photo: JSONConvertible {
  public var jsonValue: JSONValue {
    Self.json(sha256: sha256, format: format, width: width, height: height, warnings: warnings)
  }

  fileprivate static func json(
    sha256: String, format: String, width: Int, height: Int, warnings: [PhotoWarning]
  ) -> JSONValue {
    [
      "kind": "photo", "sha256": .string(sha256), "format": .string(format), "width": .integer(width),
      "height": .integer(height), "warnings": .array(warnings.map { .string($0.rawValue) }),
    ]
  }
}

extension FaceDecision.Side: JSONConvertible {
  /// For a template, only hash and quality are known; `faces` is null.
  public var jsonValue: JSONValue {
    switch self {
    case .sample(let sample): sample.jsonValue
    case .template(let template):
      [
        "input": ["kind": "template", "sha256": .string(template.sha256)], "faces": .null, "choice": .null,
        "quality": ["score": .optional(template.quality)],
      ]
    }
  }
}

extension FaceTemplate: JSONConvertible {
  /// Metadata of the template, without its biometric data.
  public var jsonValue: JSONValue {
    [
      "kind": "template", "sha256": .string(sha256), "size": .integer(serialised().count),
      "quality": .optional(quality),
      "modelIdentifier": .string(modelIdentifier),
    ]
  }
}

extension QualityReport: JSONConvertible {
  public var jsonValue: JSONValue {
    ["policy": .string(policy), "accepted": .bool(isAccepted), "score": .optional(score), "checks": checks.jsonValue]
  }
}

extension QualityCheck: JSONConvertible {
  /// `status` is "passed", "failed", or "not-checked"; if not checked, `value` may be null.
  public var jsonValue: JSONValue {
    [
      "measure": .string(measure.rawValue),
      "status": .string(status.rawValue),
      "consequence": .optional(consequence?.rawValue),
      "value": .significant(value, 4),
      "unit": .string(unit),
      "score": .optional(score),
      "minimum": .significant(minimum, 4),
      "maximum": .significant(maximum, 4),
      "advice": .string(advice),
    ]
  }
}
