/// 468 points over the whole face, numbered as in MediaPipe's face mesh (arXiv 1907.06724).
public struct FaceMesh: Sendable {
  /// Positions in the picture.
  public internal(set) var points: [Point]
  /// The depth of each point in the same pixels, increasing away from the camera, relative to the head's centre.
  public internal(set) var depths: [Double]
  /// The network's confidence that the crop shows a face, 0 to 1.
  public let presence: Double

  package init(points: [Point], depths: [Double], presence: Double) {
    (self.points, self.depths, self.presence) = (points, depths, presence)
  }
}

extension FaceMesh {
  /// Indices of points in MediaPipe's canonical face model (`canonical_face_model_uv_visualization.png` of its face
  /// mesh module, Apache-2.0); right and left are the subject's.
  enum Index {
    /// The top centre of the forehead, and the lowest point of the chin.
    static let forehead = 10
    static let chin = 152
    /// The sides of the face in front of the ears.
    static let rightTemple = 234
    static let leftTemple = 454
    static let rightEyeOuter = 33
    static let rightEyeInner = 133
    static let leftEyeOuter = 263
    static let leftEyeInner = 362
    static let noseTip = 1
    /// A little above the tip.
    static let noseTipFront = 4
    /// The junction of nose and upper lip.
    static let noseBase = 2
    /// From between the eyes to the tip.
    static let noseBridge = [168, 6, 197, 195, 5, 4, 1]
    static let rightMouthCorner = 61
    static let leftMouthCorner = 291
    /// The midpoints of the upper lip's upper edge and of the lower lip's lower edge.
    static let upperLip = 0
    static let lowerLip = 17
    /// The midpoints of the upper and lower edge of the gap between the lips.
    static let innerUpperLip = 13
    static let innerLowerLip = 14
    /// Upper and lower edge of the gap between the lips: in the middle, and a third of the way to each corner.
    static let innerLips = [(82, 87), (innerUpperLip, innerLowerLip), (312, 317)]
    /// Above the brows, then along the jaw; without the forehead, which hair may cover (as in ISO/IEC 29794-5's
    /// landmarked region).
    static let outlineBelowForehead = [70, 63, 105, 66, 107, 336, 296, 334, 293, 300] + jaw
    /// The whole face including the forehead, from its top towards the subject's left.
    static let outline = [forehead, 338, 297, 332, 284, 251, 389] + jaw + [162, 21, 54, 103, 67, 109]
    private static let jaw = [
      356, leftTemple, 323, 361, 288, 397, 365, 379, 378, 400, 377, chin, 148, 176, 149, 150, 136, 172, 58, 132, 93,
      rightTemple, 127,
    ]
  }

  /// Returns a point in three dimensions.
  func position(_ index: Int) -> SIMD3<Double> { SIMD3(points[index].x, points[index].y, depths[index]) }

  /// Returns the distance between two points in three dimensions.
  func distance(_ a: Int, _ b: Int) -> Double {
    let d = position(a) - position(b)
    return (d * d).sum().squareRoot()
  }

  /// The distance from the top of the forehead to the chin, in the picture.
  var height: Double { points[Index.forehead].distance(to: points[Index.chin]) }
}
