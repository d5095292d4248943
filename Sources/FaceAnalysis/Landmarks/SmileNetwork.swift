internal import Glibc

/// Tells a smile by what the mouth looks like, where landmarks only say where its corners are: closed lips hardly lift
/// them.
final class SmileNetwork {
  /// Pixels a side of the view.
  static let side = 40

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == Self.side * Self.side else {
      throw VerifyError(.modelMismatch, "the smile network's input has \(request.input.count) numbers")
    }
  }

  /// 0 = surely no smile, 1 = surely a smile; nil for a face without a mesh.
  func score(of face: LocatedFace) throws -> Double? {
    guard let view = Self.view(of: face) else { return nil }
    for (i, luma) in view.luma().enumerated() { request.input[i] = Float(luma) }
    try request.run()
    return Double(try request.output(0, count: 1)[0])
  }

  /// The mouth upright, as wide as the outer corners of the eyes are apart; training cuts its pictures with this function.
  /// Nil for a face without a mesh.
  ///
  /// - Parameters:
  ///   - side: pixels a side.
  ///   - margin: how much more is seen than the network sees, since training shifts and turns its pictures.
  static func view(of face: LocatedFace, side: Int = side, margin: Double = 1) -> PixelBuffer? {
    typealias Index = FaceMesh.Index
    guard let mesh = face.landmarksInPicture.mesh else { return nil }
    // In three dimensions: a turned head keeps it.
    let eyes = mesh.distance(Index.rightEyeOuter, Index.leftEyeOuter)
    let (right, left) = (mesh.points[Index.rightMouthCorner], mesh.points[Index.leftMouthCorner])
    let angle = atan2(left.y - right.y, left.x - right.x)
    // A little below the corners: an open mouth reaches down.
    let centre = Point(
      x: (right.x + left.x) / 2 - 0.1 * eyes * sin(angle), y: (right.y + left.y) / 2 + 0.1 * eyes * cos(angle))
    let map = AffineMap(square: centre, side: margin * eyes, angle: angle, pixels: side)
    return face.picture.crop(map: map.betweenPixels, width: side, height: side, mirrored: true)
  }

  /// The logarithm of the odds, in which steps of equal weight are equally long. At most 4 either way: what is sure need
  /// not become surer.
  static func logOdds(_ score: Double) -> Double { max(-4, min(4, log(score / (1 - score)))) }
}
