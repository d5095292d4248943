import FaceAnalysis
import Glibc
import Testing

@Suite("Head pose")
struct HeadPoseTests {
  /// The pose of a head rotated by one angle from frontal.
  private func pose(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) -> HeadPose {
    // In the picture: x to the right, which is the subject's left, y down, z away from the camera. The line from
    // forehead to chin of a frontal face is inclined by the neutral pitch.
    let lean = HeadPose.neutralPitch * .pi / 180
    let chin = SIMD3(0, 100 * cos(lean), 100 * sin(lean))
    let frontal: [Int: SIMD3<Double>] = [
      263: SIMD3(45, 0, 0), 362: SIMD3(15, 0, 0), 133: SIMD3(-15, 0, 0), 33: SIMD3(-45, 0, 0), 152: chin, 10: -chin,
    ]
    var points = [Point](repeating: Point(x: 0, y: 0), count: 468)
    var depths = [Double](repeating: 0, count: 468)
    let (a, b, c) = (yaw * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
    for (i, p) in frontal {
      // The face looks along -z: turned to the subject's left it moves to +x, downwards to +y; tilted towards the right
      // shoulder, the crown moves to -x.
      var q = SIMD3(p.x * cos(a) - p.z * sin(a), p.y, p.x * sin(a) + p.z * cos(a))
      q = SIMD3(q.x, q.y * cos(b) - q.z * sin(b), q.y * sin(b) + q.z * cos(b))
      q = SIMD3(q.x * cos(c) + q.y * sin(c), q.y * cos(c) - q.x * sin(c), q.z)
      points[i] = Point(x: 200 + q.x, y: 200 + q.y)
      depths[i] = q.z
    }
    return HeadPose(mesh: FaceMesh(points: points, depths: depths, presence: 1))
  }

  @Test("each angle has the sign of ISO/IEC 39794-5", arguments: [-40.0, -10, 0, 10, 40])
  func signs(angle: Double) {
    // The neutral pitch couples yaw and roll slightly.
    #expect(abs(pose(yaw: angle).yaw - angle) < 1)
    #expect(abs(pose(pitch: angle).pitch - angle) < 1)
    #expect(abs(pose(roll: angle).roll - angle) < 1)
    #expect(abs(pose(yaw: angle).pitch) < 2 && abs(pose(pitch: angle).yaw) < 1)
  }
}
