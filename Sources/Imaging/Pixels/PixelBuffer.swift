/// An upright picture: 8-bit RGB, rows tightly packed, origin at the top left.
public struct PixelBuffer: Sendable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// `3 * width * height` bytes, red first.
  public internal(set) var rgb: [UInt8]

  /// - Throws: ``VerifyError/Code/badArgument`` if `rgb` does not hold exactly `3 * width * height` bytes.
  public init(width: Int, height: Int, rgb: [UInt8]) throws {
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, rgb.count == 3 * width * height else {
      throw VerifyError(
        .badArgument,
        "\(rgb.count) bytes are not a \(width)×\(height) RGB picture (3 bytes a pixel, sides of 1 to \(1 << 20))")
    }
    (self.width, self.height, self.rgb) = (width, height, rgb)
  }
}
