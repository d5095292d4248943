internal import Glibc

/// ISO/IEC 29794-5, inter-eye distance: the distance between the eyes' centres in pixels of the full photo, over the
/// cosine of the yaw, so that a turned head does not count as a small one. Without a mesh the yaw is assumed to be 0.
enum InterEyeDistance: QualityMeasuring {
  static let measure = QualityMeasure.interEyeDistance
  static let unit = "pixels"
  /// Beyond this angle the cosine would amplify the error of the yaw more than it corrects.
  private static let largestYaw = 60.0

  static func value(of face: QualityInput) -> Measured {
    let yaw = min(Self.largestYaw, abs(face.landmarks.pose?.yaw ?? 0))
    return .value(face.landmarks.interEyeDistance / cos(yaw * .pi / 180))
  }

  /// The standard's mapping: 50 at 70 pixels.
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 70, width: 20) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Come closer to the camera, or use a picture with more pixels." : "Move away from the camera a little."
  }
}
