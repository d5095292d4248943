/// The dlib set's landmarks: five points from an ensemble of regression trees.
final class FivePointEstimator: LandmarkEstimator {
  private let predictor: DlibPoints

  init(_ predictor: DlibPoints) { self.predictor = predictor }

  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks? {
    guard face.turn != 0 else { return FaceLandmarks(alignment: try predictor.points(in: picture, box: face.box)) }
    // The trees were trained on upright faces only: the face is rotated upright first.
    let side = 2 * max(face.box.width, face.box.height)
    let pixels = max(64, min(1024, Int(side)))
    let map = AffineMap(square: face.box.centre, side: side, angle: face.angle, pixels: pixels)
    let crop = picture.crop(map, width: pixels, height: pixels)
    let quarter = Double(pixels) / 4
    let points = try predictor.points(
      in: crop, box: Rectangle(x: quarter, y: quarter, width: 2 * quarter, height: 2 * quarter))
    return FaceLandmarks(alignment: points.map { map($0) })
  }

  /// Always nil: the trees need a detector's box.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks? { nil }
}
