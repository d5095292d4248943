/// ISO/IEC 29794-5, single face present: the ratio of the next face to this one, 0 if there is none.
///
/// The standard compares areas. Here the ratio is of prominences (area inside the frame, less towards the edges), which
/// distinguishes a neighbour cut off by the edge or in the background from a second person in front of the camera.
enum SingleFacePresent: QualityMeasuring {
  static let measure = QualityMeasure.singleFacePresent
  static let unit = "ratio"

  static func value(of face: QualityInput) -> Measured { .value(face.nextFace) }
  static func score(of value: Double) -> Double { 100 * (1 - value) }
  static func advice(isLow: Bool) -> String { "Make sure that you are alone in the picture." }
}
