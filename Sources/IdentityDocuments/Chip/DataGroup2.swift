/// EF.DG2: the holder's face (ICAO Doc 9303-10, 4.7.2).
public struct DataGroup2: Sendable, Hashable {
  /// One for each record; the first is the portrait.
  public let images: [FaceImage]

  /// - Throws: ``VerifyError/Code/damaged``, or ``VerifyError/Code/unknownFormat`` if the image is not JPEG or
  ///   JPEG 2000.
  public init(_ bytes: [UInt8]) throws {
    images = try BiometricTemplates.images(
      in: ElementaryFile.object(in: bytes, tag: 0x75, name: "EF.DG2").requiredChild(0x7F61))
  }
}
