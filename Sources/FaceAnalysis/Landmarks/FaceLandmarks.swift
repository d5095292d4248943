/// The landmarks of one face, in pixels of the picture; left and right are the subject's.
public struct FaceLandmarks: Sendable {
  /// Outer and inner corner of the left eye, outer and inner corner of the right eye, nose base: the alignment points
  /// of the face chip.
  public internal(set) var alignment: [Point]
  /// The 468-point mesh, or nil in the dlib set.
  public internal(set) var mesh: FaceMesh?
  /// Contour and openness of the subject's right eye, or nil in the dlib set.
  public internal(set) var rightEye: EyeContour?
  /// Contour and openness of the subject's left eye, or nil in the dlib set.
  public internal(set) var leftEye: EyeContour?
  /// The head pose, or nil in the dlib set.
  public internal(set) var pose: HeadPose?

  package init(
    alignment: [Point], mesh: FaceMesh? = nil, rightEye: EyeContour? = nil, leftEye: EyeContour? = nil,
    pose: HeadPose? = nil
  ) {
    (self.alignment, self.mesh, self.rightEye) = (alignment, mesh, rightEye)
    (self.leftEye, self.pose) = (leftEye, pose)
  }

  /// The midpoint between an eye's corners.
  public var rightEyeCentre: Point { alignment[2].middle(to: alignment[3]) }
  public var leftEyeCentre: Point { alignment[0].middle(to: alignment[1]) }

  /// The distance between the eyes' centres in pixels (ISO/IEC 29794-5, inter-eye distance).
  public var interEyeDistance: Double { rightEyeCentre.distance(to: leftEyeCentre) }

  /// The larger of the inter-eye distance and the distance from the eyes to the nose: unlike either, it hardly changes
  /// as the head turns.
  var extent: Double { max(interEyeDistance, rightEyeCentre.middle(to: leftEyeCentre).distance(to: alignment[4])) }
}

extension FaceLandmarks {
  func scaled(by factor: Double) -> FaceLandmarks {
    var scaled = self
    scaled.alignment.scale(by: factor)
    scaled.mesh?.points.scale(by: factor)
    scaled.mesh?.depths = mesh?.depths.map { $0 * factor } ?? []
    scaled.rightEye?.lids.scale(by: factor)
    scaled.rightEye?.iris.scale(by: factor)
    scaled.leftEye?.lids.scale(by: factor)
    scaled.leftEye?.iris.scale(by: factor)
    return scaled
  }
}

extension [Point] {
  fileprivate mutating func scale(by factor: Double) {
    for i in indices { self[i] = Point(x: self[i].x * factor, y: self[i].y * factor) }
  }
}
