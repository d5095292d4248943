/// The first picture of a TIFF file (TIFF 6.0), with its directory parsed.
struct TIFFFile: ScanFile {
  let width: Int
  let height: Int
  /// The EXIF orientation, 1 to 8.
  let orientation: Int
  private let bytes: [UInt8]
  private let samples: Int
  private let bits: Int
  private let compression: Int
  private let photometric: Int
  private let predictor: Int
  private let rowsPerStrip: Int
  private let stripOffsets: [UInt32]
  private let stripCounts: [UInt32]
  /// Red, green, blue of each colour, if there is a palette.
  private var palette: [UInt8] = []
  /// JPEG tables shared by all strips.
  private let jpegTables: ArraySlice<UInt8>
  private let profile: ArraySlice<UInt8>?

  private static let compressions = [
    2: "CCITT fax", 3: "CCITT fax", 4: "CCITT fax", 6: "JPEG of the old style", 8: "Deflate", 32946: "Deflate",
  ]
  /// Maximum size in bytes of the tables in tag 347: four quantisation and eight Huffman tables take less than 3,000.
  private static let maximumTables = 1 << 16

  /// Nil if the bytes are not a TIFF.
  init?(_ bytes: [UInt8]) throws {
    guard let directory = try TIFFDirectory(bytes) else { return nil }
    self.bytes = bytes
    width = try directory.one(.width)
    height = try directory.one(.height)
    try ScanFormat.check(width: width, height: height)
    samples = try directory.one(.samples, or: 1)
    let bits = try directory.one(.bits, or: 1)
    self.bits = bits
    compression = try directory.one(.compression, or: 1)
    photometric = try directory.one(.photometric)
    predictor = try directory.one(.predictor, or: 1)
    rowsPerStrip = min(try directory.one(.rowsPerStrip, or: height), height)
    orientation = (try? directory.one(.orientation, or: 1)) ?? 1
    jpegTables = try directory.bytes(.jpegTables, atMost: Self.maximumTables) ?? []
    profile = try directory.bytes(.profile, atMost: TIFFDirectory.maximumValues)
    let isJPEG = compression == 7
    guard isJPEG || [1, 5, 32773].contains(compression) else {
      throw VerifyError(
        .unknownFormat,
        "this TIFF is compressed as \(Self.compressions[compression] ?? "number \(compression)"); save it as PNG or JPEG"
      )
    }
    let isGrey = photometric <= 1 && samples == 1
    let isColour = photometric == 2 && (3...(isJPEG ? 3 : 4)).contains(samples) && bits == 8
    let isPalette = photometric == 3 && samples == 1 && !isJPEG
    let isLumaChroma = photometric == 6 && samples == 3 && isJPEG
    guard isGrey || isColour || isPalette || isLumaChroma, isJPEG ? bits == 8 : [1, 4, 8].contains(bits),
      try directory.numbers(.bits, atMost: samples)?.allSatisfy({ $0 == bits }) ?? true,
      try directory.one(.planes, or: 1) == 1, try directory.one(.fillOrder, or: 1) == 1,
      predictor == 1 || predictor == 2 && bits == 8, rowsPerStrip > 0, !directory.has(.tileWidth)
    else {
      throw VerifyError(
        .unknownFormat,
        "this TIFF has \(samples) samples of \(bits) bits, in an unsupported layout; save it as PNG or JPEG")
    }
    let strips = height.dividedUp(by: rowsPerStrip)
    // Reads one more than allowed: excess strips are rejected.
    guard let offsets = try directory.numbers(.stripOffsets, atMost: strips + 1), offsets.count == strips,
      let counts = try directory.numbers(.stripCounts, atMost: strips + 1), counts.count == strips
    else { throw VerifyError(.damaged, "the strips of the TIFF do not match its height") }
    (stripOffsets, stripCounts) = (offsets, counts)
    if isPalette {
      let count = 1 << bits
      guard let map = try directory.numbers(.palette, atMost: 3 * count + 1), map.count == 3 * count else {
        throw VerifyError(.damaged, "the TIFF has no palette")
      }
      for i in 0..<count {
        for channel in 0..<3 { palette.append(UInt8(truncatingIfNeeded: map[i + channel * count] >> 8)) }
      }
    }
  }

  /// Returns the conversion to sRGB, if needed, with its warnings.
  func colour() -> (ColourTransform?, [PhotoWarning]) {
    guard let profile else { return (nil, []) }
    do { return (try .make(profile: Array(profile), isGrey: photometric <= 1), []) } catch {
      return (nil, [.colourProfileIgnored])
    }
  }

  func pixels(_ budget: Budget) throws -> PixelBuffer {
    let stride = (width * samples * bits).dividedUp(by: 8)
    return try PixelBuffer(width: width, height: height) { out in
      var target = 0
      for number in stripOffsets.indices {
        try budget.check()
        let rows = min(rowsPerStrip, height - number * rowsPerStrip)
        let (offset, count) = (Int(stripOffsets[number]), Int(stripCounts[number]))
        guard offset <= bytes.count, count <= bytes.count - offset else {
          throw VerifyError(.damaged, "the TIFF ends before its strip \(number + 1)")
        }
        let packed = bytes[offset..<offset + count]
        if compression == 7 {
          let picture = try jpegStrip(packed, rows: rows, budget)
          for byte in picture.rgb[..<(3 * width * rows)] {
            out[target] = photometric == 0 ? 255 - byte : byte
            target += 1
          }
          continue
        }
        let data = try unpacked(packed, size: stride * rows, budget)
        for row in 0..<rows {
          try budget.check()
          let start = data.startIndex + row * stride
          if predictor == 2 {
            var row = data[start..<start + stride]
            for i in row.indices.dropFirst(samples) { row[i] &+= row[i - samples] }
            write(row, to: out, at: &target)
          } else {
            write(data[start..<start + stride], to: out, at: &target)
          }
        }
      }
    }
  }

  private func write(_ row: ArraySlice<UInt8>, to out: UnsafeMutableBufferPointer<UInt8>, at target: inout Int) {
    if photometric == 2 {
      var pixel = row.startIndex
      for _ in 0..<width {
        (out[target], out[target + 1], out[target + 2]) = (row[pixel], row[pixel + 1], row[pixel + 2])
        target += 3
        pixel += samples
      }
      return
    }
    let white = 1 << bits - 1
    for value in ScanFormat.samples(row, bits: bits, count: width) {
      for channel in 0..<3 {
        out[target + channel] =
          photometric == 3
          ? palette[3 * Int(value) + channel]
          : UInt8((photometric == 0 ? white - Int(value) : Int(value)) * 255 / white)
      }
      target += 3
    }
  }

  /// Decodes a JPEG strip, whose tables may be in the directory (TIFF Technical Note 2).
  private func jpegStrip(_ data: ArraySlice<UInt8>, rows: Int, _ budget: Budget) throws -> PixelBuffer {
    guard data.starts(with: [0xFF, 0xD8]) else { throw VerifyError(.damaged, "a strip of the TIFF is not a JPEG") }
    var file: [UInt8] = [0xFF, 0xD8]
    // The components are declared in the directory, not in the strip: an Adobe marker declares them to the decoder.
    if samples == 3 {
      let transform: UInt8 = photometric == 6 ? 1 : 0
      file += [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
    }
    if jpegTables.count > 4 { file += jpegTables.dropFirst(2).dropLast(2) }
    file += data.dropFirst(2)
    let header = try ImageCodec.header(of: file)
    // Some programs pad the last strip.
    guard header.format == .jpeg, header.width == width, (rows...rowsPerStrip).contains(header.height) else {
      throw VerifyError(.damaged, "the size of a strip of the TIFF does not match its tags")
    }
    guard header.warnings.isEmpty else { throw VerifyError(.damaged, "a strip of the TIFF is truncated") }
    return try ImageCodec.decode(file, header: header, reduction: 1, budget: budget)
  }

  /// Packed bytes between budget checks. Each expands to at most 64 bytes with PackBits, about 2,700 with LZW.
  private static let checkInterval = 1 << 10

  private func unpacked(_ data: ArraySlice<UInt8>, size: Int, _ budget: Budget) throws -> ArraySlice<UInt8> {
    let result =
      switch compression {
      case 5: try Self.lempelZivWelch(data, size: size, budget)[...]
      case 32773: try Self.packBits(data, size: size, budget)[...]
      default: data.prefix(size)
      }
    guard result.count == size else { throw VerifyError(.damaged, "a strip of the TIFF is truncated") }
    return result
  }

  /// TIFF 6.0, section 9: a count and that many bytes, or a count and one byte to repeat.
  private static func packBits(_ data: ArraySlice<UInt8>, size: Int, _ budget: Budget) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(size)
    var i = data.startIndex
    while i < data.endIndex, result.count < size {
      if i % checkInterval == 0 { try budget.check() }
      let count = Int(Int8(bitPattern: data[i]))
      i += 1
      if count >= 0 {
        let end = min(i + count + 1, data.endIndex)
        result += data[i..<end]
        i = end
      } else if count > -128, i < data.endIndex {
        result += repeatElement(data[i], count: 1 - count)
        i += 1
      }
    }
    return Array(result.prefix(size))
  }

  /// TIFF 6.0, section 13: codes of 9 to 12 bits, most significant bits first, whose width grows one code early.
  private static func lempelZivWelch(_ data: ArraySlice<UInt8>, size: Int, _ budget: Budget) throws -> [UInt8] {
    let (clear, end) = (256, 257)
    var result: [UInt8] = []
    result.reserveCapacity(size)
    // Each code is an earlier range of the result: one byte longer than its predecessor.
    var pieces: [Range<Int>] = []
    var last: Range<Int>?
    var (bits, held, width) = (0, 0, 9)
    for (i, byte) in data.enumerated() {
      if i % checkInterval == 0 { try budget.check() }
      bits = (bits << 8 | Int(byte)) & 0xFF_FFFF
      held += 8
      guard held >= width else { continue }
      held -= width
      let code = bits >> held & (1 << width - 1)
      if code == end { break }
      if code == clear {
        pieces.removeAll(keepingCapacity: true)
        (last, width) = (nil, 9)
        continue
      }
      let start = result.count
      if code < 256 {
        result.append(UInt8(code))
      } else if code - 258 < pieces.count {
        // Byte by byte: holding a slice would copy the result.
        for i in pieces[code - 258] { result.append(result[i]) }
      } else if let last, code - 258 == pieces.count {
        for i in last { result.append(result[i]) }
        result.append(result[last.lowerBound])
      } else {
        return result
      }
      if let last, pieces.count < 4096 - 258 { pieces.append(last.lowerBound..<last.upperBound + 1) }
      last = start..<result.count
      // The table's next entry is created with the next code.
      let next = 258 + pieces.count + 1
      width = next >= 2047 + 1 ? 12 : next >= 1023 + 1 ? 11 : next >= 511 + 1 ? 10 : 9
      if result.count >= size { break }
    }
    return Array(result.prefix(size))
  }
}
