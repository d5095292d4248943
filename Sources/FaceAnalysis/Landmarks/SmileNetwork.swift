internal import Glibc

/// Detects a smile from the appearance of the mouth. Landmarks alone give only the position of its corners, which a
/// closed-lip smile hardly lifts.
final class SmileNetwork {
  /// The side of the input in pixels.
  static let side = 40

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model, of: "the smile network", inputs: Self.side * Self.side)
  }

  /// Returns the score, 0 for no smile to 1 for a smile; nil for a face without a mesh.
  func score(of face: LocatedFace) throws -> Double? {
    guard let view = Self.view(of: face) else { return nil }
    for (i, luma) in view.luma().enumerated() { request.input[i] = Float(luma) }
    try request.run()
    return Double(try request.output(0, count: 1)[0])
  }

  /// Returns the upright crop of the mouth, as wide as the distance between the outer corners of the eyes; training
  /// uses this function for its crops. Nil for a face without a mesh.
  ///
  /// - Parameters:
  ///   - side: The side of the crop in pixels.
  ///   - margin: The crop's size relative to the network's input, since training shifts and rotates its crops.
  static func view(of face: LocatedFace, side: Int = side, margin: Double = 1) -> PixelBuffer? {
    typealias Index = FaceMesh.Index
    guard let mesh = face.landmarksInPicture.mesh else { return nil }
    // In three dimensions: invariant to head rotation.
    let eyes = mesh.distance(Index.rightEyeOuter, Index.leftEyeOuter)
    let (right, left) = (mesh.points[Index.rightMouthCorner], mesh.points[Index.leftMouthCorner])
    let angle = atan2(left.y - right.y, left.x - right.x)
    // Slightly below the corners, since an open mouth extends downwards.
    let centre = Point(
      x: (right.x + left.x) / 2 - 0.1 * eyes * sin(angle), y: (right.y + left.y) / 2 + 0.1 * eyes * cos(angle))
    let map = AffineMap(square: centre, side: margin * eyes, angle: angle, pixels: side)
    return face.picture.crop(map, width: side, height: side, mirrored: true)
  }

  /// Returns the log-odds, in which steps of equal evidence are equally long. Clamped to ±4: further certainty does not
  /// matter.
  static func logOdds(_ score: Double) -> Double { max(-4, min(4, log(score / (1 - score)))) }
}
