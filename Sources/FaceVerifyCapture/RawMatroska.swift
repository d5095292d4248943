/// Wraps raw frames in a Matroska stream: the simplest format in which ffmpeg accepts frames with their times from a
/// pipe. Element identifiers are those of RFC 9559, and the encoding is that of RFC 8794.
enum RawMatroska {
  /// Returns the bytes before the first frame.
  static func head(width: Int, height: Int, frameRate: Double) -> [UInt8] {
    // "RGB" and bits per pixel: Microsoft's name for the format, as ffmpeg spells it.
    let video =
      element([0xB0], number(width)) + element([0xBA], number(height)) + element([0x2E, 0xB5, 0x24], [82, 71, 66, 24])
    let track =
      element([0xD7], [1]) + element([0x73, 0xC5], [1]) + element([0x83], [1])  // number, UID, video
      + element([0x86], Array("V_UNCOMPRESSED".utf8))
      + element([0x23, 0xE3, 0x83], number(Int((1e9 / frameRate).rounded())))  // DefaultDuration in ns
      + element([0xE0], video)
    let info =
      element([0x2A, 0xD7, 0xB1], number(1000))  // TimestampScale: microseconds
      + element([0x4D, 0x80], Array("faceverify".utf8)) + element([0x57, 0x41], Array("faceverify".utf8))
    return element(
      [0x1A, 0x45, 0xDF, 0xA3],  // EBML, DocType
      element([0x42, 0x82], Array("matroska".utf8)) + element([0x42, 0x87], [4]) + element([0x42, 0x85], [2]))
      // Segment, of unknown size
      + [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
      + element([0x15, 0x49, 0xA9, 0x66], info) + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
  }

  /// Returns the bytes before a frame of `size` bytes: a cluster of its own, with a simple block.
  static func frame(microseconds: Int, size: Int) -> [UInt8] {
    let time = element([0xE7], number(microseconds))
    // Track 1, no offset to the cluster's time, a key frame.
    let block = [0xA3] + length(size + 4) + [0x81, 0, 0, 0x80]
    return [0x1F, 0x43, 0xB6, 0x75] + length(time.count + block.count + size) + time + block
  }

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] { id + length(content.count) + content }

  /// Eight bytes, as the first one indicates.
  private static func length(_ count: Int) -> [UInt8] { [0x01] + number(count).suffix(7) }

  /// Eight bytes, big-endian.
  private static func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
