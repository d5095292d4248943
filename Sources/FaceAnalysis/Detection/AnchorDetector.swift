internal import Glibc

/// One BlazeFace network (near or far): takes a square crop, returns scored boxes with six points.
final class AnchorDetector {
  private let request: InferenceRequest
  private let side: Int
  private let anchors: [Point]

  /// - Parameters:
  ///   - side: The side of the input in pixels.
  ///   - grids: The cells along each side of the grids of anchors, and the anchors of each cell (MediaPipe's
  ///     face_detection_*.pbtxt).
  init(_ model: CompiledModel, side: Int, grids: [(cells: Int, each: Int)]) throws {
    request = try InferenceRequest(model, of: "the detector", inputs: 3 * side * side)
    self.side = side
    anchors = grids.flatMap { cells, each in
      (0..<cells * cells).flatMap { cell in
        let centre = Point(
          x: (Double(cell % cells) + 0.5) / Double(cells), y: (Double(cell / cells) + 0.5) / Double(cells))
        return [Point](repeating: centre, count: each)
      }
    }
  }

  /// Returns all detections with a score of at least `threshold` in the square of side `width` around `centre`, with
  /// the picture turned clockwise by `turn` degrees; in pixels of the picture, before non-maximum suppression.
  func detections(
    in picture: PixelBuffer, centre: Point, width: Double, turn: Int, threshold: Double
  ) throws -> [DetectedFace] {
    let map = AffineMap(square: centre, side: width, angle: -Double(turn) * .pi / 180, pixels: side)
    let crop = picture.crop(map, width: side, height: side)
    crop.normalise(bias: -127.5, scale: 1 / 127.5, into: request.input)
    try request.run()
    let rows = try request.output(0, count: anchors.count * 16)
    let logits = try request.output(1, count: anchors.count)
    let smallest = Float(log(threshold / (1 - threshold)))
    var found: [DetectedFace] = []
    for (i, logit) in logits.enumerated() where logit >= smallest {
      let anchor = Point(x: anchors[i].x * Double(side), y: anchors[i].y * Double(side))
      func at(_ k: Int) -> Double { Double(rows[16 * i + k]) }
      func point(_ k: Int) -> Point { map(Point(x: anchor.x + at(k), y: anchor.y + at(k + 1))) }
      let middle = point(0)
      // A quarter turn swaps the box's sides.
      let (w, h) = turn % 180 == 0 ? (at(2), at(3)) : (at(3), at(2))
      // Smaller than a cell of the finest grid: seen in noise only.
      guard max(w, h) >= 4 else { continue }
      let size = (w * map.scale, h * map.scale)
      found.append(
        DetectedFace(
          box: Rectangle(x: middle.x - size.0 / 2, y: middle.y - size.1 / 2, width: size.0, height: size.1),
          score: 1 / (1 + exp(-Double(logit))),
          points: stride(from: 4, to: 16, by: 2).map(point),
          turn: turn))
    }
    return found
  }
}
