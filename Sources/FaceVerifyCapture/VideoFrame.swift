public import FaceVerify

/// One picture of a video or of a camera.
public struct VideoFrame: Sendable {
  /// The picture, upright: a rotation that the file asks for has been applied.
  public let pixels: PixelBuffer

  /// When it is shown or was taken, in seconds on the stream's own clock.
  ///
  /// In a file, the container's time stamp; streams begin at or near 0, but need not. Of a camera, the time that its
  /// driver gives, on a clock that is never set. Times of one stream grow from frame to frame, in steps that need not be
  /// equal.
  public let time: Double

  public init(pixels: PixelBuffer, time: Double) {
    self.pixels = pixels
    self.time = time
  }
}
