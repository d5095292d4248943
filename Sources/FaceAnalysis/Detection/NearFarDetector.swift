/// The default set's detector: the near and the far network on the whole frame, the far network on tiles.
final class NearFarDetector: FaceDetector {
  /// `face_detection_short_range.tflite`: faces that fill a large part of the frame.
  private let near: AnchorDetector
  /// `face_detection_full_range_sparse.tflite`: faces down to a twelfth of the frame.
  private let far: AnchorDetector

  /// MediaPipe's own threshold (face_detection_short_range.pbtxt).
  let sureScore = 0.5
  /// Weaker candidates are kept: the mesh's presence score decides on them.
  private let threshold = 0.3

  init(near: CompiledModel, far: CompiledModel) throws {
    self.near = try AnchorDetector(near, side: 128, grids: [(16, 2), (8, 6)])
    self.far = try AnchorDetector(far, side: 192, grids: [(48, 1)])
  }

  /// Runs the far network on squares of two and three times the box's side. In 3,324 photos (LFW, portraits, press) the
  /// mesh's second crop doubts nine boxes: eight real faces, half hidden or in the background, score at least 0.35 in
  /// one of the squares, blurred windows 0.08 (2026-11).
  func confirms(_ box: Rectangle, turn: Int, in picture: PixelBuffer) throws -> Bool {
    try [2.0, 3].contains { sides in
      try far.detections(
        in: picture, centre: box.centre, width: sides * max(box.width, box.height), turn: turn, threshold: threshold
      ).contains { $0.box.overlap(with: box) > 0.3 }
    }
  }

  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace] {
    try budget.check()
    let (width, height) = (Double(picture.width), Double(picture.height))
    let centre = Point(x: width / 2, y: height / 2)
    let frame = max(width, height)
    func both(_ side: Double, turn: Int, around centre: Point = centre) throws -> [DetectedFace] {
      try near.detections(in: picture, centre: centre, width: side, turn: turn, threshold: threshold)
        + far.detections(in: picture, centre: centre, width: side, turn: turn, threshold: threshold)
    }
    switch search {
    case .frame: return merged(try both(frame, turn: 0))
    case .margin: return merged(try both(1.6 * frame, turn: 0))
    case .turned(let degrees): return merged(try both(frame, turn: degrees))
    case .square(let square): return merged(try both(square.side, turn: square.turn, around: square.centre))
    case .tiles(let side):
      var found: [DetectedFace] = []
      for middle in FaceSearch.middles(ofTiles: side, in: picture) {
        try budget.check()
        found += try far.detections(in: picture, centre: middle, width: Double(side), turn: 0, threshold: threshold)
      }
      return merged(found)
    }
  }
}
