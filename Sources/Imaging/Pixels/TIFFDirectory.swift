/// The first directory of a TIFF file (TIFF 6.0, section 2). Only the positions of the tags in ``Tag`` are kept; values
/// are read on demand, limited to the expected count.
struct TIFFDirectory {
  enum Tag: Int {
    case width = 256
    case height, bits, compression
    case photometric = 262
    case fillOrder = 266
    case stripOffsets = 273
    case orientation
    case samples = 277
    case rowsPerStrip, stripCounts
    case planes = 284
    case predictor = 317
    case palette = 320
    case tileWidth = 322
    case jpegTables = 347
    case profile = 34675
  }

  private struct Entry {
    let type: Int
    let count: Int
    /// The position of the value, or, if it exceeds four bytes, of its offset.
    let position: Int
  }

  /// Maximum number of values read per tag: strips of one row of the tallest picture, or 1 MiB of a colour profile.
  static let maximumValues = 1 << 20

  private let reader: ByteReader
  private var entries: [Tag: Entry] = [:]

  /// Nil if the bytes are not a TIFF.
  init?(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    if reader.take("II*\0") {
      reader.order = .littleEndian
    } else if !reader.take("MM\0*") {
      return nil
    }
    self.reader = reader
    try reader.seek(to: reader.u32())
    for _ in 0..<(try reader.u16()) {
      let (tag, type, count) = (try reader.u16(), try reader.u16(), try reader.u32())
      // The first of several entries for one tag counts.
      if let tag = Tag(rawValue: tag), entries[tag] == nil {
        entries[tag] = Entry(type: type, count: count, position: reader.position)
      }
      try reader.skip(4)
    }
  }

  func has(_ tag: Tag) -> Bool { entries[tag] != nil }

  /// Returns the first number of a tag, or the default if it is missing.
  func one(_ tag: Tag, or standard: Int? = nil) throws -> Int {
    guard let value = try numbers(tag, atMost: 1)?.first.map(Int.init) ?? standard else {
      throw VerifyError(.damaged, "the TIFF lacks its tag \(tag.rawValue)")
    }
    return value
  }

  /// Returns the first `most` numbers of a tag; nil if it is missing or has no unsigned integers.
  func numbers(_ tag: Tag, atMost most: Int) throws -> [UInt32]? {
    guard let entry = entries[tag], let size = [1: 1, 3: 2, 4: 4][entry.type] else { return nil }
    var value = try value(of: entry, size: size)
    return try (0..<min(entry.count, most)).map { _ in
      UInt32(truncatingIfNeeded: try size == 1 ? value.u8() : size == 2 ? value.u16() : value.u32())
    }
  }

  /// Returns the bytes of a tag, sharing the file's memory; nil if it is missing, has another type, or exceeds `most`.
  func bytes(_ tag: Tag, atMost most: Int) throws -> ArraySlice<UInt8>? {
    guard let entry = entries[tag], entry.type == 1 || entry.type == 7, entry.count <= most else { return nil }
    var value = try value(of: entry, size: 1)
    return value.rest()
  }

  private func value(of entry: Entry, size: Int) throws -> ByteReader {
    var reader = reader
    try reader.seek(to: entry.position)
    if entry.count * size > 4 { try reader.seek(to: reader.u32()) }
    guard entry.count <= Self.maximumValues, entry.count * size <= reader.remaining else {
      throw VerifyError(.damaged, "the TIFF ends before its tags")
    }
    return try reader.section(entry.count * size)
  }
}
