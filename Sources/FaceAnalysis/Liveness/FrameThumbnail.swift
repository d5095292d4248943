/// A frame as 16 × 16 cells with a fingerprint of the sampled pixels, for comparing frames.
///
/// It samples 4,096 green values, at the same positions in all frames of a size.
struct FrameThumbnail {
  static let side = 16
  /// Samples per cell along each side: their mean has a quarter of the noise of one.
  private static let samples = 4

  /// Mean values, row-major.
  let cells: [UInt8]
  /// A hash of the values before averaging: distinct camera frames never share one (FNV-1a, 64 bits).
  let fingerprint: UInt64

  init(_ picture: PixelBuffer) {
    let count = Self.side * Self.samples
    let columns = (0..<count).map { 3 * ((2 * $0 + 1) * picture.width / (2 * count)) + 1 }
    var sums = [UInt16](repeating: 0, count: Self.side * Self.side)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    picture.rgb.withUnsafeBufferPointer { rgb in
      for y in 0..<count {
        let line = 3 * picture.width * ((2 * y + 1) * picture.height / (2 * count))
        let row = y / Self.samples * Self.side
        for x in 0..<count {
          let value = rgb[line + columns[x]]
          sums[row + x / Self.samples] += UInt16(value)
          hash = (hash ^ UInt64(value)) &* 0x100_0000_01b3
        }
      }
    }
    let share = UInt16(Self.samples * Self.samples)
    cells = sums.map { UInt8(($0 + share / 2) / share) }
    fingerprint = hash
  }
}
