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
