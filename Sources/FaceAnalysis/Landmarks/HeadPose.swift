internal import Glibc

/// The head pose in degrees, with the signs of ISO/IEC 39794-5: frontal is 0; yaw is positive to the subject's left,
/// pitch downwards, roll towards the subject's right shoulder.
public struct HeadPose: Sendable, Hashable, Codable {
  public var yaw: Double
  public var pitch: Double
  public var roll: Double

  public init(yaw: Double, pitch: Double, roll: Double) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }

  /// The pitch of the line from the top of the forehead to the chin when a person looks straight ahead: the median over
  /// 8,175 training photos of LFW (training/quality, 2026-11).
  package static let neutralPitch = 5.8

  /// Computes the pose under weak perspective: the head's axes are the line through the eyes' corners and,
  /// perpendicular to it, the line from the top of the forehead to the chin, both from the three-dimensional mesh.
  package init(mesh: FaceMesh) {
    typealias Index = FaceMesh.Index
    let across = unit(
      mesh.position(Index.leftEyeOuter) + mesh.position(Index.leftEyeInner) - mesh.position(Index.rightEyeOuter)
        - mesh.position(Index.rightEyeInner))
    let down = mesh.position(Index.chin) - mesh.position(Index.forehead)
    let upright = unit(down - across * (down * across).sum())
    // Out of the face, towards the camera.
    let ahead = SIMD3(
      upright.y * across.z - upright.z * across.y,
      upright.z * across.x - upright.x * across.z,
      upright.x * across.y - upright.y * across.x)
    let degrees = 180 / Double.pi
    self.init(
      yaw: atan2(ahead.x, -ahead.z) * degrees,
      pitch: asin(max(-1, min(1, ahead.y))) * degrees - Self.neutralPitch,
      roll: -atan2(across.y, across.x) * degrees)
  }
}

private func unit(_ v: SIMD3<Double>) -> SIMD3<Double> {
  let length = (v * v).sum().squareRoot()
  return length > 0 ? v / length : v
}

extension HeadPose: JSONConvertible {
  public var jsonValue: JSONValue { ["yaw": .rounded(yaw, 2), "pitch": .rounded(pitch, 2), "roll": .rounded(roll, 2)] }
}
