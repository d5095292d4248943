/// A TIFF or BMP file with a parsed header.
protocol ScanFile: Sendable {
  var width: Int { get }
  var height: Int { get }
  /// Decodes all pixels as stored, before orientation and colour profile are applied.
  func pixels(_ budget: Budget) throws -> PixelBuffer
}

/// Scanner formats, in the variants that scanners write: TIFF 6.0 (strips, 1 or 8 bits per sample; uncompressed, LZW,
/// PackBits or JPEG) and BMP (1, 4, 8, 24 or 32 bits, uncompressed).
enum ScanFormat {
  /// Returns nil if the bytes are neither.
  static func format(of bytes: [UInt8]) -> PictureFormat? {
    var reader = ByteReader(bytes)
    if reader.take("II*\0") || reader.take("MM\0*") { return .tiff }
    return reader.take("BM") ? .bmp : nil
  }

  /// Reads the header; nil if the bytes are neither.
  ///
  /// - Throws: ``VerifyError/Code/damaged``, or ``VerifyError/Code/unknownFormat`` for an unsupported variant.
  static func file(_ bytes: [UInt8]) throws -> (any ScanFile)? {
    if let file = try TIFFFile(bytes) { return file }
    return try BitmapFile(bytes)
  }

  static func check(width: Int, height: Int) throws {
    guard (1...ImageLimits.maximumSide).contains(width), (1...ImageLimits.maximumSide).contains(height) else {
      throw VerifyError(.damaged, "the picture claims to have \(width)×\(height) pixels")
    }
  }

  /// Unpacks a row of samples of 1, 2, 4 or 8 bits, most significant bits first, to one byte each.
  static func samples(_ row: ArraySlice<UInt8>, bits: Int, count: Int) -> [UInt8] {
    if bits == 8 { return Array(row.prefix(count)) }
    let mask = UInt8(1 << bits - 1)
    let perByte = 8 / bits
    return (0..<count).map { i in
      row[row.startIndex + i / perByte] >> UInt8(8 - bits * (i % perByte + 1)) & mask
    }
  }
}
