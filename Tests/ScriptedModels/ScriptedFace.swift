package import FaceAnalysis
import Glibc

/// A face encoded in a scripted picture. Lengths on the face are in inter-eye distances.
package struct ScriptedFace: Sendable, Hashable {
  /// The person, 0 to 26.
  package var person = 0
  /// The midpoint of the eyes, in pixels.
  package var x = 160.0
  package var y = 130.0
  /// Pixels between the centres of the eyes, seen from the front.
  package var eyes = 60.0
  /// Degrees, as in ``HeadPose``.
  package var yaw = 0.0
  package var pitch = 0.0
  package var roll = 0.0
  package var leftOpenness = 0.25
  package var rightOpenness = 0.25
  /// As in ``FaceObservation``.
  package var mouthOpening = 0.01
  /// 0 is none; a smile at or above 0.6.
  package var smile = 0.0
  /// The score of the texture network: 0 attack to 1 bona fide.
  package var texture = 0.9
  /// The score of the detector.
  package var score = 0.95

  package init() {}

  /// A modification of the default face.
  package init(_ change: (inout Self) -> Void) { change(&self) }

  // ---- Encoding in the picture

  private static let scales = [1.0, 16, 16, 16, 100, 100, 100, 1e4, 1e4, 1e4, 1e3, 1e4, 1e4]
  static let byteCount = 2 * scales.count

  private var numbers: [Double] {
    get {
      [
        Double(person), x, y, eyes, yaw, pitch, roll, leftOpenness, rightOpenness, mouthOpening, smile, texture, score,
      ]
    }
    set {
      person = Int(newValue[0])
      (x, y, eyes) = (newValue[1], newValue[2], newValue[3])
      (yaw, pitch, roll) = (newValue[4], newValue[5], newValue[6])
      (leftOpenness, rightOpenness) = (newValue[7], newValue[8])
      (mouthOpening, smile, texture, score) = (newValue[9], newValue[10], newValue[11], newValue[12])
    }
  }

  var bytes: [UInt8] {
    zip(numbers, Self.scales).flatMap { number, scale in
      let word = UInt16(bitPattern: Int16(max(-32768, min(32767, (number * scale).rounded()))))
      return [UInt8(word >> 8), UInt8(word & 255)]
    }
  }

  init(bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    numbers = Self.scales.indices.map { i in
      Double(Int16(bitPattern: UInt16(bytes[2 * i]) << 8 | UInt16(bytes[2 * i + 1]))) / Self.scales[i]
    }
  }

  // ---- Its geometry

  /// The columns of the rotation, for a point at (u, v, w): right, down, away from the camera.
  private var turn: (u: SIMD3<Double>, v: SIMD3<Double>, w: SIMD3<Double>) {
    let (yaw, pitch, roll) = (yaw * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
    func turned(_ p: SIMD3<Double>) -> SIMD3<Double> {
      let q = SIMD3(p.x * cos(yaw) - p.z * sin(yaw), p.y, p.x * sin(yaw) + p.z * cos(yaw))
      let r = SIMD3(q.x, q.y * cos(pitch) - q.z * sin(pitch), q.y * sin(pitch) + q.z * cos(pitch))
      return SIMD3(r.x * cos(roll) + r.y * sin(roll), r.y * cos(roll) - r.x * sin(roll), r.z)
    }
    return (turned([1, 0, 0]), turned([0, 1, 0]), turned([0, 0, 1]))
  }

  /// Maps pixels relative to the midpoint of the eyes to (u, v) in the plane of the eyes.
  var planeMap: (a: Double, b: Double, c: Double, d: Double) {
    let (u, v, _) = turn
    let determinant = (u.x * v.y - u.y * v.x) * eyes
    return (v.y / determinant, -v.x / determinant, -u.y / determinant, u.x / determinant)
  }

  var box: Rectangle {
    let middle = points([SIMD3(0, 0.775, 0)])[0]
    return Rectangle(x: middle.x - eyes, y: middle.y - 1.075 * eyes, width: 2 * eyes, height: 2.15 * eyes)
  }

  /// In pixels, with the depth.
  private func points(_ places: [SIMD3<Double>]) -> [SIMD3<Double>] {
    let (u, v, w) = turn
    return places.map { place in
      let p = (u * place.x + v * place.y + w * place.z) * eyes
      return SIMD3(p.x + x, p.y + y, p.z)
    }
  }

  package var landmarks: FaceLandmarks {
    var places = Self.head
    let gap = mouthOpening * Self.height / 2
    for ((upper, lower), u) in zip([(82, 87), (13, 14), (312, 317)], [-0.15, 0, 0.15]) {
      places[upper] = SIMD3(u, 1.2 - gap, -0.2)
      places[lower] = SIMD3(u, 1.2 + gap, -0.2)
    }
    let (half, lift) = (0.385 * (1 + 0.2 * smile), (0.003 + 0.04 * smile) * Self.height)
    places[61] = SIMD3(-half, 1.2 - lift, -0.1)
    places[291] = SIMD3(half, 1.2 - lift, -0.1)
    let mesh = points(places)
    func flat(_ points: [SIMD3<Double>]) -> [Point] { points.map { Point(x: $0.x, y: $0.y) } }
    // From the outer corner to the inner one. The gaze stays on the camera: an eye's radius is 0.19 (12 of 63 mm).
    let gaze = -0.19 * sin(yaw * .pi / 180)
    func eye(at u: Double, _ openness: Double) -> EyeContour {
      let outer = u < 0 ? -0.2 : 0.2
      let lower = (0...8).map { SIMD3(u + outer * (1 - Double($0) / 4), 0, 0) }
      let upper = (1...7).map { SIMD3(u + outer * (1 - Double($0) / 4), -0.4 * openness, 0) }
      let iris = [SIMD2(0.0, 0), SIMD2(-0.08, 0), SIMD2(0, -0.08), SIMD2(0.08, 0), SIMD2(0, 0.08)]
        .map { SIMD3(u + gaze + $0.x, $0.y, 0) }
      return EyeContour(lids: flat(points(lower + upper)), iris: flat(points(iris)))
    }
    return FaceLandmarks(
      alignment: [263, 362, 33, 133, 2].map { Point(x: mesh[$0].x, y: mesh[$0].y) },
      mesh: FaceMesh(points: flat(mesh), depths: mesh.map(\.z), presence: 1),
      rightEye: eye(at: -0.5, rightOpenness), leftEye: eye(at: 0.5, leftOpenness),
      pose: HeadPose(yaw: yaw, pitch: pitch, roll: roll))
  }

  /// From the top of the forehead to the chin.
  private static let height = 2.75

  /// The 468 points of a face at rest, in the numbering of MediaPipe's face mesh: those that are used at their
  /// anatomical positions, the others spread over the face.
  private static let head: [SIMD3<Double>] = {
    var places = (0..<468).map { i -> SIMD3<Double> in
      // A sunflower spiral.
      let (radius, angle) = ((Double(i) / 468).squareRoot(), Double(i) * 2.399963)
      let (u, v) = (radius * cos(angle), 0.475 + 1.375 * radius * sin(angle))
      return SIMD3(u, v, 0.5 - 0.8 * (1 - radius * radius).squareRoot())
    }
    for (i, point) in [70, 63, 105, 66, 107, 336, 296, 334, 293, 300].enumerated() {
      places[point] = SIMD3(-0.8 + 1.6 * Double(i) / 9, -0.3, 0)
    }
    let jaw = [
      356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127,
    ]
    for (i, point) in jaw.enumerated() {
      let angle = Double.pi * Double(i) / Double(jaw.count - 1)
      places[point] = SIMD3(cos(angle), 1.85 * sin(angle), 0.5 * abs(cos(angle)))
    }
    for (point, u) in zip([263, 362, 33, 133], [0.7, 0.3, -0.7, -0.3]) { places[point] = SIMD3(u, 0, 0) }
    let middle: [(Int, Double, Double)] = [
      (10, -0.9, 0), (168, -0.05, -0.05), (6, 0.1, -0.15), (197, 0.2, -0.25), (195, 0.35, -0.35), (5, 0.45, -0.45),
      (4, 0.55, -0.55), (1, 0.6, -0.6), (2, 0.77, -0.35), (0, 1.1, -0.2), (17, 1.3, -0.2),
    ]
    for (point, v, w) in middle { places[point] = SIMD3(0, v, w) }
    return places
  }()
}
