internal import FaceVerify
internal import Glibc

/// Reads the frames of a video file or of a camera in order, with the time of each.
///
///     let reader = try VideoReader(path: "selfie.mp4")
///     while let frame = try reader.next() {
///       print(frame.time, frame.pixels.width)
///     }
///
/// Reads MP4, MOV, Matroska, WebM, AVI, GIF and Motion JPEG, detected by content and not by name, with the codecs of
/// cameras, telephones and browsers, including old ones: H.264, HEVC, AV1, VP8 and VP9, MPEG-1, -2 and -4 (XviD, DivX),
/// Microsoft's MPEG-4, WMV 7 and 8, H.263, DV, ProRes, Motion JPEG, and uncompressed. Decoding is done by the program
/// `ffmpeg`, which runs as long as the reader exists and may open no other file. Memory use is constant: at most one
/// frame is read ahead.
///
/// Not thread-safe.
public final class VideoReader {
  /// Metadata of the video.
  public let info: VideoInfo

  /// Whether the video was found to be truncated, as a file is that was not copied or recorded to its end. Known once
  /// ``next()`` has returned nil.
  ///
  /// It is truncated if its last frame comes before the end that the file announces, or, in a file that announces none,
  /// if ffmpeg reported an error. A file that announces none and is cut between two frames appears complete.
  public private(set) var endedEarly = false

  /// Number of frames that ``next()`` has returned.
  public private(set) var frameCount = 0

  /// Seconds without data after which ffmpeg is abandoned. Chosen: a frame of 8K takes a tenth of a second.
  static let patience = 30.0

  /// nil for a camera.
  private let probe: VideoProbe?
  private let limits: VideoLimits
  private let name: String
  private let patience: Double
  private var program: PipedProgram?
  private var stamps = TimeStamps()
  private var firstTime: Double?
  private var lastTime = 0.0

  /// Opens a video file. Only regular files are read, so this never blocks on a pipe.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unreadable`` (also if ffmpeg is not installed),
  ///   ``VerifyError/Code/unknownFormat``, ``VerifyError/Code/damaged`` or ``VerifyError/Code/tooLarge``; the message
  ///   names the file.
  public convenience init(path: String, limits: VideoLimits = .init()) throws {
    let name = path
    let (file, size) = try RegularFile.open(path: path)
    defer { close(file) }
    guard size > 0 else { throw VerifyError(.unknownFormat, "\(name) is empty") }
    var start = [UInt8](repeating: 0, count: 256)
    start.removeLast(start.count - max(0, pread(file, &start, start.count, 0)))
    guard let container = VideoContainer(start: start) else {
      let isText = start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || (0x09...0x0D).contains($0) }
      throw VerifyError(
        .unknownFormat,
        "\(name) is \(isText ? "a text file" : "no video"); MP4, MOV, MKV, WebM, AVI, GIF and Motion JPEG are read")
    }
    let probe = try VerifyError.naming(name) { try VideoProbe(file, container, limits: limits) }
    if let duration = probe.info.duration, duration > limits.maximumSeconds {
      throw VerifyError(
        .tooLarge, "\(name) lasts \(duration) s, the limit is \(limits.maximumSeconds); cut it, or raise maximumSeconds"
      )
    }
    try self.init(
      name, VideoProbe.input(container, limits), .file(file), info: probe.info, probe: probe, limits: limits,
      patience: Self.patience)
  }

  /// - Parameters:
  ///   - input: ffmpeg's input options; `file` is its standard input.
  ///   - patience: the timeout for a frame, in seconds.
  init(
    _ name: String, _ input: [String], _ file: PipedProgram.Input, info: VideoInfo, probe: VideoProbe?,
    limits: VideoLimits, patience: Double
  ) throws {
    (self.name, self.info, self.probe) = (name, info, probe)
    (self.limits, self.patience) = (limits, patience)
    program = try PipedProgram(Self.arguments(input, info), input: file)
  }

  /// Returns the next frame; nil at the end of the video, see ``endedEarly``, and after an error. Blocks for a camera.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/damaged`` if not a single frame can be decoded,
  ///   ``VerifyError/Code/tooLarge`` if there are more frames or seconds than the limits allow, or
  ///   ``VerifyError/Code/unreadable`` after 30 seconds without data. A camera ends only by an error:
  ///   ``VerifyError/Code/cameraLost``, ``VerifyError/Code/cameraBusy`` or ``VerifyError/Code/cameraNotPermitted``.
  public func next() throws -> VideoFrame? {
    guard let program else { return nil }
    do {
      if let frame = try frame(from: program) { return frame }
      try finish(program)
    } catch let error as VerifyError {
      self.program = nil
      if probe == nil, error.code == .unreadable { throw VerifyError(.cameraLost, "\(name): \(error.message)") }
      throw error.about(name)
    }
    self.program = nil
    return nil
  }

  private func frame(from program: PipedProgram) throws -> VideoFrame? {
    guard let time = try stamps.next(from: program, size: 3 * info.width * info.height, within: patience) else {
      return nil
    }
    guard frameCount < limits.maximumFrames else {
      throw VerifyError(
        .tooLarge, "there are more than \(limits.maximumFrames) frames; cut the video, or raise maximumFrames")
    }
    guard time - (firstTime ?? time) <= limits.maximumSeconds else {
      throw VerifyError(
        .tooLarge, "the video lasts longer than \(limits.maximumSeconds) s; cut it, or raise maximumSeconds")
    }
    var isWhole = true
    let pixels = try PixelBuffer(width: info.width, height: info.height) { memory in
      var done = 0
      while done < memory.count {
        let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[done...]))
        let count = try program.read(.standard, into: rest, within: patience)
        if count == 0 {
          isWhole = false
          rest.initializeMemory(as: UInt8.self, repeating: 0)
          return
        }
        done += count
      }
    }
    guard isWhole else { return nil }
    frameCount += 1
    (firstTime, lastTime) = (firstTime ?? time, time)
    return VideoFrame(pixels: pixels, time: time)
  }

  /// Evaluates how the stream ended.
  private func finish(_ program: PipedProgram) throws {
    let code = program.end(within: patience)
    guard let probe else { throw Self.cameraFailure(program) }
    guard frameCount > 0 else {
      throw VerifyError(
        .damaged,
        "not one frame can be decoded (\(program.lastWords ?? "exit code \(code)")); record or copy the video again")
    }
    let isComplete: Bool
    if let duration = info.duration {
      // The last frame is shown for about as long as others. If only the whole file's duration is known, half a second
      // of sound may follow the last frame. Chosen.
      let tolerance = 1.5 / (info.frameRate ?? 25) + (probe.isDurationExact ? 0 : 0.5)
      isComplete = lastTime + tolerance >= (probe.start ?? 0) + duration || frameCount >= probe.frameCount ?? .max
    } else {
      isComplete = program.lastWords == nil
    }
    endedEarly = code != 0 || !isComplete
  }

  /// Returns ffmpeg's arguments: every frame is output once and unchanged, never duplicated or dropped, and its time
  /// stamp goes to a separate checksum list. One muxer writes both, the line first, so that they stay in step.
  private static func arguments(_ input: [String], _ info: VideoInfo) -> [String] {
    // Frames keep their aspect ratio, in square pixels. If it changes within the stream, as when a telephone is
    // rotated, black bars are added; a difference of 2 % is rounding.
    let (width, height) = (info.width, info.height)
    let isSame = "lt(abs(dar*\(height)/\(width)-1),0.02)"
    let fit =
      "scale=w='if(\(isSame),\(width),max(1,min(\(width),round(\(height)*dar))))'"
      + ":h='if(\(isSame),\(height),max(1,min(\(height),round(\(width)/dar))))':flags=area"
      + ",setsar=1,pad=\(width):\(height):-1:-1"
    return ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-copyts"] + input + [
      "-map", "0:V:0", "-vf", fit, "-c:v", "rawvideo", "-pix_fmt", "rgb24",
      "-fps_mode", "passthrough", "-enc_time_base", "1:1000000", "-avoid_negative_ts", "disabled",
      "-f", "tee", "[f=framecrc:flush_packets=1]pipe:3|[f=rawvideo:flush_packets=1]pipe:1",
    ]
  }
}
