/// Whether a turned face moved like a flat picture: by one homography. A head does not, since its parts are at
/// different depths.
///
/// It does not detect the replayed video of a turning head, which moves as that head did.
public struct Planarity: Sendable, Hashable {
  /// The root mean square residual of the 468 points under the best homography, over the height of the face.
  ///
  /// Measured between a frontal and a turned view: 0.025-0.086 in six clips of turning heads (medians), at most 0.014
  /// in flat photos of 22 people turned by up to 35 degrees, 0.045 at 55.
  public let residual: Double
  /// The displacement of the nose tip from the midpoint of the eyes along their line, over their distance, relative to
  /// the first view: the apparent turn of the face.
  public let turn: Double

  /// Nil without a mesh, or if the points do not determine a homography.
  package init?(from first: FaceLandmarks, to second: FaceLandmarks) {
    guard let a = first.mesh, let b = second.mesh, let map = Homography(from: a.points, to: b.points) else {
      return nil
    }
    let height = b.height
    let squares = zip(a.points, b.points).reduce(0) { sum, pair in
      let distance = map(pair.0).distance(to: pair.1)
      return sum + distance * distance
    }
    let residual = (squares / Double(a.points.count)).squareRoot() / height
    guard residual.isFinite else { return nil }
    self.residual = residual
    turn = abs(Self.noseOffset(second) - Self.noseOffset(first))
  }

  /// Returns the nose tip's offset along the line from the right eye to the left one, in units of their distance.
  private static func noseOffset(_ face: FaceLandmarks) -> Double {
    let (right, left) = (face.rightEyeCentre, face.leftEyeCentre)
    let nose = face.mesh?.points[FaceMesh.Index.noseTip] ?? right
    let (dx, dy) = (left.x - right.x, left.y - right.y)
    let middle = left.middle(to: right)
    return ((nose.x - middle.x) * dx + (nose.y - middle.y) * dy) / (dx * dx + dy * dy)
  }
}

/// The residual of the homography to the view in which the face appears turned the most.
struct PlanaritySignal: FrameMeasuring {
  static let signal = LivenessSignal.planarity
  static let unit = "ratio"
  static let source = "photos of 22 people rotated by up to 55 degrees never reached the required rotation"
  let failure = "The face rotated like a flat picture."
  let minimum: Double? = 0.02

  /// The most frontal view so far.
  private var frontal: (face: FaceLandmarks, yaw: Double)?
  private var best: Planarity?

  /// Displacement of the nose relative to the eyes, in inter-eye distances: below it, the residuals of heads and
  /// pictures overlap (0.014-0.045 and 0.003-0.045).
  private static let minimumTurn = 0.25

  mutating func add(_ frame: LivenessFrame) {
    guard let face = frame.face?.landmarksInPicture, let motion = frame.motion, frame.isSampled else { return }
    guard let frontal, frontal.yaw <= abs(motion.pose.yaw) else {
      frontal = (face, abs(motion.pose.yaw))
      return
    }
    guard let found = Planarity(from: frontal.face, to: face), found.turn > best?.turn ?? Self.minimumTurn else {
      return
    }
    best = found
  }

  var measured: Measured {
    best.map { .value($0.residual) } ?? .unavailable("The head did not turn far enough for this check.")
  }
}

/// The map between two views of one plane, fitted to points by least squares.
struct Homography {
  /// Row-major; the last element is 1.
  private let h: [Double]

  /// Nil if the points do not determine one: fewer than four, or collinear.
  ///
  /// The direct linear transform in coordinates with mean 0 and mean distance √2 (Hartley, In Defense of the
  /// Eight-Point Algorithm, 1997), with the last element fixed at 1: it is 0 only for planes seen edge-on.
  init?(from source: [Point], to target: [Point]) {
    guard source.count == target.count, source.count >= 4, let a = Frame(source), let b = Frame(target) else {
      return nil
    }
    // Normal equations of 2n equations in 8 unknowns.
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 9), count: 8)
    for (p, q) in zip(source.map(a.inside), target.map(b.inside)) {
      for row in [
        [p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, q.x], [0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, q.y],
      ] {
        for i in 0..<8 { for j in 0..<9 { normal[i][j] += row[i] * row[j] } }
      }
    }
    guard let solution = Self.solve(normal) else { return nil }
    h = b.outside(solution + [1], a)
  }

  func callAsFunction(_ p: Point) -> Point {
    let w = h[6] * p.x + h[7] * p.y + h[8]
    return Point(x: (h[0] * p.x + h[1] * p.y + h[2]) / w, y: (h[3] * p.x + h[4] * p.y + h[5]) / w)
  }

  /// Gaussian elimination with row exchange; nil for a singular system.
  static func solve(_ system: [[Double]]) -> [Double]? {
    var rows = system
    let n = rows.count
    for column in 0..<n {
      guard let pivot = (column..<n).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-9
      else { return nil }
      rows.swapAt(column, pivot)
      for row in column + 1..<n {
        let factor = rows[row][column] / rows[column][column]
        for k in column...n { rows[row][k] -= factor * rows[column][k] }
      }
    }
    var solution = [Double](repeating: 0, count: n)
    for row in (0..<n).reversed() {
      let known = (row + 1..<n).reduce(0) { $0 + rows[row][$1] * solution[$1] }
      solution[row] = (rows[row][n] - known) / rows[row][row]
    }
    return solution
  }

  /// Coordinates with the points' centroid at 0 and their mean distance from it √2.
  private struct Frame {
    private let middle: Point
    private let scale: Double

    init?(_ points: [Point]) {
      let middle = points.centroid
      let distance = points.reduce(0) { $0 + $1.distance(to: middle) } / Double(points.count)
      guard distance > 0, distance.isFinite else { return nil }
      self.middle = middle
      scale = 2.0.squareRoot() / distance
    }

    func inside(_ p: Point) -> Point { Point(x: (p.x - middle.x) * scale, y: (p.y - middle.y) * scale) }

    /// Converts a map between normalised coordinates, from the source's frame to this one, to a map between pixels.
    func outside(_ h: [Double], _ source: Frame) -> [Double] {
      // In the source's pixels: H · S.
      var m = [Double](repeating: 0, count: 9)
      for row in 0..<3 {
        let (a, b, c) = (h[3 * row] * source.scale, h[3 * row + 1] * source.scale, h[3 * row + 2])
        (m[3 * row], m[3 * row + 1]) = (a, b)
        m[3 * row + 2] = c - a * source.middle.x - b * source.middle.y
      }
      // In the target's: T⁻¹ · (H · S).
      for column in 0..<3 {
        m[column] = m[column] / scale + middle.x * m[6 + column]
        m[3 + column] = m[3 + column] / scale + middle.y * m[6 + column]
      }
      return m
    }
  }
}
