internal import FaceVerify

/// ffprobe's report on a file's first video stream.
struct VideoProbe {
  private(set) var info: VideoInfo
  /// The time of the first frame.
  let start: Double?
  /// Number of frames that the file announces.
  let frameCount: Int?
  /// Whether the duration is the stream's own, not that of a longer sound track.
  let isDurationExact: Bool

  /// - Parameter file: an open file, whose offset is not changed.
  init(_ file: Int32, _ container: VideoContainer, limits: VideoLimits) throws {
    let program = try PipedProgram(
      ["ffprobe", "-hide_banner", "-loglevel", "error"] + Self.input(container, limits) + [
        "-select_streams", "V:0", "-of", "flat", "-show_entries",
        "stream=codec_name,width,height,sample_aspect_ratio,r_frame_rate,avg_frame_rate,start_time,duration,nb_frames"
          + ":stream_tags=DURATION:stream_side_data=rotation:format=duration,nb_streams",
      ], input: .file(file))
    let text = try program.text(within: VideoReader.patience)
    let code = program.end(within: VideoReader.patience)
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      // streams.stream.0.tags.DURATION="00:00:02.003000000", streams.stream.0.side_data_list.side_data.0.rotation=90
      let key = line[..<equals].split(separator: ".")
      let name = (key.first == "format" ? "format." : "") + (key.last ?? "")
      let value = line[line.index(after: equals)...].filter { $0 != "\"" }
      if value != "N/A" { fields[name] = value }
    }
    if program.words.contains("not on whitelist") {
      let codec = program.words.firstMatch(of: /Codec \(([a-z0-9_-]+)\) not on/).map { " (\($0.1))" } ?? ""
      throw VerifyError(
        .unknownFormat,
        "pictures or sound stored in this way\(codec) are not read; convert it, as by ffmpeg -i FILE out.mp4")
    }
    if program.words.contains("exceeds specified max pixel count") {
      throw VerifyError(
        .tooLarge, "its pictures have more than \(limits.maximumPixels) pixels; shrink them, or raise maximumPixels")
    }
    guard code == 0 else {
      throw VerifyError(
        .damaged, "the video cannot be read (\(program.lastWords ?? "exit code \(code)")); record or copy it again")
    }
    guard let codec = fields["codec_name"] else {
      throw fields["format.nb_streams"] == "0"
        ? VerifyError(.damaged, "nothing in this file can be read; record or copy it again")
        : VerifyError(.unknownFormat, "there is no video in this file")
    }
    func integer(_ name: String) -> Int? { fields[name].flatMap { Int($0) } }
    func number(_ name: String) -> Double? { fields[name].flatMap { Double($0) } }
    guard let width = integer("width"), let height = integer("height"), width > 0, height > 0 else {
      throw VerifyError(.damaged, "the size of its pictures cannot be found; record or copy it again")
    }
    try limits.check(width: width, height: height)
    // ffprobe counts anticlockwise, from -180 to 180.
    let angle = integer("rotation") ?? 0
    let rotation = ((-angle % 360) + 360) % 360
    (start, frameCount) = (number("start_time"), integer("nb_frames"))
    var duration = number("duration") ?? fields["DURATION"].flatMap(Self.seconds)
    isDurationExact = duration != nil
    duration = duration ?? number("format.duration")
    // In Matroska, it is the time of the end.
    if container == .matroska, let end = duration { duration = end - (start ?? 0) }
    info = VideoInfo(
      width: width, height: height, storedWidth: width, storedHeight: height, rotation: rotation,
      frameRate: Self.ratio(fields["avg_frame_rate"]) ?? Self.ratio(fields["r_frame_rate"]), duration: duration,
      codec: codec.printable, container: container.rawValue)
    // Square pixels, upright, within the limit.
    let aspect = Self.ratio(fields["sample_aspect_ratio"]) ?? 1
    var shape = (width: Double(width) * min(max(aspect, 0.1), 10), height: Double(height))
    if [90, 270].contains(info.rotation) { shape = (shape.height, shape.width) }
    let scale = min(1, Double(max(limits.maximumSide, 16)) / max(shape.width, shape.height))
    info.width = max(1, Int((shape.width * scale).rounded()))
    info.height = max(1, Int((shape.height * scale).rounded()))
  }

  /// Returns the arguments for ffprobe and ffmpeg to read the file on their standard input: it is reopened, so that
  /// they can seek, and its name is irrelevant. Nothing else may be opened.
  static func input(_ container: VideoContainer, _ limits: VideoLimits) -> [String] {
    [
      "-protocol_whitelist", "file", "-f", container.rawValue, "-codec_whitelist", decoders,
      "-max_pixels", "\(limits.maximumPixels)", "-i", "file:/dev/stdin",
    ]
  }

  /// Decoders for what cameras, telephones and browsers write, or wrote, out of ffmpeg's hundreds: mpeg4 is XviD and
  /// DivX 4 or later, msmpeg4 (version 3) earlier DivX. Those for sound are included because ffprobe refuses a file
  /// that needs any other.
  private static let decoders =
    "h264,hevc,av1,libdav1d,libaom-av1,vp8,libvpx,vp9,libvpx-vp9,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h263,mpeg1video,"
    + "mpeg2video,dvvideo,wmv1,wmv2,mjpeg,gif,rawvideo,prores,"
    + "aac,aac_latm,ac3,alac,amrnb,amrwb,flac,mp2,mp2float,mp3,mp3float,opus,vorbis,wmav1,wmav2,adpcm_ms,adpcm_ima_wav,"
    + "adpcm_ima_qt,pcm_alaw,pcm_mulaw,pcm_s16le,pcm_s16be,pcm_s24le,pcm_u8,mov_text"

  /// Parses "30000/1001" or "4:3"; nil if it is not a positive number.
  private static func ratio(_ text: String?) -> Double? {
    let parts = (text ?? "").split(whereSeparator: { $0 == "/" || $0 == ":" }).compactMap { Double($0) }
    guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
    return parts[0] / parts[1]
  }

  /// "00:00:02.003000000"
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil
  }
}
