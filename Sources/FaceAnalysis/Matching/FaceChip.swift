/// The face, upright and of one size, as the embedding network was trained on it.
enum FaceChip {
  static let side = 150

  /// dlib's mean face in the unit square, in the order of ``FaceLandmarks/alignment``; the chip shows it with a margin
  /// of a quarter on each side (`shape_predictor` 5-point template, dlib 19.24).
  private static let template = [
    (0.8595674595992, 0.2134981538014), (0.6460604764104, 0.2289674387677), (0.1205750620789, 0.2137274526848),
    (0.3340850613712, 0.2290642403242), (0.4901123135679, 0.6277975316475),
  ].map { Point(x: ($0.0 + 0.25) / 1.5 * Double(side), y: ($0.1 + 0.25) / 1.5 * Double(side)) }

  /// Takes chip positions to picture positions.
  static func map(alignment: [Point]) -> AffineMap { AffineMap(from: template, to: alignment) }

  static func sample(_ map: AffineMap, from picture: PixelBuffer) -> PixelBuffer {
    picture.crop(map: map.betweenPixels, width: side, height: side)
  }
}
