import FaceVerify
import Glibc

/// A simulated photo on a sheet that is moved, turned and bent in front of a camera: a plane or part of a cylinder seen
/// through a pinhole.
struct MovedPhoto {
  private let photo: PixelBuffer
  private static let width = 320
  private static let height = 240
  /// Focal length of a webcam: 60 degrees horizontally.
  private static let focus = 0.87 * Double(width)

  struct Pose {
    /// Degrees; to the right, up and clockwise as seen by the camera.
    var yaw = 0.0, pitch = 0.0, roll = 0.0
    /// In units of the sheet's height.
    var x = 0.0, y = 0.0, distance = 1.2
    /// Displacement of the sheet's sides towards the camera, in units of its height.
    var bend = 0.0

    func towards(_ other: Pose, _ part: Double) -> Pose {
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
      return Pose(
        yaw: mix(yaw, other.yaw), pitch: mix(pitch, other.pitch), roll: mix(roll, other.roll), x: mix(x, other.x),
        y: mix(y, other.y), distance: mix(distance, other.distance), bend: mix(bend, other.bend))
    }
  }

  init(_ photo: PixelBuffer) { self.photo = photo }

  func frame(_ pose: Pose) throws -> PixelBuffer {
    let (width, height) = (Self.width, Self.height)
    let aspect = Double(photo.width) / Double(photo.height)
    let (yaw, pitch, roll) = (pose.yaw * .pi / 180, pose.pitch * .pi / 180, pose.roll * .pi / 180)
    func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
      var v = SIMD3(v.x * cos(roll) - v.y * sin(roll), v.x * sin(roll) + v.y * cos(roll), v.z)
      v = SIMD3(v.x, v.y * cos(pitch) - v.z * sin(pitch), v.y * sin(pitch) + v.z * cos(pitch))
      return SIMD3(v.x * cos(yaw) + v.z * sin(yaw), v.y, -v.x * sin(yaw) + v.z * cos(yaw))
    }
    // The sheet's axes and centre in the camera's coordinates.
    let (right, down, out) = (turned([1, 0, 0]), turned([0, 1, 0]), turned([0, 0, -1]))
    let middle = SIMD3(pose.x, pose.y, pose.distance)
    func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
    var rgb = [UInt8](repeating: 96, count: 3 * width * height)
    for row in 0..<height {
      for column in 0..<width {
        let ray = SIMD3(
          (Double(column) + 0.5 - Double(width) / 2) / Self.focus,
          (Double(row) + 0.5 - Double(height) / 2) / Self.focus, 1)
        let steepness = dot(ray, out)
        guard steepness < -0.05 else { continue }
        var (u, v) = (0.0, 0.0)
        // The intersection of the ray and the bent sheet, by fixed-point iteration over the depth.
        for _ in 0..<4 {
          let t = dot(middle + out * (pose.bend * (2 * u / aspect) * (2 * u / aspect)), out) / steepness
          let p = ray * t - middle
          (u, v) = (dot(p, right), dot(p, down))
        }
        let (x, y) = ((u / aspect + 0.5) * Double(photo.width), (v + 0.5) * Double(photo.height))
        guard x >= 0, y >= 0, x < Double(photo.width), y < Double(photo.height) else { continue }
        let from = 3 * (Int(y) * photo.width + Int(x))
        let to = 3 * (row * width + column)
        for c in 0..<3 { rgb[to + c] = photo.rgb[from + c] }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }
}
