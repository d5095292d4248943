/// Limits on the size of a picture. Checked against the header before any allocation of that size.
public struct ImageLimits: Sendable, Hashable {
  /// Pixels of the stored picture, at full size.
  ///
  /// The default is 100 million: twice the sensor of a good phone, and 300 MB as RGB. Decoding needs up to twice that
  /// in addition for a progressive JPEG, and four times for JPEG 2000. 25 million suffice for a server that reads many
  /// pictures concurrently, since a face needs far less.
  public var maximumPixels: Int

  /// Bytes of the file.
  ///
  /// The default is 64 MiB: a 20-megapixel PNG of a real scene, and far more than any camera's JPEG.
  public var maximumBytes: Int

  public init(maximumPixels: Int = 100_000_000, maximumBytes: Int = 64 << 20) {
    self.maximumPixels = maximumPixels
    self.maximumBytes = maximumBytes
  }

  /// Keeps products of sides far from overflow.
  static let maximumSide = 1 << 20

  package func check(width: Int, height: Int) throws {
    guard max(width, height) <= Self.maximumSide else {
      throw VerifyError(
        .tooLarge, "the picture has \(width)×\(height) pixels, the limit per side is \(Self.maximumSide)")
    }
    guard width * height > maximumPixels else { return }
    throw VerifyError(
      .tooLarge,
      "the picture has \(width)×\(height) pixels, the limit is \(maximumPixels) pixels in total; reduce it, or raise the limit"
    )
  }

  package func check(byteCount: Int) throws {
    guard byteCount > maximumBytes else { return }
    throw VerifyError(
      .tooLarge, "the picture has \(byteCount) bytes, the limit is \(maximumBytes); reduce it, or raise the limit")
  }
}
