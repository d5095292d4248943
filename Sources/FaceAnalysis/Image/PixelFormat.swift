/// The order of the 8-bit channels of raw pixels in memory.
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// Bytes a pixel.
  public let bytesPerPixel: Int
  public let description: String
  /// Where in a pixel red, green and blue are.
  let red: Int
  let green: Int
  let blue: Int

  private init(_ description: String, bytesPerPixel: Int, red: Int, green: Int, blue: Int) {
    self.description = description
    self.bytesPerPixel = bytesPerPixel
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let rgb8 = PixelFormat("rgb8", bytesPerPixel: 3, red: 0, green: 1, blue: 2)
  public static let bgr8 = PixelFormat("bgr8", bytesPerPixel: 3, red: 2, green: 1, blue: 0)
  /// The fourth byte is not used: cameras leave anything in it.
  public static let rgba8 = PixelFormat("rgba8", bytesPerPixel: 4, red: 0, green: 1, blue: 2)
  /// The fourth byte is not used: cameras leave anything in it.
  public static let bgra8 = PixelFormat("bgra8", bytesPerPixel: 4, red: 2, green: 1, blue: 0)
  public static let gray8 = PixelFormat("gray8", bytesPerPixel: 1, red: 0, green: 0, blue: 0)
}
