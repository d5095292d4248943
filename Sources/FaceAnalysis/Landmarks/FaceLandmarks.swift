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
    for i in indices { self[i] = self[i].scaled(by: factor) }
  }
}

/// The contour of one eye from the iris network.
public struct EyeContour: Sendable {
  /// The lower lid from one corner to the other (9 points), then the upper lid between the corners (7 points).
  public internal(set) var lids: [Point]
  /// The iris's centre and four points on its edge.
  public internal(set) var iris: [Point]
  /// The mean gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 in an open
  /// eye (medians of 13 video clips).
  public let openness: Double

  /// `lids` in any unit that is the same in both directions.
  package init(lids: [Point], iris: [Point]) {
    self.lids = lids
    self.iris = iris
    let gaps = (0..<7).map { lids[9 + $0].distance(to: lids[1 + $0]) }
    let width = lids[0].distance(to: lids[8])
    openness = width > 0 ? gaps.reduce(0, +) / 7 / width : 0
  }
}

/// Finds the landmarks of a detected face. Not thread-safe.
package protocol LandmarkEstimator: AnyObject {
  /// Returns the landmarks without the contours of the eyes; nil if the detection turns out not to be a face.
  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks?

  /// Returns the landmarks with the contours of the eyes, which only faces that are kept need.
  func addingEyes(to landmarks: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks

  /// Returns the same face in the next picture of a stream if it is near its last position; nil if it is not, or if the
  /// detector must find it again.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks?
}

extension LandmarkEstimator {
  package func addingEyes(to landmarks: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks { landmarks }
}

extension PixelBuffer {
  /// Returns an upright 35:45 portrait of a face. The inter-eye distance is a quarter of its width, as on a chip
  /// (ISO/IEC 19794-5:2005, 8.3), and the eyes are at 45 % of its height.
  ///
  /// - Parameter angle: The rotation of the face, radians, clockwise on the screen.
  package func portrait(of face: FaceLandmarks, angle: Double) -> PixelBuffer {
    let eyes = face.rightEyeCentre.middle(to: face.leftEyeCentre)
    let width = 4 * face.interEyeDistance
    let height = width * 45 / 35
    let corner = AffineMap(scale: 1, angle: angle, origin: eyes)(Point(x: -width / 2, y: -0.45 * height))
    return cutOut(
      corner: corner, angle: angle, scale: 1, width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded()))
    )
  }
}
