import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

/// All that start ffmpeg, one after the other: some count the children of this process.
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

    @Test("every frame comes once, with the time that the container gives it", arguments: kinds)
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

    @Test(
      "all clips that are there are read as ffprobe reads them", .needsShared("testdata/video"),
      arguments: clips)
    func clip(path: String) throws {
      let reader = try VideoReader(path: path)
      #expect(areSame(try reader.times(), try Videos.times(path)))
      #expect(!reader.endedEarly)
    }

    private static let clipFolder = Installed.shared + "/testdata/video"
    // The one AVI file there has a codec (msmpeg4v3) that is refused.
    private static let clips = names(in: clipFolder).filter { !$0.hasSuffix(".avi") }.map { clipFolder + "/" + $0 }
  }
}
