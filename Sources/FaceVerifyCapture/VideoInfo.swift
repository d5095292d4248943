public import FaceVerify

/// What a video says of itself before its frames are read. None of it is more than a claim of the file.
public struct VideoInfo: Sendable, Hashable {
  /// Pixels a row of the frames as ``VideoReader`` gives them: upright, square, and not above
  /// ``VideoLimits/maximumSide``.
  public internal(set) var width: Int
  /// Rows of the frames as ``VideoReader`` gives them.
  public internal(set) var height: Int
  /// Pixels a row as stored.
  public internal(set) var storedWidth: Int
  /// Rows as stored.
  public internal(set) var storedHeight: Int
  /// Degrees by which a stored frame is turned clockwise to be upright: 0, 90, 180 or 270, in nearly all files.
  public internal(set) var rotation: Int
  /// Frames a second, on average; the time stamps say when each frame really comes. nil if unknown.
  public internal(set) var frameRate: Double?
  /// Seconds. nil if the file does not tell.
  public internal(set) var duration: Double?
  /// How the frames are stored, as ffmpeg calls it: "h264", "vp8", "mjpeg"...
  public internal(set) var codec: String
  /// The kind of file, as ffmpeg calls it: "mov" (MP4 too), "matroska" (WebM too), "avi", "gif" or "mjpeg"; "v4l2" for a
  /// camera.
  public internal(set) var container: String
}

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

/// A kind of video file that is read, known by its first bytes.
///
/// ffmpeg is told the kind, so that it guesses nothing: a playlist, which could name other files, is never read as one.
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
