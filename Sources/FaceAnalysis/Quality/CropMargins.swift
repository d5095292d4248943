// ISO/IEC 29794-5, crop of the face image: the margins around the eyes. Directions are those of the picture with the
// face upright; margins of a rotated face are measured along its own axes.

/// The distance from the subject's right eye to the left edge, in inter-eye distances.
enum LeftwardCrop: QualityMeasuring {
  static let measure = QualityMeasure.leftwardCrop
  static let unit = "ratio"
  static func value(of face: QualityInput) -> Measured { .value(face.room.left / face.landmarks.interEyeDistance) }
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 0.9, width: 0.1) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Bring your face into the middle: it is cut off at the picture's left." : centreTheFace
  }
}

/// The distance from the subject's left eye to the right edge, in inter-eye distances.
enum RightwardCrop: QualityMeasuring {
  static let measure = QualityMeasure.rightwardCrop
  static let unit = "ratio"
  static func value(of face: QualityInput) -> Measured { .value(face.room.right / face.landmarks.interEyeDistance) }
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 0.9, width: 0.1) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Bring your face into the middle: it is cut off at the picture's right." : centreTheFace
  }
}

/// The distance from the midpoint between the eyes to the upper edge, in eye-to-chin distances.
enum MarginAbove: QualityMeasuring {
  static let measure = QualityMeasure.marginAbove
  static let unit = "ratio"
  static func value(of face: QualityInput) -> Measured {
    face.eyesToChin.map { .value(face.room.above / $0) } ?? .noMesh
  }
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 1.4, width: 0.1) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Leave more room above your head: it is cut off at the picture's top." : centreTheFace
  }
}

/// The distance from the midpoint between the eyes to the lower edge, in eye-to-chin distances: at 1 the picture ends
/// at the chin.
enum MarginBelow: QualityMeasuring {
  static let measure = QualityMeasure.marginBelow
  static let unit = "ratio"
  static func value(of face: QualityInput) -> Measured {
    face.eyesToChin.map { .value(face.room.below / $0) } ?? .noMesh
  }
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 1.8, width: 0.1) }
  static func advice(isLow: Bool) -> String {
    isLow ? "Leave more room below your chin: it is cut off at the picture's bottom." : centreTheFace
  }
}

private let centreTheFace = "Bring your face into the middle of the picture."
