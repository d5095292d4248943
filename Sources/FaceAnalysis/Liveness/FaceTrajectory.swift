import Glibc

/// How far a face was moved, turned in the picture's plane and brought nearer, over frames of one size.
struct FaceTrajectory {
  /// Where the face was first.
  private(set) var origin: FacePlacement?
  private(set) var frames = 0
  private var size = SIMD2(0, 0)
  private var sum = SIMD4(0.0, 0, 0, 0)
  private var squares = SIMD4(0.0, 0, 0, 0)

  /// Where the face is in a sampled frame, and where it was first; nil if it is less than `height` pixels high, turned
  /// away, or the frame's size is not the first one's.
  mutating func placements(in frame: LivenessFrame, height: Double) -> (now: FacePlacement, first: FacePlacement)? {
    guard frame.isSampled, let view = FacePlacement(frame), view.height >= height else { return nil }
    let size = SIMD2(frame.picture.width, frame.picture.height)
    guard origin == nil || self.size == size else { return nil }
    self.size = size
    let first = origin ?? view
    origin = first
    return (view, first)
  }

  /// Counts a placement that ``placements(in:height:)`` gave.
  mutating func add(_ view: FacePlacement) {
    guard let origin else { return }
    let place = SIMD4(
      view.centre.x / origin.height, view.centre.y / origin.height, view.angle, log(view.height / origin.height))
    sum += place
    squares += place * place
    frames += 1
  }

  /// Why nothing can be said of what moves with the face; nil if it can.
  ///
  /// - Parameter length: what the travel must be at least: root mean square, in heights of the face at a point one height
  ///   from its middle.
  func shortcoming(length: Double) -> Measured? {
    guard frames >= 5 else { return .unavailable("Too few frames show the face from the front.") }
    let n = Double(frames)
    guard max(0, (squares / n - sum * sum / (n * n)).sum()).squareRoot() >= length else {
      return .unavailable("The face did not move enough for this check.")
    }
    return nil
  }
}

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
      let mesh = frame.face?.landmarksInPicture.mesh
    else { return nil }
    typealias Index = FaceMesh.Index
    let points = mesh.points
    let outline = [Index.forehead, Index.chin, Index.rightTemple, Index.leftTemple].map { points[$0] }
    centre = Point(x: outline.reduce(0) { $0 + $1.x } / 4, y: outline.reduce(0) { $0 + $1.y } / 4)
    let (right, left) = (points[Index.rightEyeOuter], points[Index.leftEyeOuter])
    angle = atan2(left.y - right.y, left.x - right.x)
    height = mesh.height
  }

  /// A square of `side` pixels in whose middle the face is, upright and `pixels` high.
  func map(side: Int, height pixels: Double) -> AffineMap {
    AffineMap(square: centre, side: Double(side) * height / pixels, angle: angle, pixels: side)
  }
}
