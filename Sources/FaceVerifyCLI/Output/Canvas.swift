import FaceVerify

/// A picture that others are put on.
struct Canvas {
  private(set) var picture: PixelBuffer

  init(width: Int, height: Int, colour: UInt32) throws {
    let pixel = [UInt8(colour >> 16 & 255), UInt8(colour >> 8 & 255), UInt8(colour & 255)]
    picture = try PixelBuffer(
      width: width, height: height, rgb: (0..<width * height).flatMap { _ in pixel })
  }

  /// - Parameters:
  ///   - x: where its left edge comes to lie; it must fit.
  ///   - y: where its upper edge comes to lie.
  mutating func put(_ other: PixelBuffer, x: Int, y: Int) throws {
    guard x >= 0, y >= 0, x + other.width <= picture.width, y + other.height <= picture.height else { return }
    var rgb = picture.rgb
    for row in 0..<other.height {
      let start = 3 * ((y + row) * picture.width + x)
      let source = 3 * row * other.width
      rgb.replaceSubrange(start..<start + 3 * other.width, with: other.rgb[source..<source + 3 * other.width])
    }
    picture = try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb)
  }

  /// - Parameter size: the height of a capital.
  mutating func write(_ text: String, x: Int, baseline: Int, size: Double, colour: UInt32) {
    picture.drawText(
      Self.drawable(text), at: Point(x: Double(x), y: Double(baseline)), size: size, colour: colour)
  }

  /// The letters that the drawing font has.
  static func drawable(_ text: String) -> String {
    String(text.map { $0.isASCII && !$0.isNewline ? $0 : $0 == "×" ? "x" : "?" })
  }
}
