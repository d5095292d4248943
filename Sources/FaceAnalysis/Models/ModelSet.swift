/// Which models do the work.
public struct ModelSet: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Near and far BlazeFace detectors, 468-point mesh, iris, and dlib's network in OpenVINO.
  public static let standard = ModelSet(rawValue: "default")
  /// dlib alone: HOG detector, five points, and its network. Slower, needs no OpenVINO, sees no mesh: what rests on the
  /// mesh (pose, eyes, mouth) is not checked. An independent check of the default set.
  public static let dlib = ModelSet(rawValue: "dlib")
}
