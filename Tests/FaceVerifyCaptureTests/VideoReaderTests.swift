import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

/// All tests that start ffmpeg, serialised: some count the children of this process.
@Suite("Capture", .needsFFmpeg, .serialized) struct CaptureTests {}

extension CaptureTests {
  @Suite("Video files") struct VideoFiles {
    /// Name, source, options of the output, frames.
    private static let kinds: [(String, String, [String], Int)] = [
      ("h264.mp4", "size=160x120:rate=30:duration=2", ["-pix_fmt", "yuv420p"], 60),
      ("sixty.mp4", "size=160x120:rate=60:duration=1", ["-pix_fmt", "yuv420p"], 60),
      ("five.mp4", "size=160x120:rate=5:duration=2", ["-pix_fmt", "yuv420p"], 10),
      ("one.mp4", "size=160x120:rate=30:duration=0.03", ["-pix_fmt", "yuv420p"], 1),
      ("odd.mp4", "size=161x121:rate=30000/1001:duration=1", [], 30),
      (
        "variable.mp4", "size=160x120:rate=30:duration=2",
        ["-vf", "select='not(mod(n,3))+eq(mod(n,7),0)'", "-fps_mode", "vfr"], 26
      ),
      ("moved.mkv", "size=160x120:rate=25:duration=1", ["-output_ts_offset", "3600"], 25),
      ("a.webm", "size=160x120:rate=30:duration=1", ["-c:v", "libvpx"], 30),
      ("a.gif", "size=160x120:rate=10:duration=2", [], 20),
      ("a.avi", "size=160x120:rate=30:duration=1", ["-c:v", "mjpeg"], 30),
      ("a.mjpeg", "size=160x120:rate=25:duration=1", ["-c:v", "mjpeg", "-f", "mjpeg"], 25),
      ("a.mov", "size=160x120:rate=30:duration=1", ["-c:v", "mpeg4"], 30),
      ("-y.mp4", "size=160x120:rate=30:duration=1", [], 30),
      ("http:a%d'?*.mp4", "size=160x120:rate=30:duration=1", [], 30),
    ]

    // Rows: J53
    @Test("every frame is read once, with its time in the container", arguments: kinds)
    func kind(name: String, source: String, options: [String], count: Int) throws {
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/" + name, source, options)
        let reader = try VideoReader(path: folder + "/" + name)
        let times = try reader.times()
        #expect(times.count == count && reader.frameCount == count && !reader.endedEarly)
        #expect(areSame(times, try Videos.times(folder + "/" + name)), "\(times)")
        #expect(try reader.next().isNone)
      }
    }

    /// The vendor's name of a format, ffmpeg's name of the codec, and options that produce such a file. Microsoft's
    /// first version has no encoder.
    static let oldCodecs: [(String, String, [String])] = [
      ("XVID.avi", "mpeg4", ["-c:v", "mpeg4", "-vtag", "XVID"]),
      ("DIVX.avi", "mpeg4", ["-c:v", "mpeg4", "-vtag", "DIVX", "-bf", "2"]),
      ("DX50.avi", "mpeg4", ["-c:v", "mpeg4", "-vtag", "DX50", "-flags", "+qpel", "-mbd", "rd"]),
      ("mp4v.mp4", "mpeg4", ["-c:v", "mpeg4"]),
      ("DIV3.avi", "msmpeg4v3", ["-c:v", "msmpeg4", "-vtag", "DIV3"]),
      ("MP43.avi", "msmpeg4v3", ["-c:v", "msmpeg4"]),
      ("MP42.avi", "msmpeg4v2", ["-c:v", "msmpeg4v2"]),
      ("WMV1.avi", "wmv1", ["-c:v", "wmv1"]),
      ("WMV2.avi", "wmv2", ["-c:v", "wmv2"]),
      ("mpg1.avi", "mpeg1video", ["-c:v", "mpeg1video", "-bf", "0"]),
      ("mpg2.mkv", "mpeg2video", ["-c:v", "mpeg2video"]),
      ("dvsd.avi", "dvvideo", ["-s", "720x576", "-pix_fmt", "yuv420p", "-c:v", "dvvideo"]),
      ("H263.avi", "h263", ["-s", "176x144", "-c:v", "h263"]),
      ("MJPG.avi", "mjpeg", ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]),
    ]

    @Test("files of old cameras and programs are read as well, with their sound", arguments: oldCodecs)
    func oldCodec(name: String, codec: String, options: [String]) throws {
      try withTemporaryFolder { folder in
        let path = folder + "/" + name
        let sound = ["-f", "lavfi", "-i", "sine", "-c:a", "mp2", "-shortest"]
        try Videos.make(path, "size=160x120:rate=25:duration=1", sound + options)
        let reader = try VideoReader(path: path)
        #expect(reader.info.codec == codec)
        let times = try reader.times()
        #expect(times.count == 25 && !reader.endedEarly, "\(times.count)")
        // AVI has no times for reordered frames; ffprobe returns none for them.
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
      }
    }

    @Test(
      "all available clips are read as by ffprobe", .needsShared("testdata/video"),
      arguments: clips)
    func clip(path: String) throws {
      let reader = try VideoReader(path: path)
      #expect(areSame(try reader.times(), try Videos.times(path)))
      #expect(!reader.endedEarly)
    }

    private static let clipFolder = Installed.shared + "/testdata/video"
    private static let clips = names(in: clipFolder).map { clipFolder + "/" + $0 }
  }
}
