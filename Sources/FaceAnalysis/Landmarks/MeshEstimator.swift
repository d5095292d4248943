internal import Glibc

/// The default set's landmarks: the 468-point mesh, then the contour of each eye.
final class MeshEstimator: LandmarkEstimator {
  private typealias Index = FaceMesh.Index

  private let mesh: InferenceRequest
  private let iris: InferenceRequest
  private static let meshSide = 192
  private static let irisSide = 64
  /// The network's own decision boundary.
  static let surePresence = 0.5
  /// Detection score times presence from which the mesh of the detector's box stands. A second one, around the first, does
  /// not separate people better: 20 instead of 21 false non-matches of 1,892 at a false-match rate of 1e-3, and 44 with
  /// either at 1e-4 (LFW, set `retail`, 2026-11).
  private static let sureConfidence = 0.85

  init(mesh: CompiledModel, iris: CompiledModel) throws {
    self.mesh = try InferenceRequest(mesh)
    self.iris = try InferenceRequest(iris)
    guard self.mesh.input.count == 3 * Self.meshSide * Self.meshSide,
      self.iris.input.count == 3 * Self.irisSide * Self.irisSide
    else { throw VerifyError(.modelMismatch, "the mesh or iris network has an unexpected input size") }
  }

  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks? {
    var mesh = try mesh(of: face.box, angle: face.angle, in: picture)
    guard mesh.presence >= Self.surePresence else { return nil }
    if face.score * mesh.presence < Self.sureConfidence { mesh = try self.mesh(around: mesh, in: picture) }
    return FaceLandmarks(alignment: alignment(mesh), mesh: mesh, pose: HeadPose(mesh: mesh))
  }

  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks? {
    guard let mesh = try last.mesh.map({ try mesh(around: $0, in: picture) }), mesh.presence >= Self.surePresence else {
      return nil
    }
    let landmarks = FaceLandmarks(alignment: alignment(mesh), mesh: mesh, pose: HeadPose(mesh: mesh))
    return try addingEyes(to: landmarks, in: picture)
  }

  func addingEyes(to landmarks: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks {
    guard let p = landmarks.mesh?.points else { return landmarks }
    var complete = landmarks
    complete.rightEye = try eye(
      outer: p[Index.rightEyeOuter], inner: p[Index.rightEyeInner], mirrored: false, in: picture)
    complete.leftEye = try eye(outer: p[Index.leftEyeOuter], inner: p[Index.leftEyeInner], mirrored: true, in: picture)
    return complete
  }

  private func alignment(_ mesh: FaceMesh) -> [Point] {
    [Index.leftEyeOuter, Index.leftEyeInner, Index.rightEyeOuter, Index.rightEyeInner, Index.noseBase].map {
      mesh.points[$0]
    }
  }

  /// Recomputes the mesh in a crop around a first mesh instead of a detector's box: as in a video, where the mesh of
  /// one frame defines the crop of the next, and as in most of the network's training.
  private func mesh(around first: FaceMesh, in picture: PixelBuffer) throws -> FaceMesh {
    let (right, left) = (first.points[Index.rightEyeOuter], first.points[Index.leftEyeOuter])
    let angle = atan2(left.y - right.y, left.x - right.x)
    // The bounds along axes parallel and perpendicular to the line between the eyes.
    let turned = AffineMap(scale: 1, angle: -angle, origin: Point(x: 0, y: 0))
    let points = first.points.map { turned($0) }
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    guard let x0 = xs.min(), let x1 = xs.max(), let y0 = ys.min(), let y1 = ys.max() else { return first }
    let back = AffineMap(scale: 1, angle: angle, origin: Point(x: 0, y: 0))
    let middle = back(Point(x: (x0 + x1) / 2, y: (y0 + y1) / 2))
    let box = Rectangle(x: middle.x - (x1 - x0) / 2, y: middle.y - (y1 - y0) / 2, width: x1 - x0, height: y1 - y0)
    return try mesh(of: box, angle: angle, in: picture)
  }

  private func mesh(of box: Rectangle, angle: Double, in picture: PixelBuffer) throws -> FaceMesh {
    let map = AffineMap(square: box.centre, side: 1.5 * max(box.width, box.height), angle: angle, pixels: Self.meshSide)
    let crop = picture.crop(map, width: Self.meshSide, height: Self.meshSide)
    crop.normalise(bias: 0, scale: 1 / 255, into: mesh.input)
    try mesh.run()
    let numbers = try mesh.output(0, count: 468 * 3)
    let logit = try mesh.output(1, count: 1)[0]
    return FaceMesh(
      points: (0..<468).map { map(Point(x: Double(numbers[3 * $0]), y: Double(numbers[3 * $0 + 1]))) },
      depths: (0..<468).map { Double(numbers[3 * $0 + 2]) * map.scale },
      presence: 1 / (1 + exp(-Double(logit))))
  }

  /// The iris network accepts only the subject's right eye: the left eye is mirrored.
  private func eye(outer: Point, inner: Point, mirrored: Bool, in picture: PixelBuffer) throws -> EyeContour {
    let (left, right) = mirrored ? (inner, outer) : (outer, inner)
    let map = AffineMap(
      square: outer.middle(to: inner), side: 2.3 * outer.distance(to: inner),
      angle: atan2(right.y - left.y, right.x - left.x),
      pixels: Self.irisSide, mirrored: mirrored)
    let crop = picture.crop(map, width: Self.irisSide, height: Self.irisSide)
    crop.normalise(bias: 0, scale: 1 / 255, into: iris.input)
    try iris.run()
    func points(_ numbers: UnsafeBufferPointer<Float>, _ count: Int) -> [Point] {
      (0..<count).map { map(Point(x: Double(numbers[3 * $0]), y: Double(numbers[3 * $0 + 1]))) }
    }
    return EyeContour(
      lids: points(try iris.output(0, count: 71 * 3), 16), iris: points(try iris.output(1, count: 5 * 3), 5))
  }
}
