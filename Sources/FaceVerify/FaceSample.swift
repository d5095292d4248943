/// What one photo gave.
public struct FaceSample: Sendable {
  /// All faces found, the one that was taken first: the largest, with more weight on the middle of the frame.
  public let faces: [Face]
  public var face: Face { faces[0] }
  public let quality: QualityReport
  /// Nil if the quality policy refused the photo.
  public let template: FaceTemplate?
}
