public import FaceVerify
internal import Glibc

/// Writes frames as an MP4 file, which is there whole once ``finish()`` has come back, and not at all before.
///
///     let writer = try VideoWriter(path: "session.mp4", width: 640, height: 480, frameRate: 30)
///     try writer.write(frame.pixels, time: frame.time)
///     try writer.finish()
///
/// The frames keep their times, to the microsecond. The work is done by the program `ffmpeg`: H.264 where it has that,
/// else MPEG-4. Sides of an odd number of pixels get a black row or column, since H.264 as it is played everywhere has
/// none. A writer is used by one thread at a time; one that goes without ``finish()`` leaves no file.
public final class VideoWriter {
  private let name: String
  private let target: String
  private let width: Int
  private let height: Int
  private var program: PipedProgram?
  private var file: TemporaryFile?
  private var firstTime: Double?
  private var lastMicroseconds = -1

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: Of the file; one that is there is replaced in the end.
  ///   - width: Pixels a row of every frame, 2 to 8192.
  ///   - height: Rows, 2 to 8192.
  ///   - frameRate: Frames a second, about: it tells how long the last frame is shown. More than 0, to 1000.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/badArgument``, ``VerifyError/Code/unwritable``, or
  ///   ``VerifyError/Code/unreadable`` if ffmpeg is not installed.
  public init(path: String, width: Int, height: Int, frameRate: Double = 30) throws {
    guard (2...8192).contains(width), (2...8192).contains(height), frameRate > 0, frameRate <= 1000 else {
      throw VerifyError(.badArgument, "no video has \(width)×\(height) pixels, \(frameRate) times a second")
    }
    name = path
    self.width = width
    self.height = height
    target = try RegularFile.replaceable(path)
    let encoder = try Self.encoder()
    let temporary = try TemporaryFile(for: target)
    // CRF 18 and q 3 cannot be told from the original by eye, so that a recording can stand as evidence. What the
    // colours mean is written down, as players guess otherwise for small and for large pictures.
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
  ///   - pixels: of the size that the writer was made for.
  ///   - time: in seconds, later than the frame before; the file begins with its first frame at 0.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/badArgument``, after which one may go on;
  ///   ``VerifyError/Code/unwritable``, as for a full disk, or ``VerifyError/Code/wrongState``, after which the writer is
  ///   of no more use.
  public func write(_ pixels: PixelBuffer, time: Double) throws {
    guard pixels.width == width, pixels.height == height else {
      throw VerifyError(
        .badArgument, "a frame of \(pixels.width)×\(pixels.height) in a video of \(width)×\(height) pixels")
    }
    // A year: far from what overflows.
    let seconds = time - (firstTime ?? time)
    let microseconds = seconds >= 0 && seconds < 3e7 ? Int((seconds * 1e6).rounded()) : -1
    guard microseconds > lastMicroseconds else {
      throw VerifyError(.badArgument, "a frame at \(time) s is not later than the one before it")
    }
    try send(RawMatroska.frame(microseconds: microseconds, size: pixels.rgb.count))
    try send(pixels.rgb)
    if firstTime == nil { firstTime = time }
    lastMicroseconds = microseconds
  }

  /// Ends the file and gives it its name.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unwritable``, or ``VerifyError/Code/wrongState`` if there is no
  ///   frame, or the writer has been finished or has failed.
  public func finish() throws {
    guard let program, let file = self.file.take() else { throw Self.isOver }
    guard lastMicroseconds >= 0 else {
      self.program = nil
      throw VerifyError(.wrongState, "\(name): a video needs a frame")
    }
    // The last frames of 8K are encoded meanwhile.
    let code = program.end(within: 10 * VideoReader.patience)
    self.program = nil
    guard code == 0, program.lastWords == nil else { throw failure(program, code) }
    var number: Int32 = 0
    // ffmpeg opened it by its name: the descriptor is of the same file.
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

  /// ffmpeg's options for the best encoder that it has.
  private static func encoder() throws -> [String] {
    let program = try PipedProgram(["ffmpeg", "-hide_banner", "-loglevel", "error", "-encoders"])
    let text = try program.text(within: VideoReader.patience)
    _ = program.end(within: VideoReader.patience)
    return text.contains(" libx264 ")
      ? ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18"] : ["-c:v", "mpeg4", "-q:v", "3"]
  }
}
