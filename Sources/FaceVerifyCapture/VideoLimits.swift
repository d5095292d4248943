internal import FaceVerify

/// What a video may cost at most, and how large its frames are given.
public struct VideoLimits: Sendable, Hashable {
  /// Pixels of a frame as it is stored.
  ///
  /// The default is that of 8K video, 7680 × 4320: more than any telephone records.
  public var maximumPixels: Int

  /// Seconds from the first frame to the last. The default is ten minutes; what is judged here lasts seconds.
  public var maximumSeconds: Double

  /// Frames. The default is ten minutes of 60 a second.
  public var maximumFrames: Int

  /// Pixels of a frame's longer side; larger frames are shrunk to it.
  ///
  /// The default is 1280: twice the 640 pixels at which faces are looked for, so that a face which takes a quarter of
  /// the frame still fills what the models take in.
  public var maximumSide: Int

  public init(
    maximumPixels: Int = 7680 * 4320, maximumSeconds: Double = 600, maximumFrames: Int = 36_000,
    maximumSide: Int = 1280
  ) {
    self.maximumPixels = maximumPixels
    self.maximumSeconds = maximumSeconds
    self.maximumFrames = maximumFrames
    self.maximumSide = maximumSide
  }

  func check(width: Int, height: Int) throws {
    try ImageLimits(maximumPixels: maximumPixels).check(width: width, height: height)
  }
}
