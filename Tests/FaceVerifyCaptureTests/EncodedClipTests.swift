import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

extension CaptureTests {
  /// A few of the variants that `training/liveness/encodings.py` makes of all clips.
  @Suite("Clips after transmission", .needsModels, .needsShared("testdata/video")) struct EncodedClips {
    private static let engine = Swift.Result {
      var configuration = FaceEngine.Configuration()
      configuration.modelSet = Installed.set
      configuration.modelsFolder = Installed.models
      return try FaceEngine(configuration)
    }

    private static let folder = Installed.shared + "/testdata/video/"

    /// Options of the encoder, frames per second, and pixels of the shorter side.
    private static let encodings: [(codec: [String], rate: Int, lines: Int)] = [
      (["-c:v", "mjpeg", "-q:v", "5", "-pix_fmt", "yuvj420p"], 10, 480),
      (["-c:v", "libx264", "-b:v", "1M", "-tune", "zerolatency", "-pix_fmt", "yuv420p"], 8, 360),
      (["-c:v", "libvpx", "-b:v", "1M", "-deadline", "realtime"], 12, 480),
    ]

    private func decision(of clip: String, _ encoding: (codec: [String], rate: Int, lines: Int)) throws
      -> LivenessDecision
    {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mkv"
        let size = "if(gt(iw,ih),-2,\(encoding.lines)):if(gt(iw,ih),\(encoding.lines),-2)".replacing(",", with: "\\,")
        try Videos.run(
          ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", Self.folder + clip, "-an", "-vf"]
            + ["fps=\(encoding.rate),scale=\(size)"] + encoding.codec + [path])
        var configuration = LivenessSession.Configuration()
        configuration.policy = .passiveOnly
        let session = try LivenessSession(engine: Self.engine.get(), configuration: configuration)
        let reader = try VideoReader(path: path)
        while let frame = try reader.next() { try session.add(frame.pixels, at: frame.time) }
        return try session.finish()
      }
    }

    @Test(
      "bona fide clips fail no signal that decides alone",
      arguments: ["mead_M030_front_happy_level3_001.mp4", "lp_d18.mp4", "tvl_real.mp4"])
    func living(clip: String) throws {
      for encoding in Self.encodings {
        let decision = try decision(of: clip, encoding)
        let failed = decision.checks.filter { $0.status == .failed && decision.policy.fatal.contains($0.name) }
        // The texture network is measured elsewhere.
        #expect(failed.allSatisfy { $0.name == .texture }, "\(encoding): \(failed)")
        #expect(decision[.moire]?.value ?? 0 < 8 && decision[.refreshBands]?.status != .failed)
      }
    }

    @Test("a replay is still detected as a replay", arguments: ["wolf_replay.mp4"])
    func replay(clip: String) throws {
      for encoding in Self.encodings {
        #expect(try decision(of: clip, encoding).result == .presentationAttack, "\(encoding)")
      }
    }
  }
}
