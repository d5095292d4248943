/// ISO/IEC 29794-5, head size: the distance from the midpoint between the eyes to the chin, over the photo's height.
enum HeadSize: QualityMeasuring {
  static let measure = QualityMeasure.headSize
  static let unit = "ratio"
  /// The standard's ideal, that of a portrait in an identity document.
  private static let ideal = 0.45

  static func value(of face: QualityInput) -> Measured {
    guard let eyesToChin = face.eyesToChin else { return .noMesh }
    return .value(eyesToChin / (face.room.above + face.room.below))
  }

  static func score(of value: Double) -> Double { QualityScore.closeness(abs(value - Self.ideal), width: 0.05) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Come closer to the camera." : "Move away from the camera, so that your whole head is in the picture."
  }
}
