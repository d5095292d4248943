/// The memory layout of raw 8-bit pixels.
///
/// Planes of planar formats are contiguous, without gaps, and all rows have full stride except the last row of the last
/// plane. The row stride is that of the luma plane.
///
/// Luma and chroma are BT.601 with limited range (luma 16 to 235, chroma 16 to 240), as delivered by cameras. Chroma
/// has half the width, rounded up.
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  enum Layout: Hashable, Sendable {
    /// Byte offsets of red, green and blue in a pixel.
    case packed(bytesPerPixel: Int, red: Int, green: Int, blue: Int)
    case nv12, i420, yuyv
  }

  public let description: String
  let layout: Layout

  private init(_ description: String, _ layout: Layout) {
    self.description = description
    self.layout = layout
  }

  public static let rgb8 = PixelFormat("rgb8", .packed(bytesPerPixel: 3, red: 0, green: 1, blue: 2))
  public static let bgr8 = PixelFormat("bgr8", .packed(bytesPerPixel: 3, red: 2, green: 1, blue: 0))
  /// The fourth byte is ignored: cameras leave it undefined.
  public static let rgba8 = PixelFormat("rgba8", .packed(bytesPerPixel: 4, red: 0, green: 1, blue: 2))
  /// The fourth byte is ignored: cameras leave it undefined.
  public static let bgra8 = PixelFormat("bgra8", .packed(bytesPerPixel: 4, red: 2, green: 1, blue: 0))
  public static let gray8 = PixelFormat("gray8", .packed(bytesPerPixel: 1, red: 0, green: 0, blue: 0))
  /// A luma plane, then an interleaved chroma plane (blue, red) with the same stride, one row per two rows of pixels. A
  /// row of odd width has one byte more than pixels, for its chroma.
  public static let nv12 = PixelFormat("nv12", .nv12)
  /// A luma plane, then a blue and a red chroma plane with half the stride, rounded up, one row per two rows of pixels.
  public static let i420 = PixelFormat("i420", .i420)
  /// One plane: luma, blue chroma, luma, red chroma for every two pixels. A row of odd width ends with a complete group
  /// of four.
  public static let yuyv = PixelFormat("yuyv", .yuyv)

  /// Returns the minimum bytes per row: the row stride of tightly packed rows.
  func rowBytes(width: Int) -> Int {
    switch layout {
    case .packed(let bytesPerPixel, _, _, _): width * bytesPerPixel
    case .nv12: 2 * width.dividedUp(by: 2)
    case .i420: width
    case .yuyv: 4 * width.dividedUp(by: 2)
    }
  }

  /// Returns the number of bytes from the first to the last that is read; nil on overflow.
  func byteCount(width: Int, height: Int, rowStride: Int) -> Int? {
    // All formats have less than two rows of bytes per row of pixels.
    guard rowStride <= Int.max / (2 * height + 2) else { return nil }
    let halfHeight = height.dividedUp(by: 2)
    switch layout {
    case .packed, .yuyv: return rowStride * (height - 1) + rowBytes(width: width)
    case .nv12: return rowStride * (height + halfHeight - 1) + rowBytes(width: width)
    case .i420:
      return rowStride * height + rowStride.dividedUp(by: 2) * (2 * halfHeight - 1) + width.dividedUp(by: 2)
    }
  }
}
