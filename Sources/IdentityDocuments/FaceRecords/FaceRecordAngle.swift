/// An angle of a head's pose as a face record states it, in degrees.
public struct FaceRecordAngle: Sendable, Hashable {
  /// -180 to 180.
  public let degrees: Int
  /// 0 to 180, or nil if the record does not tell.
  public let uncertainty: Int?
}
