public import FaceVerify
internal import Glibc

/// Writes frames to an MP4 file, which exists, complete, once ``finish()`` has returned, and not before.
///
///     let writer = try VideoWriter(path: "session.mp4", width: 640, height: 480, frameRate: 30)
///     try writer.write(frame.pixels, time: frame.time)
///     try writer.finish()
///
/// Frames keep their times, to the microsecond. Encoding is done by the program `ffmpeg`: H.264 if it has that,
/// otherwise MPEG-4. Odd sides are padded with a black row or column, because H.264 as it is played everywhere has only
/// even ones. Not thread-safe; a writer that is released without ``finish()`` leaves no file.
public final class VideoWriter {
  private let name: String
  private let target: String
  private let width: Int
  private let height: Int
  private var program: PipedProgram?
  private var file: TemporaryFile?
  private var firstTime: Double?
  private var lastMicroseconds = -1

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - path: The file; an existing one is replaced at the end.
  ///   - width: Pixels per row of every frame, 2 to 8192.
  ///   - height: Rows, 2 to 8192.
  ///   - frameRate: Approximate frames per second, which determine how long the last frame is shown. More than 0, to
  ///     1000.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/badArgument``, ``VerifyError/Code/unwritable``, or
  ///   ``VerifyError/Code/unreadable`` if ffmpeg is not installed.
  public init(path: String, width: Int, height: Int, frameRate: Double = 30) throws {
    guard (2...8192).contains(width), (2...8192).contains(height), frameRate > 0, frameRate <= 1000 else {
      throw VerifyError(.badArgument, "no video has \(width)×\(height) pixels, \(frameRate) times a second")
    }
    (name, self.width, self.height) = (path, width, height)
    target = try RegularFile.replaceable(path)
    let encoder = try Self.encoder()
    let temporary = try TemporaryFile(for: target)
    // CRF 18 and q 3 are visually lossless, so that a recording can serve as evidence. The colour space is stated,
    // because players otherwise guess it by the size of the picture.
    let program = try PipedProgram(
      [
        "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-y", "-f", "matroska", "-i", "pipe:0",
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-colorspace", "smpte170m", "-color_range", "tv",
        "-fps_mode", "passthrough", "-enc_time_base", "1:1000000", "-video_track_timescale", "1000000",
      ] + encoder + ["-movflags", "+faststart", "-f", "mp4", "file:" + temporary.path], input: .pipe)
    file = consume temporary
    self.program = program
    try send(RawMatroska.head(width: width, height: height, frameRate: frameRate))
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - pixels: a picture of the size given to the initialiser.
  ///   - time: in seconds, later than the frame before; the file begins with its first frame at 0.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/badArgument``, after which writing may continue;
  ///   ``VerifyError/Code/unwritable``, as for a full disk, or ``VerifyError/Code/wrongState``, after which the writer
  ///   is unusable.
  public func write(_ pixels: PixelBuffer, time: Double) throws {
    guard pixels.width == width, pixels.height == height else {
      throw VerifyError(
        .badArgument, "a frame of \(pixels.width)×\(pixels.height) in a video of \(width)×\(height) pixels")
    }
    // About a year: far from overflow.
    let seconds = time - (firstTime ?? time)
    let microseconds = seconds >= 0 && seconds < 3e7 ? Int((seconds * 1e6).rounded()) : -1
    guard microseconds > lastMicroseconds else {
      throw VerifyError(.badArgument, "a frame at \(time) s is not later than the one before it")
    }
    try send(RawMatroska.frame(microseconds: microseconds, size: pixels.rgb.count))
    try send(pixels.rgb)
    (firstTime, lastMicroseconds) = (firstTime ?? time, microseconds)
  }

  /// Completes the file and renames it to its path.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unwritable``, or ``VerifyError/Code/wrongState`` if there is no
  ///   frame, or the writer has been finished or has failed.
  public func finish() throws {
    guard let program, let file = self.file.take() else { throw Self.isOver }
    guard lastMicroseconds >= 0 else {
      self.program = nil
      throw VerifyError(.wrongState, "\(name): a video needs a frame")
    }
    // The last frames of 8K may still be being encoded.
    let code = program.end(within: 10 * VideoReader.patience)
    self.program = nil
    guard code == 0, program.lastWords == nil else { throw failure(program, code) }
    var number: Int32 = 0
    // ffmpeg opened it by its name: the descriptor refers to the same file.
    if fchmod(file.descriptor, 0o644) != 0 || fsync(file.descriptor) != 0 { number = errno }
    if number == 0 { number = file.rename(to: target) }
    guard number == 0 else { throw VerifyError(.unwritable, "\(name): \(RegularFile.reason(number))") }
  }

  private func send(_ bytes: [UInt8]) throws {
    guard let program else { throw Self.isOver }
    guard try bytes.withUnsafeBytes({ try program.write($0, within: VideoReader.patience) }) else {
      let code = program.end(within: VideoReader.patience)
      self.program = nil
      file = nil
      throw failure(program, code)
    }
  }

  private func failure(_ program: PipedProgram, _ code: Int32) -> VerifyError {
    let isFull = program.words.contains("No space left on device")
    let reason = isFull ? RegularFile.reason(ENOSPC) : program.lastWords ?? "ffmpeg ended with \(code)"
    return VerifyError(.unwritable, "\(name): \(reason)")
  }

  private static let isOver = VerifyError(.wrongState, "the video has been finished, or could not be written")

  /// Returns ffmpeg's options for the best encoder that it has.
  private static func encoder() throws -> [String] {
    let program = try PipedProgram(["ffmpeg", "-hide_banner", "-loglevel", "error", "-encoders"])
    let text = try program.text(within: VideoReader.patience)
    _ = program.end(within: VideoReader.patience)
    return text.contains(" libx264 ")
      ? ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18"] : ["-c:v", "mpeg4", "-q:v", "3"]
  }
}
