/// A TIFF or BMP file whose header was read.
protocol ScanFile: Sendable {
  var width: Int { get }
  var height: Int { get }
  /// Decodes all pixels as stored, before the turn and the colour profile.
  func pixels(_ budget: Budget) throws -> PixelBuffer
}

/// The formats that scanners write, in the variants that they write: TIFF 6.0 (strips, 1 or 8 bits a sample; not
/// compressed, LZW, PackBits or JPEG) and BMP (1, 4, 8, 24 or 32 bits, not compressed).
enum ScanFormat {
  /// nil if the bytes are neither.
  static func format(of bytes: [UInt8]) -> PictureFormat? {
    var reader = ByteReader(bytes)
    if reader.take("II*\0") || reader.take("MM\0*") { return .tiff }
    return reader.take("BM") ? .bmp : nil
  }

  /// Reads the header; nil if the bytes are neither.
  ///
  /// - Throws: ``VerifyError/Code/damaged``, or ``VerifyError/Code/unknownFormat`` for a variant that is not read.
  static func file(_ bytes: [UInt8]) throws -> (any ScanFile)? {
    if let file = try TIFFFile(bytes) { return file }
    return try BitmapFile(bytes)
  }

  static func check(width: Int, height: Int) throws {
    guard (1...ImageLimits.maximumSide).contains(width), (1...ImageLimits.maximumSide).contains(height) else {
      throw VerifyError(.damaged, "the picture claims to have \(width)×\(height) pixels")
    }
  }

  /// Spreads the samples of a row of 1, 2, 4 or 8 bits, high bits first, to a byte each.
  static func samples(_ row: ArraySlice<UInt8>, bits: Int, count: Int) -> [UInt8] {
    if bits == 8 { return Array(row.prefix(count)) }
    let mask = UInt8(1 << bits - 1)
    let perByte = 8 / bits
    return (0..<count).map { i in
      row[row.startIndex + i / perByte] >> UInt8(8 - bits * (i % perByte + 1)) & mask
    }
  }
}
