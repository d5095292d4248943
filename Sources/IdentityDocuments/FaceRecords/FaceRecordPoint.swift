/// A feature point of a face record, in pixels of the picture.
public struct FaceRecordPoint: Sendable, Hashable {
  /// `mpeg4`, `anthropometric`, `anthropometric-3d`, `anthropometric-name`, `anthropometric-point`…
  public let kind: String
  /// For MPEG-4, group and point, such as `8.4` (ISO/IEC 14496-2, annex C); otherwise the number in the standard's
  /// list.
  public let name: String
  public let x: Int?
  public let y: Int?
  public let z: Int?
}
