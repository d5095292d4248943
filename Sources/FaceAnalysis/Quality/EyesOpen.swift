/// ISO/IEC 29794-5, eyes open: the gap between the lids over the distance between the eye's corners, for the less open
/// eye. The standard divides by the distance from the eyes to the chin; ``EyeContour/openness`` does not change when
/// the chin is lowered.
enum EyesOpen: QualityMeasuring {
  static let measure = QualityMeasure.eyesOpen
  static let unit = "ratio"

  static func value(of face: QualityInput) -> Measured {
    guard let right = face.landmarks.rightEye, let left = face.landmarks.leftEye else { return .noMesh }
    return .value(min(right.openness, left.openness))
  }

  /// 50 halfway between a blink (0.02-0.05) and the least open of ordinary eyes (0.13, see ``QualityPolicy/selfie``).
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 0.09, width: 0.02) }
  static func advice(isLow: Bool) -> String { "Open both eyes and look into the camera." }
}
