import Glibc

/// The movement of a face over frames of one size: translation, rotation in the image plane and scale.
struct FaceTrajectory {
  /// The first placement of the face.
  private(set) var origin: FacePlacement?
  private(set) var frames = 0
  private var size = SIMD2(0, 0)
  private var sum = SIMD4(0.0, 0, 0, 0)
  private var squares = SIMD4(0.0, 0, 0, 0)

  /// Returns the placement of the face in a sampled frame, and its first one; nil if the face is less than `height`
  /// pixels high or turned away, or the frame's size has changed.
  mutating func placements(in frame: LivenessFrame, height: Double) -> (now: FacePlacement, first: FacePlacement)? {
    guard frame.isSampled, let view = FacePlacement(frame), view.height >= height else { return nil }
    let size = SIMD2(frame.picture.width, frame.picture.height)
    guard origin == nil || self.size == size else { return nil }
    self.size = size
    let first = origin ?? view
    origin = first
    return (view, first)
  }

  /// Adds a placement returned by ``placements(in:height:)``.
  mutating func add(_ view: FacePlacement) {
    guard let origin else { return }
    let place = SIMD4(
      view.centre.x / origin.height, view.centre.y / origin.height, view.angle, log(view.height / origin.height))
    sum += place
    squares += place * place
    frames += 1
  }

  /// Returns why what moves with the face cannot be determined; nil if it can.
  ///
  /// - Parameter length: The minimum movement: root mean square, in heights of the face, at a point one height from its
  ///   middle.
  func shortcoming(length: Double) -> Measured? {
    guard frames >= 5 else { return .unavailable("Too few frames show the face from the front.") }
    let n = Double(frames)
    guard max(0, (squares / n - sum * sum / (n * n)).sum()).squareRoot() >= length else {
      return .unavailable("The face did not move enough for this check.")
    }
    return nil
  }
}

/// The position, rotation and scale of a face in a frame, to register frames to the face.
struct FacePlacement {
  let centre: Point
  /// The angle of the line through the eyes: radians, clockwise.
  let angle: Double
  /// Pixels from the top of the forehead to the chin.
  let height: Double

  /// Nil unless the face has a mesh and is frontal within 25 degrees: a turned head does not move like a picture around
  /// it, or light on it.
  init?(_ frame: LivenessFrame) {
    guard let pose = frame.motion?.pose, abs(pose.yaw) < 25, abs(pose.pitch) < 25,
      let mesh = frame.face?.landmarksInPicture.mesh
    else { return nil }
    typealias Index = FaceMesh.Index
    let points = mesh.points
    centre = [Index.forehead, Index.chin, Index.rightTemple, Index.leftTemple].map { points[$0] }.centroid
    let (right, left) = (points[Index.rightEyeOuter], points[Index.leftEyeOuter])
    angle = atan2(left.y - right.y, left.x - right.x)
    height = mesh.height
  }

  /// Returns the map of a square of `side` pixels with the face in its centre, upright and `pixels` high.
  func map(side: Int, height pixels: Double) -> AffineMap {
    AffineMap(square: centre, side: Double(side) * height / pixels, angle: angle, pixels: side)
  }
}
