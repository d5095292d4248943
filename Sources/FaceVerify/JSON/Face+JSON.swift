extension Face: JSONConvertible {
  /// Positions in pixels of the upright photo. The mesh's points are left out.
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

  /// The opening is null in a set without a mesh.
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
