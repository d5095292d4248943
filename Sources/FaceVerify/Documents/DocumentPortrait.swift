/// The holder's portrait on a document's page, cut out and upright.
public struct DocumentPortrait: Sendable {
  /// The portrait as a PNG file: what ``sha256`` is of.
  public let bytes: [UInt8]
  /// SHA-256 of ``bytes``, lower-case hexadecimal: `documentPhotoHash`.
  public var sha256: String { sample.sha256 }
  /// The face in the photo of the page, in its pixels.
  public let face: Face
  /// The portrait's quality, and its template unless the quality policy refuses it.
  public let sample: FaceSample
}
