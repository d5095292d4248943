/// The EXIF orientation of a picture: 1 (upright) to 8.
///
/// EXIF is auxiliary: malformed EXIF data count as upright, never as an error.
enum ExifOrientation {
  /// Reads the orientation from a PNG's eXIf chunk or a WebP's EXIF chunk. libheif rotates HEIC and AVIF by their
  /// container's own properties, not by EXIF.
  static func read(from bytes: [UInt8]) -> Int { valid((try? inPNG(bytes)) ?? (try? inWebP(bytes))) }

  /// Reads the orientation from a JPEG's EXIF data at `range` of the file.
  static func read(from bytes: [UInt8], in range: Range<Int>) -> Int {
    var whole = ByteReader(bytes)
    guard (try? whole.seek(to: range.lowerBound)) != nil, var exif = try? whole.section(range.count) else { return 1 }
    return valid(try? inTIFF(&exif))
  }

  static func valid(_ orientation: Int?) -> Int { orientation.flatMap { (1...8).contains($0) ? $0 : nil } ?? 1 }

  private static func inPNG(_ bytes: [UInt8]) throws -> Int? {
    var reader = ByteReader(bytes)
    guard try reader.u8() == 0x89, reader.take("PNG\r\n\u{1A}\n") else { return nil }
    while true {
      let length = try reader.u32()
      let isExif = reader.take("eXIf")
      if !isExif {
        if reader.take("IEND") { return nil }
        try reader.skip(4)
      }
      var chunk = try reader.section(length)
      if isExif { return try inTIFF(&chunk) }
      try reader.skip(4)  // checksum
    }
  }

  private static func inWebP(_ bytes: [UInt8]) throws -> Int? {
    var reader = ByteReader(bytes, order: .littleEndian)
    guard reader.take("RIFF") else { return nil }
    try reader.skip(4)
    guard reader.take("WEBP") else { return nil }
    while true {
      let isExif = reader.take("EXIF")
      if !isExif { try reader.skip(4) }
      let length = try reader.u32()
      var chunk = try reader.section(length)
      if isExif {
        // Some programs insert JPEG's identifier before it.
        _ = chunk.take("Exif\0\0")
        chunk.order = .bigEndian
        return try inTIFF(&chunk)
      }
      try reader.skip(length % 2)
    }
  }

  /// Returns the orientation tag of the first directory. Offsets are relative to the reader's current position.
  private static func inTIFF(_ reader: inout ByteReader) throws -> Int? {
    let base = reader.position
    if reader.take("II*\0") {
      reader.order = .littleEndian
    } else if !reader.take("MM\0*") {
      return nil
    }
    let directory = try reader.u32()
    try reader.seek(to: base + directory)
    let entries = try reader.u16()
    for _ in 0..<entries {
      let tag = try reader.u16()
      let type = try reader.u16()
      let count = try reader.u32()
      let value = try reader.u16()
      if tag == 0x0112 { return type == 3 && count == 1 ? value : nil }
      try reader.skip(2)
    }
    return nil
  }
}
