/// What one frame tells of a face that moves: the numbers that challenges are judged by.
public struct FaceObservation: Sendable, Hashable {
  /// Seconds on the stream's own clock.
  public var time: Double
  public var pose: HeadPose
  /// Of the subject's left and right eye: see ``EyeContour/openness``.
  public var leftOpenness: Double
  public var rightOpenness: Double
  /// The gap between the inner lips, over the height of the face from forehead to chin.
  public var mouthOpening: Double
  /// The distance between the corners of the mouth, over that between the outer corners of the eyes.
  public var mouthWidth: Double
  /// How far the corners of the mouth are above the middle of the lips, over the height of the face.
  public var mouthLift: Double
  /// The height of the face from forehead to chin, as a share of the frame's height.
  public var size: Double
  /// The middle of the face, as shares of the frame's width and height.
  public var centre: Point

  public init(
    time: Double, pose: HeadPose, leftOpenness: Double, rightOpenness: Double, mouthOpening: Double, mouthWidth: Double,
    mouthLift: Double, size: Double, centre: Point
  ) {
    self.time = time
    self.pose = pose
    self.leftOpenness = leftOpenness
    self.rightOpenness = rightOpenness
    self.mouthOpening = mouthOpening
    self.mouthWidth = mouthWidth
    self.mouthLift = mouthLift
    self.size = size
    self.centre = centre
  }

  /// Nil for a face without a mesh. All lengths are taken in three dimensions, so that a turned head keeps them.
  package init?(_ landmarks: FaceLandmarks, width: Int, height: Int, time: Double) {
    guard let mesh = landmarks.mesh, let pose = landmarks.pose, let left = landmarks.leftEye,
      let right = landmarks.rightEye
    else { return nil }
    func at(_ i: Int) -> SIMD3<Double> { SIMD3(mesh.points[i].x, mesh.points[i].y, mesh.depths[i]) }
    func length(_ a: Int, _ b: Int) -> Double {
      let d = at(a) - at(b)
      return (d * d).sum().squareRoot()
    }
    let (face, eyes) = (length(10, 152), length(33, 263))
    guard face > 0, eyes > 0 else { return nil }
    let up = (at(10) - at(152)) / face
    let lift = ((at(61) + at(291) - at(0) - at(17)) / 2 * up).sum()
    let middle = landmarks.alignment[4]
    self.init(
      time: time, pose: pose, leftOpenness: left.openness, rightOpenness: right.openness,
      mouthOpening: length(13, 14) / face, mouthWidth: length(61, 291) / eyes,
      mouthLift: lift / face, size: face / Double(height),
      centre: Point(x: middle.x / Double(width), y: middle.y / Double(height)))
  }
}
