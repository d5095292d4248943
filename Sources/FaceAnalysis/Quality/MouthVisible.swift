/// ISO/IEC 29794-5, mouth occlusion prevention: the distance between the colour of mouth and chin and that of the nose,
/// in CIELAB (a* and b* only: beards and shadows are darker, masks differ in colour).
///
/// The standard uses the share of the mouth that a segmentation network labels as covered.
enum MouthVisible {
  /// Above this distance the mouth is covered (source: ``QualityPolicy/selfie``).
  static let largestDistance = 18.0
  /// Below this fraction of the nose's colour, skin cannot be distinguished from a black, grey or white cover.
  static let leastShare = 0.5
  /// A nose with less chroma than this indicates a greyscale picture.
  private static let leastChroma = 3.0

  @Sendable static func value(of face: QualityInput) -> Measured {
    guard let nose = face.noseBridge, let mouth = face.mouth else { return .noPixels }
    return value(nose: CIELAB.chroma(of: nose.colour), mouth: CIELAB.chroma(of: mouth.colour))
  }

  /// Returns the distance, or unavailable where it is not conclusive: a cover without colour is only as far from the
  /// nose as the nose is from grey, which is not far for pale skin and in pictures with little colour. So if the mouth
  /// has lost most of the nose's colour and the distance is small, the mouth may be covered or not.
  static func value(nose: (a: Double, b: Double), mouth: (a: Double, b: Double)) -> Measured {
    let (x, y) = (nose.a - mouth.a, nose.b - mouth.b)
    let distance = (x * x + y * y).squareRoot()
    let squared = nose.a * nose.a + nose.b * nose.b
    let share = (nose.a * mouth.a + nose.b * mouth.b) / max(squared, 1e-9)
    guard distance > largestDistance || squared >= leastChroma * leastChroma && share >= leastShare else {
      return .unavailable("The colours of mouth and nose do not show whether a mask covers the mouth.")
    }
    return .value(distance)
  }
}
