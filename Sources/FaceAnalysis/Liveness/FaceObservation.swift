/// The measurements of a face in one frame by which challenges are judged.
public struct FaceObservation: Sendable, Hashable {
  /// Seconds on the stream's clock.
  public var time: Double
  public var pose: HeadPose
  /// The openness of the subject's left and right eye: see ``EyeContour/openness``.
  public var leftOpenness: Double
  public var rightOpenness: Double
  /// The gap between the inner lips, over the height of the face from forehead to chin.
  public var mouthOpening: Double
  /// The distance between the corners of the mouth, over that between the outer corners of the eyes.
  public var mouthWidth: Double
  /// The height of the mouth's corners above the midpoint of the lips, over the height of the face.
  public var mouthLift: Double
  /// The height of the face from forehead to chin, over the frame's height.
  public var size: Double
  /// The middle of the face as fractions of the frame's width and height.
  public var centre: Point
  /// How much the mouth looks like a smile: 0 to 1; nil without a network for it.
  public var smile: Double?

  public init(
    time: Double, pose: HeadPose, leftOpenness: Double, rightOpenness: Double, mouthOpening: Double, mouthWidth: Double,
    mouthLift: Double, size: Double, centre: Point, smile: Double? = nil
  ) {
    (self.time, self.pose, self.leftOpenness) = (time, pose, leftOpenness)
    (self.rightOpenness, self.mouthOpening, self.mouthWidth) = (rightOpenness, mouthOpening, mouthWidth)
    (self.mouthLift, self.size, self.centre) = (mouthLift, size, centre)
    self.smile = smile
  }

  /// Nil for a face without a mesh. Lengths within the face are measured in three dimensions, so that they are
  /// invariant to head rotation.
  package init?(_ landmarks: FaceLandmarks, smile: Double? = nil, width: Int, height: Int, time: Double) {
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

extension [FaceObservation] {
  /// Returns the medians of all measurements.
  func median(at time: Double) -> FaceObservation {
    func median(_ value: (FaceObservation) -> Double) -> Double { map(value).median ?? 0 }
    return FaceObservation(
      time: time,
      pose: HeadPose(yaw: median { $0.pose.yaw }, pitch: median { $0.pose.pitch }, roll: median { $0.pose.roll }),
      leftOpenness: median { $0.leftOpenness }, rightOpenness: median { $0.rightOpenness },
      mouthOpening: median { $0.mouthOpening }, mouthWidth: median { $0.mouthWidth },
      mouthLift: median { $0.mouthLift }, size: median { $0.size },
      centre: Point(x: median { $0.centre.x }, y: median { $0.centre.y }), smile: compactMap(\.smile).median)
  }
}

/// Removes outliers of a single frame at the cost of one frame of delay: each value is the median of three frames. The
/// lids are not filtered, since at ten frames per second a blink may last one frame.
package struct MotionSmoothing {
  private var last: [FaceObservation] = []

  package init() {}

  /// Returns the previous frame, smoothed; nil for the first frame, and after ``reset()``.
  package mutating func next(_ motion: FaceObservation) -> FaceObservation? {
    last.append(motion)
    guard last.count > 1 else { return nil }
    if last.count > 3 { last.removeFirst() }
    let middle = last[last.count - 2]
    guard last.count == 3 else { return middle }
    var smoothed = last.median(at: middle.time)
    (smoothed.leftOpenness, smoothed.rightOpenness) = (middle.leftOpenness, middle.rightOpenness)
    return smoothed
  }

  /// Discards the history: the face was lost.
  package mutating func reset() { last = [] }
}
