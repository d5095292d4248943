/// The first picture of a TIFF file (TIFF 6.0) whose directory was read.
struct TIFFFile {
  let width: Int
  let height: Int
  private let bytes: [UInt8]
  private let samples: Int
  private let bits: Int
  private let compression: Int
  private let photometric: Int
  private let predictor: Int
  private let rowsPerStrip: Int
  private var strips: [(offset: Int, count: Int)] = []
  /// Red, green, blue of each colour, if there is a palette.
  private var palette: [[UInt8]] = []
  /// What the JPEG pictures of all strips have in common.
  private let jpegTables: [UInt8]
  private let profile: [UInt8]?

  private static let compressions = [
    2: "CCITT fax", 3: "CCITT fax", 4: "CCITT fax", 6: "JPEG of the old style", 8: "Deflate", 32946: "Deflate",
  ]
  private static let (jpegTablesTag, profileTag) = (347, 34675)
  /// So many numbers are read of a tag: strips of one row of the tallest picture, or a palette.
  private static let maximumValues = 1 << 20

  /// nil if the bytes are no TIFF.
  init?(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    if reader.take("II*\0") {
      reader.order = .littleEndian
    } else if !reader.take("MM\0*") {
      return nil
    }
    try reader.seek(to: reader.u32())
    var tags: [Int: [Int]] = [:]
    for _ in 0..<(try reader.u16()) {
      let tag = try reader.u16()
      let values = try Self.values(&reader, takesBytes: tag == Self.jpegTablesTag || tag == Self.profileTag)
      if let values { tags[tag] = values }
    }
    func one(_ tag: Int, _ standard: Int? = nil) throws -> Int {
      guard let value = tags[tag]?.first ?? standard else {
        throw VerifyError(.damaged, "the TIFF lacks its tag \(tag)")
      }
      return value
    }
    self.bytes = bytes
    width = try one(256)
    height = try one(257)
    try ScanFormat.check(width: width, height: height)
    samples = try one(277, 1)
    bits = try one(258, 1)
    compression = try one(259, 1)
    photometric = try one(262)
    predictor = try one(317, 1)
    rowsPerStrip = min(try one(278, height), height)
    jpegTables = (tags[Self.jpegTablesTag] ?? []).map { UInt8(truncatingIfNeeded: $0) }
    profile = tags[Self.profileTag]?.map { UInt8(truncatingIfNeeded: $0) }
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
      tags[258]?.allSatisfy({ $0 == bits }) ?? true,
      try one(284, 1) == 1, try one(266, 1) == 1, predictor == 1 || predictor == 2 && bits == 8, rowsPerStrip > 0,
      tags[322] == nil
    else {
      throw VerifyError(
        .unknownFormat,
        "this TIFF has \(samples) samples of \(bits) bits, in an order that is not read; save it as PNG or JPEG")
    }
    guard let offsets = tags[273], let counts = tags[279], offsets.count == counts.count,
      offsets.count == height.dividedUp(by: rowsPerStrip)
    else { throw VerifyError(.damaged, "the strips of the TIFF do not fit its height") }
    strips = zip(offsets, counts).map { ($0, $1) }
    if isPalette {
      guard let map = tags[320], map.count == 3 << bits else {
        throw VerifyError(.damaged, "the TIFF has no palette for its colours")
      }
      let count = 1 << bits
      palette = (0..<count).map { i in [i, i + count, i + 2 * count].map { UInt8(truncatingIfNeeded: map[$0] >> 8) } }
    }
  }

  /// The numbers of an entry, behind its tag; nil if they are of a kind that is of no use here.
  private static func values(_ reader: inout ByteReader, takesBytes: Bool) throws -> [Int]? {
    let type = try reader.u16()
    let count = try reader.u32()
    let next = reader.position + 4
    defer { try? reader.seek(to: next) }
    guard let size = type == 7 && takesBytes ? 1 : [1: 1, 3: 2, 4: 4][type], count <= maximumValues else {
      try reader.skip(4)
      return nil
    }
    if count * size > 4 { try reader.seek(to: reader.u32()) }
    // Not before the whole of it is known to be there.
    guard count * size <= reader.remaining else { throw VerifyError(.damaged, "the TIFF ends before its tags") }
    let values = try (0..<count).map { _ in try size == 1 ? reader.u8() : size == 2 ? reader.u16() : reader.u32() }
    if next > reader.end { throw VerifyError(.damaged, "the TIFF ends before its tags") }
    return values
  }

  /// What takes the colours to sRGB, if that is needed.
  func colour() -> (ColourTransform?, [PhotoWarning]) {
    guard let profile else { return (nil, []) }
    do { return (try .make(profile: profile, isGrey: photometric <= 1), []) } catch {
      return (nil, [.colourProfileIgnored])
    }
  }

  func pixels() throws -> PixelBuffer {
    let stride = (width * samples * bits).dividedUp(by: 8)
    return try PixelBuffer(width: width, height: height) { out in
      var target = 0
      for (number, strip) in strips.enumerated() {
        let rows = min(rowsPerStrip, height - number * rowsPerStrip)
        guard strip.offset <= bytes.count, strip.count <= bytes.count - strip.offset else {
          throw VerifyError(.damaged, "the TIFF ends before its strip \(number + 1)")
        }
        let packed = bytes[strip.offset..<strip.offset + strip.count]
        if compression == 7 {
          let picture = try jpegStrip(packed, rows: rows)
          for byte in picture.rgb[..<(3 * width * rows)] {
            out[target] = photometric == 0 ? 255 - byte : byte
            target += 1
          }
          continue
        }
        let data = try unpacked(packed, size: stride * rows)
        for row in 0..<rows {
          var row = Array(data[row * stride..<(row + 1) * stride])
          if predictor == 2 { for i in samples..<max(samples, row.count) { row[i] &+= row[i - samples] } }
          write(row, to: out, at: &target)
        }
      }
    }
  }

  private func write(_ row: [UInt8], to out: UnsafeMutableBufferPointer<UInt8>, at target: inout Int) {
    let values = ScanFormat.samples(row[...], bits: bits, count: width * samples)
    let white = 1 << bits - 1
    for x in 0..<width {
      let pixel = x * samples
      let colour: [UInt8]
      switch photometric {
      case 2: colour = Array(values[pixel..<pixel + 3])
      case 3: colour = palette[Int(values[pixel])]
      default:
        let value = Int(values[pixel])
        let grey = (photometric == 0 ? white - value : value) * 255 / white
        colour = [UInt8](repeating: UInt8(grey), count: 3)
      }
      (out[target], out[target + 1], out[target + 2]) = (colour[0], colour[1], colour[2])
      target += 3
    }
  }

  /// A strip that is a JPEG picture, whose tables may lie in the directory (TIFF Technical Note 2).
  private func jpegStrip(_ data: ArraySlice<UInt8>, rows: Int) throws -> PixelBuffer {
    guard data.starts(with: [0xFF, 0xD8]) else { throw VerifyError(.damaged, "a strip of the TIFF is no JPEG") }
    var file: [UInt8] = [0xFF, 0xD8]
    // The directory tells what the components are, and not what else a JPEG has for it: an Adobe marker tells the decoder.
    if samples == 3 {
      let transform: UInt8 = photometric == 6 ? 1 : 0
      file += [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
    }
    if jpegTables.count > 4 { file += jpegTables[2..<jpegTables.count - 2] }
    file += data.dropFirst(2)
    let header = try ImageCodec.header(of: file)
    // Some programs fill up the last strip.
    guard header.format == .jpeg, header.width == width, (rows...rowsPerStrip).contains(header.height) else {
      throw VerifyError(.damaged, "a strip of the TIFF has another size than the TIFF says")
    }
    guard header.warnings.isEmpty else { throw VerifyError(.damaged, "a strip of the TIFF ends too early") }
    return try ImageCodec.decode(file, header: header, reduction: 1)
  }

  private func unpacked(_ data: ArraySlice<UInt8>, size: Int) throws -> [UInt8] {
    let result =
      switch compression {
      case 5: Self.lempelZivWelch(data, size: size)
      case 32773: Self.packBits(data, size: size)
      default: Array(data.prefix(size))
      }
    guard result.count == size else { throw VerifyError(.damaged, "a strip of the TIFF ends too early") }
    return result
  }

  /// TIFF 6.0, section 9: a count and so many bytes, or a count and one byte to repeat.
  private static func packBits(_ data: ArraySlice<UInt8>, size: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(size)
    var i = data.startIndex
    while i < data.endIndex, result.count < size {
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

  /// TIFF 6.0, section 13: codes of 9 to 12 bits, high bits first, which grow one code early.
  private static func lempelZivWelch(_ data: ArraySlice<UInt8>, size: Int) -> [UInt8] {
    let (clear, end) = (256, 257)
    var result: [UInt8] = []
    result.reserveCapacity(size)
    // Each code is an earlier piece of the result, one byte longer than the piece before it.
    var pieces: [Range<Int>] = []
    var last: Range<Int>?
    var (bits, held, width) = (0, 0, 9)
    for byte in data {
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
        // Byte by byte: a slice would make the result be copied.
        for i in pieces[code - 258] { result.append(result[i]) }
      } else if let last, code - 258 == pieces.count {
        for i in last { result.append(result[i]) }
        result.append(result[last.lowerBound])
      } else {
        return result
      }
      if let last, pieces.count < 4096 - 258 { pieces.append(last.lowerBound..<last.upperBound + 1) }
      last = start..<result.count
      // The table's next entry is made with the next code.
      let next = 258 + pieces.count + 1
      width = next >= 2047 + 1 ? 12 : next >= 1023 + 1 ? 11 : next >= 511 + 1 ? 10 : 9
      if result.count >= size { break }
    }
    return Array(result.prefix(size))
  }
}
