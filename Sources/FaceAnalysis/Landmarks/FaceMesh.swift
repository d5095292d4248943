/// 468 points over the whole face, in the numbering of MediaPipe's face mesh (arXiv 1907.06724).
public struct FaceMesh: Sendable {
  /// Positions in the picture.
  public internal(set) var points: [Point]
  /// Depth of each point in the same pixels, away from the camera, counted from the head's centre.
  public internal(set) var depths: [Double]
  /// 0 to 1: how sure the network is that it looks at a face.
  public let presence: Double

  package init(points: [Point], depths: [Double], presence: Double) {
    self.points = points
    self.depths = depths
    self.presence = presence
  }
}
