public import FaceVerify

/// Metadata of a video, read before its frames. The file states them; they are not verified.
public struct VideoInfo: Sendable, Hashable {
  /// Pixels per row of the frames that ``VideoReader`` returns: upright, with square pixels, and at most
  /// ``VideoLimits/maximumSide``.
  public internal(set) var width: Int
  /// Rows of the frames that ``VideoReader`` returns.
  public internal(set) var height: Int
  /// Pixels per row as stored.
  public internal(set) var storedWidth: Int
  /// Rows as stored.
  public internal(set) var storedHeight: Int
  /// Degrees by which a stored frame is rotated clockwise to be upright: 0, 90, 180 or 270, in nearly all files.
  public internal(set) var rotation: Int
  /// Average frames per second; the time stamps have the actual times. nil if unknown.
  public internal(set) var frameRate: Double?
  /// Seconds. nil if the file does not state it.
  public internal(set) var duration: Double?
  /// ffmpeg's name for the codec: "h264", "vp8", "mjpeg"...
  public internal(set) var codec: String
  /// ffmpeg's name for the container: "mov" (MP4 too), "matroska" (WebM too), "avi", "gif" or "mjpeg"; "v4l2" for a
  /// camera.
  public internal(set) var container: String
}

/// One frame of a video or of a camera.
public struct VideoFrame: Sendable {
  /// The upright image: a rotation stated by the file has been applied.
  public let pixels: PixelBuffer

  /// Its presentation or capture time, in seconds on the stream's own clock.
  ///
  /// In a file, the container's time stamp; streams begin at or near 0, but need not. For a camera, the driver's time,
  /// on a monotonic clock. Times of one stream increase from frame to frame, in steps that need not be equal.
  public let time: Double

  public init(pixels: PixelBuffer, time: Double) {
    self.pixels = pixels
    self.time = time
  }
}

/// A supported kind of video file, detected by its first bytes.
///
/// ffmpeg is given the kind, so that it never guesses: a playlist, which could name other files, is never read as one.
enum VideoContainer: String {
  case mov, avi, matroska, gif, mjpeg

  init?(start: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {  // EBML
      self = .matroska
    } else if has("RIFF", at: 0) && has("AVI ", at: 8) {
      self = .avi
    } else if has("GIF8", at: 0) {
      self = .gif
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {  // JPEG's start of image, and a marker
      self = .mjpeg
    } else if ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"].contains(where: { has($0, at: 4) }) {
      self = .mov  // the boxes with which QuickTime files begin; MP4 has ftyp
    } else {
      return nil
    }
  }
}

/// Limits on the cost of a video, and on the size of its frames.
public struct VideoLimits: Sendable, Hashable {
  /// Maximum pixels of a frame as stored.
  ///
  /// The default is that of 8K video, 7680 × 4320: more than any telephone records.
  public var maximumPixels: Int

  /// Maximum seconds from the first frame to the last. The default is ten minutes; liveness sessions last seconds.
  public var maximumSeconds: Double

  /// Maximum number of frames. The default is ten minutes at 60 per second.
  public var maximumFrames: Int

  /// Maximum pixels of a frame's longer side; larger frames are shrunk to it.
  ///
  /// The default is 1280: twice the 640 pixels at which faces are detected, so that a face that takes a quarter of the
  /// frame still fills the input of the models.
  public var maximumSide: Int

  public init(
    maximumPixels: Int = 7680 * 4320, maximumSeconds: Double = 600, maximumFrames: Int = 36_000, maximumSide: Int = 1280
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
