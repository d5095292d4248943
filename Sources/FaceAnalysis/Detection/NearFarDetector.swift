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

  func faces(in picture: PixelBuffer, search: FaceSearch) throws -> [DetectedFace] {
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
      // Tiles overlap by a quarter, three times the largest face that only this level finds.
      var found: [DetectedFace] = []
      for y in starts(picture.height, side) {
        for x in starts(picture.width, side) {
          let middle = Point(x: Double(x) + Double(side) / 2, y: Double(y) + Double(side) / 2)
          found += try far.detections(
            in: picture, centre: middle, width: Double(side), turn: 0, threshold: threshold)
        }
      }
      return merged(found)
    }
  }

  private func starts(_ length: Int, _ side: Int) -> [Int] {
    guard length > side else { return [(length - side) / 2] }
    let count = (length - side + side * 3 / 4 - 1) / (side * 3 / 4) + 1
    return (0..<count).map { $0 * (length - side) / (count - 1) }
  }
}
