import FaceAnalysis
import Glibc

/// A synthetic face: an ellipse of skin with detail at all scales, and landmarks at a face's positions.
struct SyntheticFace {
  var width = 480
  var height = 600
  /// Midpoint of the eyes.
  var eyes = Point(x: 240, y: 250)
  var interEyeDistance = 90.0
  /// 255 is white.
  var skin = SIMD3(190.0, 145, 120)
  /// Contrast of the detail.
  var contrast = 1.0
  var pose: HeadPose? = HeadPose(yaw: 0, pitch: 0, roll: 0)
  var openness = 0.22
  /// Of the irises, from the middle of the eyes to the subject's left, in widths of the eyes.
  var gaze = 0.0
  /// Gap between the lips relative to the distance from the eyes to the chin.
  var mouthGap = 0.02
  var hasMesh = true
  var pictureScale = 1

  var eyesToChin: Double { 1.85 * interEyeDistance }

  /// A position in inter-eye distances from the midpoint of the eyes.
  func at(_ x: Double, _ y: Double) -> Point {
    Point(x: eyes.x + x * interEyeDistance, y: eyes.y + y * interEyeDistance)
  }

  func picture() throws -> PixelBuffer {
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let u = (Double(x) - eyes.x) / interEyeDistance
        let v = (Double(y) - eyes.y) / interEyeDistance
        let isFace = u * u / 1.1 + (v - 0.65) * (v - 0.65) / 1.6 < 1
        let colour = isFace ? skin * (1 + 0.25 * contrast * detail(u, v)) : SIMD3(120, 140, 160)
        let i = 3 * (y * width + x)
        for channel in 0..<3 { rgb[i + channel] = UInt8(max(0, min(255, colour[channel].rounded()))) }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  /// -1 to 1: waves from an eighth of the inter-eye distance down to a twentieth, fainter at smaller scales, as in
  /// photos.
  private func detail(_ u: Double, _ v: Double) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for (i, period) in [0.5, 0.35, 0.25, 0.18, 0.12, 0.09, 0.06, 0.05].enumerated() {
      let angle = 0.4 + 1.1 * Double(i)
      sum += period * sin(2 * .pi * (u * cos(angle) + v * sin(angle)) / period + Double(i))
      weight += period
    }
    return sum / weight
  }

  /// In pixels of the picture.
  var landmarks: FaceLandmarks {
    let alignment = [at(0.7, 0), at(0.3, 0), at(-0.7, 0), at(-0.3, 0), at(0, 0.77)]
    guard hasMesh else { return FaceLandmarks(alignment: alignment) }
    var points = [Point](repeating: at(0, 0.5), count: 468)
    for (i, name) in Self.brows.enumerated() { points[name] = at(-0.8 + 1.6 * Double(i) / 9, -0.3) }
    for (i, name) in Self.jaw.enumerated() {
      let angle = Double.pi * Double(i) / Double(Self.jaw.count - 1)
      points[name] = at(cos(angle), 1.85 * sin(angle))
    }
    for (i, p) in zip([263, 362, 33, 133], alignment) { points[i] = p }
    points[10] = at(0, -0.9)
    for ((upper, lower), x) in zip([(82, 87), (13, 14), (312, 317)], [-0.15, 0, 0.15]) {
      points[upper] = at(x, 1.2)
      points[lower] = at(x, 1.2 + 1.85 * mouthGap)
    }
    return FaceLandmarks(
      alignment: alignment, mesh: FaceMesh(points: points, depths: [Double](repeating: 0, count: 468), presence: 1),
      rightEye: eye { $0 }, leftEye: eye { 1 - $0 }, pose: pose)
  }

  /// From the outer corner to the inner one.
  private func eye(_ x: (Double) -> Double) -> EyeContour {
    let lower = (0...8).map { Point(x: x(Double($0) / 8), y: 0) }
    let upper = (1...7).map { Point(x: x(Double($0) / 8), y: -openness) }
    return EyeContour(lids: lower + upper, iris: [Point(x: 0.5 + gaze, y: -openness / 2)])
  }

  var box: Rectangle {
    let corner = at(-1, -0.3)
    return Rectangle(x: corner.x, y: corner.y, width: 2 * interEyeDistance, height: 2.15 * interEyeDistance)
  }

  func located(in picture: PixelBuffer) -> LocatedFace {
    LocatedFace(picture: picture, pictureScale: pictureScale, box: box, landmarks: landmarks)
  }

  /// The report after `edit` modified the picture.
  func report(
    _ policy: QualityPolicy = .selfie, among others: [LocatedFace] = [],
    edit: (PixelBuffer) throws -> PixelBuffer = { $0 }
  ) throws -> QualityReport {
    let picture = try edit(picture())
    let face = located(in: picture)
    let photo = try picture.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
    }
    return QualityReport(of: face, among: [face] + others, photo: photo, policy: policy)
  }

  private static let brows = [70, 63, 105, 66, 107, 336, 296, 334, 293, 300]
  private static let jaw = [
    356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127,
  ]
}

extension PixelBuffer {
  /// Applies `change` to every pixel; x and y are 0 to 1.
  func changed(_ change: (SIMD3<Double>, Double, Double) -> SIMD3<Double>) throws -> PixelBuffer {
    var out = rgb
    for y in 0..<height {
      for x in 0..<width {
        let i = 3 * (y * width + x)
        let colour = change(
          SIMD3(Double(rgb[i]), Double(rgb[i + 1]), Double(rgb[i + 2])), Double(x) / Double(width),
          Double(y) / Double(height))
        for channel in 0..<3 { out[i + channel] = UInt8(max(0, min(255, colour[channel].rounded()))) }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: out)
  }

  /// Blurred by downsampling each side by `factor` and upsampling.
  func blurred(by factor: Int) -> PixelBuffer {
    resized(width: width / factor, height: height / factor).resized(width: width, height: height)
  }
}
