/// A picture of a face from a chip, with what its record says about it.
public struct FaceImage: Sendable, Hashable {
  public let format: FaceImageFormat
  /// The compressed picture, as it is stored.
  public let bytes: [UInt8]
  public let standard: FaceRecordStandard
  /// What the issuer wrote down. Nothing of it is measured in the picture.
  public let record: FaceRecord
  /// The header of the biometric template that the record lies in.
  public internal(set) var header: BiometricHeader?

  init(_ bytes: ArraySlice<UInt8>, standard: FaceRecordStandard, record: FaceRecord) throws {
    format = try FaceImageFormat(of: bytes)
    self.bytes = Array(bytes)
    self.standard = standard
    self.record = record
  }

  /// How many pictures one file may hold; Doc 9303-10 allows 9.
  static let maximumCount = 32

  /// The pictures of a face record that stands alone: ISO/IEC 19794-5 (2005 or 2011), ISO/IEC 39794-5, or EF.DG2.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public static func images(in bytes: [UInt8]) throws -> [FaceImage] {
    if bytes.first == 0x75 { return try DataGroup2(bytes).images }
    return try BiometricTemplates.images(inRecord: bytes)
  }
}
