/// ISO/IEC 29794-5, mouth closed: the widest gap between the inner lips, over the distance from the eyes to the chin.
enum MouthClosed: QualityMeasuring {
  static let measure = QualityMeasure.mouthClosed
  static let unit = "ratio"

  static func value(of face: QualityInput) -> Measured {
    guard let mesh = face.landmarks.mesh, let eyesToChin = face.eyesToChin else { return .noMesh }
    let gap = FaceMesh.Index.innerLips.map { mesh.points[$0.0].distance(to: mesh.points[$0.1]) }.max() ?? 0
    return .value(gap / eyesToChin)
  }

  /// The standard's mapping: 50 at 0.2.
  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 0.2, width: -0.06) }
  static func advice(isLow: Bool) -> String { "Close your mouth and look neutral." }
}
