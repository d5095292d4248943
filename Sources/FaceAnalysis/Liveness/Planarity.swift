/// Whether a face that turned moved as a flat picture does: by one homography. A head does not, since its parts lie at
/// different depths.
///
/// It says nothing of a replayed video of a head that turns, which moves as that head did.
public struct Planarity: Sendable, Hashable {
  /// Root mean square of what the best homography leaves of the 468 points, over the height of the face.
  ///
  /// Measured between a frontal and a turned view: 0.025-0.086 in six clips of turning heads (medians), at most 0.014 in
  /// flat photos of 22 people turned by up to 35 degrees, 0.045 at 55.
  public let residual: Double
  /// How far the nose's tip is from the middle of the eyes along their line, over their distance, compared to the first
  /// view: how far the face seems to be turned.
  public let turn: Double

  /// Nil without a mesh, or if the points do not determine a homography.
  package init?(from first: FaceLandmarks, to second: FaceLandmarks) {
    guard let a = first.mesh, let b = second.mesh, let map = Homography(from: a.points, to: b.points) else {
      return nil
    }
    let height = b.points[10].distance(to: b.points[152])
    let squares = zip(a.points, b.points).reduce(0) { sum, pair in
      let distance = map(pair.0).distance(to: pair.1)
      return sum + distance * distance
    }
    let residual = (squares / Double(a.points.count)).squareRoot() / height
    guard residual.isFinite else { return nil }
    self.residual = residual
    turn = abs(Self.noseOffset(second) - Self.noseOffset(first))
  }

  /// Along the line from the right eye to the left one, in units of their distance.
  private static func noseOffset(_ face: FaceLandmarks) -> Double {
    let (right, left) = (face.rightEyeCentre, face.leftEyeCentre)
    let nose = face.mesh?.points[1] ?? right
    let (dx, dy) = (left.x - right.x, left.y - right.y)
    let middle = Point(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
    return ((nose.x - middle.x) * dx + (nose.y - middle.y) * dy) / (dx * dx + dy * dy)
  }
}
