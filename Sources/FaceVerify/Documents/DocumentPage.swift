/// What one photo of a document's page shows.
public struct DocumentPage: Sendable {
  /// SHA-256 of the photo's file, lower-case hexadecimal.
  public let sha256: String
  /// Pixels of the upright photo.
  public let width: Int
  public let height: Int
  /// The machine readable zone; nil if there is none, or none that can be read.
  public let reading: MRZReading?
  /// Corners of the zone in the photo: its upper left as it is read, then clockwise. Empty without one.
  public let zoneCorners: [Point]
  /// Corners of the document in the photo, as the zone tells them, in the same order; they may lie outside. Empty
  /// without a zone.
  public var corners: [Point] { frame?.corners ?? [] }
  /// How far the document is turned in the photo, clockwise degrees in -180...180; nil without a zone.
  public var turn: Double? { frame.map { $0.angle * 180 / .pi } }
  /// The face that the portrait was cut out around, in pixels of the photo.
  public let face: Face?
  /// nil if no face was found, or none where it was cut out.
  public let portrait: DocumentPortrait?
  /// Every check, in a fixed order.
  public let checks: [DocumentImageCheck]

  let frame: PageOutline?

  /// The document cut out of its photo, upright, at the photo's resolution; nil without a zone. The zone does not tell how
  /// the document is tilted towards the camera, so that stays.
  ///
  /// - Parameter photo: the one that was read.
  /// - Throws: ``VerifyError`` if it cannot be decoded.
  public func image(from photo: Photo) throws -> PixelBuffer? {
    try frame.map { $0.rectified(try DecodedPhoto(photo).picture(reduction: 1), resolution: $0.scale) }
  }

  /// The checks that say that the picture is to be rejected.
  public var rejections: [DocumentImageCheck] { checks.filter { $0.status == .failed } }
}
