/// ISO/IEC 29794-5, mouth occlusion prevention: how far the colour of mouth and chin is from that of the nose, in CIELAB
/// (a* and b* only: beards and shadows are darker, masks are of another colour).
///
/// The standard takes the share of the mouth that a segmentation network calls covered.
enum MouthVisible: QualityMeasuring {
  static let measure = QualityMeasure.mouthVisible
  static let unit = "CIELAB units"

  /// Beyond this distance something covers the mouth (``QualityPolicy/selfie`` says what it rests on).
  static let largestDistance = 18.0
  /// Share of the nose's colour below which skin is not told from a cover that is black, grey or white.
  static let leastShare = 0.5
  /// A nose with less colour than this is in a grey picture.
  private static let leastChroma = 3.0

  static func value(of face: QualityInput) -> Measured {
    guard let nose = face.noseBridge, let mouth = face.mouth else { return .noPixels }
    return value(nose: CIELAB.chroma(of: nose.colour), mouth: CIELAB.chroma(of: mouth.colour))
  }

  /// A cover without colour is only as far from the nose as the nose is from grey, and so near to pale skin and in pictures of little
  /// colour. Where the mouth has lost most of the nose's colour, and is not far from it, a distance cannot tell.
  static func value(nose: (a: Double, b: Double), mouth: (a: Double, b: Double)) -> Measured {
    let (x, y) = (nose.a - mouth.a, nose.b - mouth.b)
    let distance = (x * x + y * y).squareRoot()
    let squared = nose.a * nose.a + nose.b * nose.b
    let share = (nose.a * mouth.a + nose.b * mouth.b) / max(squared, 1e-9)
    guard distance > largestDistance || squared >= leastChroma * leastChroma && share >= leastShare else {
      return .unavailable("The colour of mouth and nose does not tell whether a mask covers the mouth.")
    }
    return .value(distance)
  }

  static func score(of value: Double) -> Double { QualityScore.closeness(value, width: 10) }
  static func advice(isLow: Bool) -> String { "Uncover your mouth and chin." }
}
