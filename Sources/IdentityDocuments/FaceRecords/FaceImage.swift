/// A face picture from a chip, with the metadata of its record.
public struct FaceImage: Sendable, Hashable, JSONConvertible {
  public let format: FaceImageFormat
  /// The compressed picture, as stored.
  public let bytes: [UInt8]
  public let standard: FaceRecordStandard
  /// Metadata recorded by the issuer. None of it is measured in the picture.
  public let record: FaceRecord
  /// The header of the biometric template that contains the record.
  public internal(set) var header: BiometricHeader?

  init(_ bytes: ArraySlice<UInt8>, standard: FaceRecordStandard, record: FaceRecord) throws {
    format = try FaceImageFormat(of: bytes)
    (self.bytes, self.standard, self.record) = (Array(bytes), standard, record)
  }

  /// Maximum number of pictures in a file; Doc 9303-10 allows 9.
  static let maximumCount = 32

  /// Returns the pictures of a stand-alone face record: ISO/IEC 19794-5 (2005 or 2011), ISO/IEC 39794-5, or EF.DG2.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public static func images(in bytes: [UInt8]) throws -> [FaceImage] {
    if bytes.first == 0x75 { return try DataGroup2(bytes).images }
    return try BiometricTemplates.images(inRecord: bytes)
  }

  /// The picture is represented by its hash.
  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue), "bytes": .integer(bytes.count), "sha256": .string(sha256(bytes)),
      "standard": .string(standard.rawValue), "record": record.jsonValue, "header": header?.jsonValue ?? .null,
    ]
  }
}

/// The compression of a face record's picture, determined by its first bytes, not by the record.
public struct FaceImageFormat: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let jpeg = Self(rawValue: "jpeg")
  /// JPEG 2000 in a JP2 file (ISO/IEC 15444-1, annex I).
  public static let jp2 = Self(rawValue: "jp2")
  /// A bare JPEG 2000 code stream (ISO/IEC 15444-1, annex A), as some states store it.
  public static let jpeg2000CodeStream = Self(rawValue: "jpeg-2000-code-stream")

  /// - Throws: ``VerifyError/Code/unknownFormat``; the message names the format if it is known.
  init(of bytes: ArraySlice<UInt8>) throws {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) {
      self = .jp2
    } else if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000CodeStream
    } else {
      let what = Self.others.first { bytes.starts(with: $0.start) }?.name
      throw VerifyError(
        .unknownFormat,
        "the picture in the face record is \(what ?? "of an unknown kind"); JPEG and JPEG 2000 are read")
    }
  }

  private static let others: [(start: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xA0, 0xFF], "WSQ, a format for fingerprints"),
    ([0x47, 0x49, 0x46, 0x38], "GIF"), ([0x42, 0x4D], "BMP"), ([0x50, 0x35], "PGM"), ([0x50, 0x36], "PPM"),
    ([0xFF, 0x0A], "JPEG XL"),
  ]
}

/// The standard of a face record.
public struct FaceRecordStandard: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let iso19794Edition2005 = Self(rawValue: "iso-19794-5-2005")
  public static let iso19794Edition2011 = Self(rawValue: "iso-19794-5-2011")
  public static let iso39794 = Self(rawValue: "iso-39794-5")
}
