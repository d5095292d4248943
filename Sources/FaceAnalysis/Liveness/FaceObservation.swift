/// What one frame tells of a face that moves: the numbers that challenges are judged by.
public struct FaceObservation: Sendable, Hashable {
  /// Seconds on the stream's own clock.
  public var time: Double
  public var pose: HeadPose
  /// How far the subject's left and right eye are open: see ``EyeContour/openness``.
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
  /// How much the mouth looks like a smile: 0 to 1; nil without a network for it.
  public var smile: Double?

  public init(
    time: Double, pose: HeadPose, leftOpenness: Double, rightOpenness: Double, mouthOpening: Double, mouthWidth: Double,
    mouthLift: Double, size: Double, centre: Point, smile: Double? = nil
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
    self.smile = smile
  }

  /// Fails for a face without a mesh. All lengths are taken in three dimensions, so that a turned head keeps them.
  package init?(
    _ landmarks: FaceLandmarks, smile: Double? = nil, width: Int, height: Int, time: Double
  ) {
    guard let mesh = landmarks.mesh, let pose = landmarks.pose, let left = landmarks.leftEye,
      let right = landmarks.rightEye
    else { return nil }
    typealias Index = FaceMesh.Index
    let face = mesh.distance(Index.forehead, Index.chin)
    let eyes = mesh.distance(Index.rightEyeOuter, Index.leftEyeOuter)
    guard face > 0, eyes > 0 else { return nil }
    let up = (mesh.position(Index.forehead) - mesh.position(Index.chin)) / face
    let corners = mesh.position(Index.rightMouthCorner) + mesh.position(Index.leftMouthCorner)
    let lift = ((corners - mesh.position(Index.upperLip) - mesh.position(Index.lowerLip)) / 2 * up).sum()
    let middle = landmarks.alignment[4]
    self.init(
      time: time, pose: pose, leftOpenness: left.openness, rightOpenness: right.openness,
      mouthOpening: mesh.distance(Index.innerUpperLip, Index.innerLowerLip) / face,
      mouthWidth: mesh.distance(Index.rightMouthCorner, Index.leftMouthCorner) / eyes,
      mouthLift: lift / face, size: face / Double(height),
      centre: Point(x: middle.x / Double(width), y: middle.y / Double(height)), smile: smile)
  }
}

/// Takes out what jumps for one frame only, at the price of one frame of delay: each value is the median of three frames.
/// The lids are left as they are, since at ten frames a second a blink may be one frame long.
package struct MotionSmoothing {
  private var last: [FaceObservation] = []

  package init() {}

  /// The frame before this one, smoothed; nil for the first one, and after ``reset()``.
  package mutating func next(_ motion: FaceObservation) -> FaceObservation? {
    last.append(motion)
    guard last.count > 1 else { return nil }
    if last.count > 3 { last.removeFirst() }
    var middle = last[last.count - 2]
    guard last.count == 3 else { return middle }
    func median(_ value: (FaceObservation) -> Double) -> Double { last.map(value).median ?? 0 }
    middle.pose = HeadPose(yaw: median { $0.pose.yaw }, pitch: median { $0.pose.pitch }, roll: median { $0.pose.roll })
    middle.mouthOpening = median { $0.mouthOpening }
    middle.mouthWidth = median { $0.mouthWidth }
    middle.mouthLift = median { $0.mouthLift }
    middle.size = median { $0.size }
    middle.smile = last.compactMap(\.smile).median
    middle.centre = Point(x: median { $0.centre.x }, y: median { $0.centre.y })
    return middle
  }

  /// Forgets what was before: the face was lost.
  package mutating func reset() { last = [] }
}
