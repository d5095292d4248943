/// A BMP file with a parsed header.
struct BitmapFile: ScanFile {
  let width: Int
  let height: Int
  private let bytes: [UInt8]
  private let offset: Int
  private let bits: Int
  private let isTopDown: Bool
  /// The palette: blue, green, red of each colour.
  private var palette: [[UInt8]] = []

  /// Nil if the bytes are not a BMP.
  init?(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes, order: .littleEndian)
    guard reader.take("BM") else { return nil }
    try reader.skip(8)
    offset = try reader.u32()
    let header = try reader.u32()
    guard header >= 40 else {
      throw VerifyError(.unknownFormat, "this BMP has the unsupported OS/2 format; save it as PNG")
    }
    width = try reader.u32()
    let rows = try reader.u32()
    // Negative, as a 32-bit integer, if the rows are stored top-down.
    isTopDown = rows >= 1 << 31
    height = isTopDown ? 1 << 32 - rows : rows
    try reader.skip(2)
    bits = try reader.u16()
    let compression = try reader.u32()
    try ScanFormat.check(width: width, height: height)
    guard [1, 4, 8, 24, 32].contains(bits), compression == 0 || compression == 3 && bits == 32 else {
      throw VerifyError(
        .unknownFormat, "this BMP has \(bits) bits a pixel and compression \(compression); save it as PNG")
    }
    if compression == 3 {
      // The masks follow a short header, or are part of a longer one, at the same offset.
      try reader.seek(to: 54)
      guard try reader.u32() == 0xFF0000, try reader.u32() == 0xFF00, try reader.u32() == 0xFF else {
        throw VerifyError(.unknownFormat, "this BMP has an unsupported channel order; save it as PNG")
      }
    }
    self.bytes = bytes
    if bits <= 8 {
      try reader.seek(to: 46)
      let used = try reader.u32()
      try reader.seek(to: 14 + header)
      for _ in 0..<(used == 0 ? 1 << bits : min(used, 1 << bits)) {
        palette.append([UInt8(try reader.u8()), UInt8(try reader.u8()), UInt8(try reader.u8())])
        try reader.skip(1)
      }
    }
  }

  func pixels(_ budget: Budget) throws -> PixelBuffer {
    // Rows are padded to multiples of 32 bits.
    let stride = (width * bits).dividedUp(by: 32) * 4
    guard offset <= bytes.count, stride * height <= bytes.count - offset else {
      throw VerifyError(.damaged, "the BMP ends before its last row")
    }
    return try PixelBuffer(width: width, height: height) { out in
      var target = 0
      for y in 0..<height {
        try budget.check()
        let start = offset + (isTopDown ? y : height - 1 - y) * stride
        let row = bytes[start..<start + stride]
        if bits <= 8 {
          for index in ScanFormat.samples(row, bits: bits, count: width) {
            guard index < palette.count else { throw VerifyError(.damaged, "a pixel of the BMP is not in its palette") }
            let colour = palette[Int(index)]
            (out[target], out[target + 1], out[target + 2]) = (colour[2], colour[1], colour[0])
            target += 3
          }
        } else {
          var pixel = start
          for _ in 0..<width {
            (out[target], out[target + 1], out[target + 2]) = (bytes[pixel + 2], bytes[pixel + 1], bytes[pixel])
            target += 3
            pixel += bits / 8
          }
        }
      }
    }
  }
}
