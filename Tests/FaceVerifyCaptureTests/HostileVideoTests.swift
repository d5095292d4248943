import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

extension CaptureTests {
  @Suite("Malformed files") struct HostileVideos {
    /// The error for a file of these bytes, thrown by the reader or by its first frame.
    private func error(_ bytes: some Collection<UInt8>, limits: VideoLimits = .init()) throws -> VerifyError? {
      try withTemporaryFolder { folder in
        try write(bytes, to: folder + "/video.mp4")
        return error(path: folder + "/video.mp4", limits: limits)
      }
    }

    private func error(path: String, limits: VideoLimits = .init()) -> VerifyError? {
      do {
        let reader = try VideoReader(path: path, limits: limits)
        while try !reader.next().isNone {}
        return nil
      } catch let error as VerifyError {
        #expect(!error.message.isEmpty && !error.message.contains { $0.isNewline }, "\(error)")
        return error
      } catch {
        Issue.record(error)
        return nil
      }
    }

    private func bytes(of path: String) throws -> [UInt8] {
      [UInt8](try #require(FileManager.default.contents(atPath: path)))
    }

    @Test("a file that is not a video is rejected without ffmpeg")
    func unknown() throws {
      let playlists = [
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile /etc/passwd\n", "v=0\no=- 0 0 IN IP4 127.0.0.1\n", "just text\n", "",
      ]
      for text in playlists { #expect(try error(text.utf8)?.code == .unknownFormat, "\(text)") }
      var random = SystemRandomNumberGenerator()
      let noise = [0] + (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(try error(noise)?.code == .unknownFormat)
      #expect(try error([0xFF])?.code == .unknownFormat)
    }

    @Test("a file that is not regular is rejected immediately")
    func irregular() throws {
      try withTemporaryFolder { folder in
        #expect(mkfifo(folder + "/pipe.mp4", 0o600) == 0)
        let start = Date()
        for path in [folder + "/pipe.mp4", folder, folder + "/none.mp4", "/dev/zero"] {
          #expect(error(path: path)?.code == .unreadable)
        }
        #expect(error(path: "")?.code == .badArgument)
        #expect(Date().timeIntervalSince(start) < 30)
      }
    }

    @Test("noise after a valid beginning is damage", arguments: ["mp4", "mkv", "avi", "gif", "mjpeg"])
    func noise(kind: String) throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a." + kind
        try Videos.make(path)
        let whole = try bytes(of: path)
        let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 5) }
        for count in [12, 40, 200] {
          let code = try error(whole.prefix(count) + noise)?.code
          #expect(
            code == .damaged || code == .unknownFormat || code == .tooLarge, "\(count): \(code ?? .internalFailure)")
        }
      }
    }

    @Test("a truncated file yields its frames, and its early end is reported")
    func truncated() throws {
      try withTemporaryFolder { folder in
        let kinds: [(String, [String])] = [
          ("a.mp4", ["-pix_fmt", "yuv420p", "-movflags", "faststart"]), ("a.mkv", []), ("a.webm", ["-c:v", "libvpx"]),
          ("a.avi", ["-c:v", "mjpeg"]), ("a.gif", []), ("a.mjpeg", ["-c:v", "mjpeg"]),
          ("live.webm", ["-c:v", "libvpx", "-live", "1"]),
        ]
        for (name, options) in kinds {
          let path = folder + "/" + name
          try Videos.make(path, "size=160x120:rate=30:duration=2", options)
          let whole = try VideoReader(path: path)
          let times = try whole.times()
          #expect(!whole.endedEarly, "\(name)")
          let all = try bytes(of: path)
          try write(all.prefix(all.count * 6 / 10), to: path)
          let cut = try VideoReader(path: path)
          let some = try cut.times()
          #expect(cut.endedEarly && !some.isEmpty && some.count < times.count, "\(name): \(some.count)")
          #expect(areSame(some, Array(times.prefix(some.count))), "\(name)")
          #expect(try cut.next().isNone)
        }
      }
    }

    @Test("a file truncated before the first frame, or before an index at the end, is damaged")
    func nothingLeft() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mp4"
        try Videos.make(path)
        #expect(try error(bytes(of: path).dropLast(100))?.code == .damaged)
        try Videos.make(folder + "/a.mjpeg", "size=160x120:rate=30:duration=0.03", ["-c:v", "mjpeg"])
        #expect(try error(bytes(of: folder + "/a.mjpeg").prefix(300))?.code == .damaged)
      }
    }

    @Test("mutations do no harm")
    func corrupt() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mp4"
        try Videos.make(path, "size=160x120:rate=30:duration=2", ["-movflags", "faststart"])
        let whole = try bytes(of: path)
        for seed in 1...6 {
          var changed = whole
          for place in stride(from: 48 + 7 * seed, to: changed.count, by: 101 * seed) { changed[place] ^= 0x55 }
          _ = try error(changed)
        }
      }
    }

    @Test("truncated, mutated, oversized or mislabelled files of old codecs do no harm")
    func oldCodecs() throws {
      try withTemporaryFolder { folder in
        for (name, _, options) in CaptureTests.VideoFiles.oldCodecs {
          let path = folder + "/" + name
          try Videos.make(path, "size=160x120:rate=25:duration=2", options)
          let whole = try bytes(of: path)
          let all = try VideoReader(path: path).times()
          #expect(error(path: path, limits: VideoLimits(maximumPixels: 10_000))?.code == .tooLarge, "\(name)")
          #expect(error(path: path, limits: VideoLimits(maximumFrames: all.count - 1))?.code == .tooLarge, "\(name)")
          if !name.hasSuffix(".mp4") {
            try write(whole.prefix(whole.count * 6 / 10), to: path)
            let cut = try VideoReader(path: path)
            let some = try cut.times()
            #expect(cut.endedEarly && !some.isEmpty && some.count < all.count, "\(name): \(some.count)")
          }
          for seed in 1...2 {
            var changed = whole
            for place in stride(from: 2_000 + 7 * seed, to: changed.count, by: 101 * seed) { changed[place] ^= 0x55 }
            let code = try error(changed)?.code
            #expect(code.isNone || code == .damaged || code == .unknownFormat || code == .tooLarge, "\(name): \(code!)")
          }
        }
        // Pictures of one codec, labelled as another.
        try Videos.make(folder + "/a.avi", "size=160x120:rate=25:duration=1", ["-c:v", "mpeg4", "-vtag", "XVID"])
        let whole = try bytes(of: folder + "/a.avi")
        for other in ["DIV3", "MP42", "MPG4", "WMV2", "H264", "MJPG", "dvsd"] {
          let code = try error(whole.replacing(Array("XVID".utf8), with: Array(other.utf8)))?.code
          #expect(code.isNone || code == .damaged || code == .unknownFormat || code == .tooLarge, "\(other): \(code!)")
        }
      }
    }

    @Test("a video beyond the limits is rejected")
    func limits() throws {
      try withTemporaryFolder { folder in
        for name in ["a.mp4", "a.mjpeg", "a.gif"] {
          try Videos.make(folder + "/" + name, "size=320x240:rate=10:duration=2")
          #expect(error(path: folder + "/" + name, limits: VideoLimits(maximumPixels: 70_000))?.code == .tooLarge)
          #expect(error(path: folder + "/" + name, limits: VideoLimits(maximumSeconds: 0.5))?.code == .tooLarge)
          #expect(error(path: folder + "/" + name, limits: VideoLimits(maximumFrames: 19))?.code == .tooLarge)
          #expect(error(path: folder + "/" + name, limits: VideoLimits(maximumSeconds: 3, maximumFrames: 20)).isNone)
        }
      }
    }

    @Test("sound only, and unsupported formats, are of unknown format")
    func other() throws {
      try withTemporaryFolder { folder in
        try Videos.run([
          "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=1", folder + "/a.m4a",
        ])
        #expect(error(path: folder + "/a.m4a")?.code == .unknownFormat)
        try Videos.make(folder + "/a.mkv", "size=160x120:rate=10:duration=1", ["-c:v", "huffyuv"])
        let refused = try #require(error(path: folder + "/a.mkv"))
        #expect(refused.code == .unknownFormat && refused.message.contains("(huffyuv)"), "\(refused)")
      }
    }
  }
}
