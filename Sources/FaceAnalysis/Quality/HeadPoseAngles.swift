internal import Glibc

// ISO/IEC 29794-5, head pose: three angles in degrees, with the signs of ``HeadPose``. The standard's score is the
// squared cosine.

enum HeadPoseYaw: QualityMeasuring {
  static let measure = QualityMeasure.headPoseYaw
  static let unit = "degrees"
  static func value(of face: QualityInput) -> Measured { face.landmarks.pose.map { .value($0.yaw) } ?? .noMesh }
  static func score(of value: Double) -> Double { squaredCosine(value) }
  static func advice(isLow: Bool) -> String {
    "Turn your head to your \(isLow ? "left" : "right") until you face the camera."
  }
}

enum HeadPosePitch: QualityMeasuring {
  static let measure = QualityMeasure.headPosePitch
  static let unit = "degrees"
  static func value(of face: QualityInput) -> Measured { face.landmarks.pose.map { .value($0.pitch) } ?? .noMesh }
  static func score(of value: Double) -> Double { squaredCosine(value) }
  static func advice(isLow: Bool) -> String {
    isLow
      ? "Lower your chin, or raise the camera to the height of your eyes."
      : "Raise your chin, or lower the camera to the height of your eyes."
  }
}

enum HeadPoseRoll: QualityMeasuring {
  static let measure = QualityMeasure.headPoseRoll
  static let unit = "degrees"
  static func value(of face: QualityInput) -> Measured { face.landmarks.pose.map { .value($0.roll) } ?? .noMesh }
  static func score(of value: Double) -> Double { squaredCosine(value) }
  static func advice(isLow: Bool) -> String {
    "Tilt your head towards your \(isLow ? "right" : "left") shoulder, until it is upright; "
      + "rotate the picture if it is sideways."
  }
}

/// 0 at or beyond 90 degrees.
private func squaredCosine(_ degrees: Double) -> Double {
  let c = cos(min(90, abs(degrees)) * .pi / 180)
  return 100 * c * c
}
