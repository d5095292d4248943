import Glibc

/// Where a face is in the picture and how it is turned there, so that frames can be laid over each other as it sees them.
struct FacePlacement {
  let centre: Point
  /// Of the line through the eyes: radians, clockwise.
  let angle: Double
  /// Pixels from the forehead's upper end to the chin.
  let height: Double

  /// Nil unless the face has a mesh and is seen from the front, within 25 degrees: a turned head is not what a picture
  /// around it, or light on it, does.
  init?(_ frame: LivenessFrame) {
    guard let pose = frame.motion?.pose, abs(pose.yaw) < 25, abs(pose.pitch) < 25,
      let points = frame.face?.landmarksInPicture.mesh?.points
    else { return nil }
    let outline = [10, 152, 234, 454].map { points[$0] }
    centre = Point(x: outline.reduce(0) { $0 + $1.x } / 4, y: outline.reduce(0) { $0 + $1.y } / 4)
    angle = atan2(points[263].y - points[33].y, points[263].x - points[33].x)
    height = points[10].distance(to: points[152])
  }

  /// A square of `side` pixels in whose middle the face is, upright and `pixels` high.
  func map(side: Int, height pixels: Double) -> AffineMap {
    AffineMap(square: centre, side: Double(side) * height / pixels, angle: angle, pixels: side)
  }
}
