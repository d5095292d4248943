import FaceAnalysis
import Glibc
import Testing

@Suite("Planarity: flat picture or head")
struct PlanarityTests {
  /// A face of 468 points on half an ellipsoid with a nose, 200 pixels high; depth grows away from the camera.
  private static let face: [SIMD3<Double>] = {
    var points = (0..<468).map { i -> SIMD3<Double> in
      // A spiral samples the oval evenly.
      let radius = ((Double(i) + 0.5) / 468).squareRoot()
      let angle = Double(i) * 2.399963
      let (x, y) = (75 * radius * cos(angle), 100 * radius * sin(angle))
      return SIMD3(x, y, -80 * (1 - 0.9 * radius * radius).squareRoot())
    }
    points[10] = SIMD3(0, -100, -20)
    points[152] = SIMD3(0, 100, -20)
    points[1] = SIMD3(0, 20, -110)
    return points
  }()

  /// Seen from 800 pixels away after a rotation around the upright axis; `depth` 0 flattens the face.
  private func view(yaw degrees: Double, depth: Double) -> FaceLandmarks {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    func seen(_ p: SIMD3<Double>) -> (Point, Double) {
      let (x, z) = (p.x * c + p.z * depth * s, p.z * depth * c - p.x * s)
      let scale = 800 / (800 + z)
      return (Point(x: 300 + x * scale, y: 240 + p.y * scale), z)
    }
    let all = Self.face.map(seen)
    let eyes = [(45.0, -30.0), (20, -30), (-45, -30), (-20, -30), (0, 25)].map {
      seen(SIMD3($0.0, $0.1, -70)).0
    }
    return FaceLandmarks(
      alignment: eyes, mesh: FaceMesh(points: all.map(\.0), depths: all.map(\.1), presence: 1))
  }

  @Test("a flat face has no residual at any rotation", arguments: [5.0, 15, 25, 40, 55])
  func flat(yaw: Double) throws {
    let planarity = try #require(Planarity(from: view(yaw: 0, depth: 0), to: view(yaw: yaw, depth: 0)))
    #expect(planarity.residual < 1e-9)
  }

  @Test("a head's residual grows with its rotation in either direction")
  func head() throws {
    var last = 0.0
    for yaw in [5.0, 10, 15, 20, 25, 30] {
      let left = try #require(Planarity(from: view(yaw: 0, depth: 1), to: view(yaw: yaw, depth: 1)))
      let right = try #require(Planarity(from: view(yaw: 0, depth: 1), to: view(yaw: -yaw, depth: 1)))
      #expect(left.residual > last && abs(left.residual - right.residual) < 0.1 * left.residual)
      #expect(left.turn > 0.03 * yaw / 5)
      last = left.residual
    }
    #expect(last > 0.025)
  }

  @Test("the same view has neither rotation nor residual")
  func still() throws {
    let planarity = try #require(Planarity(from: view(yaw: 10, depth: 1), to: view(yaw: 10, depth: 1)))
    #expect(planarity.residual < 1e-9 && planarity.turn < 1e-9)
  }

  @Test("without a mesh, or with coincident points, the result is nil")
  func unknown() {
    let known = view(yaw: 0, depth: 1)
    let none = FaceLandmarks(alignment: known.alignment)
    #expect(Planarity(from: none, to: known) == nil && Planarity(from: known, to: none) == nil)
    let point = FaceLandmarks(
      alignment: known.alignment,
      mesh: FaceMesh(
        points: [Point](repeating: Point(x: 1, y: 1), count: 468), depths: [Double](repeating: 0, count: 468),
        presence: 1))
    #expect(Planarity(from: known, to: point) == nil && Planarity(from: point, to: known) == nil)
    var nonsense = known.mesh?.points ?? []
    nonsense[7] = Point(x: .nan, y: 0)
    let broken = FaceLandmarks(
      alignment: known.alignment,
      mesh: FaceMesh(points: nonsense, depths: [Double](repeating: 0, count: 468), presence: 1))
    #expect(Planarity(from: known, to: broken) == nil)
  }
}
