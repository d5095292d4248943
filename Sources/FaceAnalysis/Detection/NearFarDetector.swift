/// The default set's detector: the near and the far network together, over the frame or over tiles of it.
final class NearFarDetector: FaceDetector {
  private let near: AnchorDetector
  private let far: AnchorDetector

  /// MediaPipe's own threshold (face_detection_short_range.pbtxt).
  let sureScore = 0.5
  /// Weaker candidates are kept: the mesh's presence score decides about them.
  private let threshold = 0.3

  init(near: CompiledModel, far: CompiledModel) throws {
    self.near = try AnchorDetector(near, range: .near)
    self.far = try AnchorDetector(far, range: .far)
  }

  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace] {
    try budget.check()
    let (width, height) = (Double(picture.width), Double(picture.height))
    let centre = Point(x: width / 2, y: height / 2)
    let frame = max(width, height)
    func both(_ side: Double, turn: Int) throws -> [DetectedFace] {
      try near.detections(in: picture, centre: centre, width: side, turn: turn, threshold: threshold)
        + far.detections(in: picture, centre: centre, width: side, turn: turn, threshold: threshold)
    }
    switch search {
    case .frame: return merged(try both(frame, turn: 0))
    case .margin: return merged(try both(1.6 * frame, turn: 0))
    case .turned(let degrees): return merged(try both(frame, turn: degrees))
    case .tiles(let side):
      var found: [DetectedFace] = []
      for middle in FaceSearch.middles(ofTiles: side, in: picture) {
        try budget.check()
        found += try far.detections(
          in: picture, centre: middle, width: Double(side), turn: 0, threshold: threshold)
      }
      return merged(found)
    }
  }
}
