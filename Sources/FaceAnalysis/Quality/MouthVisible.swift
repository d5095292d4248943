/// ISO/IEC 29794-5, mouth occlusion prevention: how far the colour of mouth and chin is from that of the nose, in CIELAB
/// (a* and b* only: beards and shadows are darker, masks are of another colour).
///
/// The standard takes the share of the mouth that a segmentation network calls covered.
enum MouthVisible: QualityMeasuring {
  static let measure = QualityMeasure.mouthVisible
  static let unit = "CIELAB units"

  static func value(of face: QualityInput) -> Measured {
    guard let nose = face.noseBridge, let mouth = face.mouth else { return .noPixels }
    let (a, b) = CIELAB.chroma(of: nose.colour)
    let (c, d) = CIELAB.chroma(of: mouth.colour)
    return .value(((a - c) * (a - c) + (b - d) * (b - d)).squareRoot())
  }

  static func score(of value: Double) -> Double { QualityScore.closeness(value, width: 10) }
  static func advice(isLow: Bool) -> String { "Uncover your mouth and chin." }
}
