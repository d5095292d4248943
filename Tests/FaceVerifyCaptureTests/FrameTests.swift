import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

extension CaptureTests {
  @Suite("Frames") struct Frames {
    /// The colour at the centre of a quarter of the frame.
    private func colour(_ frame: VideoFrame?, _ x: Double, _ y: Double) throws -> [Bool] {
      let pixels = try #require(frame).pixels
      let start = 3 * (Int(y * Double(pixels.height)) * pixels.width + Int(x * Double(pixels.width)))
      return pixels.rgb[start..<start + 3].map { $0 > 127 }
    }

    private let red = [true, false, false]
    private let blue = [false, false, true]

    /// A red and a blue half.
    private let halves = ["-vf", "drawbox=0:0:80:120:red:fill,drawbox=80:0:80:120:blue:fill", "-pix_fmt", "yuv420p"]

    @Test("the rotation in the file is applied", arguments: [90, 180, 270])
    func rotation(angle: Int) throws {
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/a.mp4", "size=160x120:rate=30:duration=0.2", halves)
        try Videos.run([
          "ffmpeg", "-nostdin", "-loglevel", "error", "-i", folder + "/a.mp4", "-c", "copy",
          "-metadata:s:v:0", "rotate=\(angle)", folder + "/a.mov",
        ])
        let reader = try VideoReader(path: folder + "/a.mov")
        let frame = try reader.next()
        #expect([90, 180, 270].contains(reader.info.rotation) && (angle == 180) == (reader.info.rotation == 180))
        #expect(reader.info.storedWidth == 160 && reader.info.storedHeight == 120)
        if angle == 180 {
          #expect(reader.info.width == 160 && reader.info.height == 120)
          #expect(try colour(frame, 0.25, 0.5) == blue && colour(frame, 0.75, 0.5) == red)
        } else {
          #expect(reader.info.width == 120 && reader.info.height == 160)
          // Rotated clockwise, the left half is on top.
          let top = reader.info.rotation == 90 ? red : blue
          #expect(try colour(frame, 0.5, 0.25) == top && colour(frame, 0.5, 0.75) != top)
        }
      }
    }

    @Test("frames are in RGB, red first")
    func order() throws {
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/a.mp4", "size=160x120:rate=30:duration=0.2", halves)
        let frame = try VideoReader(path: folder + "/a.mp4").next()
        #expect(try colour(frame, 0.25, 0.5) == red && colour(frame, 0.75, 0.5) == blue)
      }
    }

    @Test("large frames are reduced, small ones are not, and pixels become square")
    func size() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mp4"
        for (size, options, side, expected) in [
          ("3840x2160", [], 1280, "1280x720"), ("720x1280", [], 640, "360x640"), ("161x121", [], 1280, "161x121"),
          ("320x240", ["-vf", "setsar=2"], 1280, "640x240"), ("4096x16", [], 1280, "1280x5"),
        ] as [(String, [String], Int, String)] {
          try Videos.make(path, "size=\(size):rate=5:duration=0.4", options)
          let reader = try VideoReader(path: path, limits: VideoLimits(maximumSide: side))
          #expect("\(reader.info.width)x\(reader.info.height)" == expected)
          #expect(try reader.times().count == 2)
        }
      }
    }

    @Test("a stream whose size changes continues at the first size, undistorted")
    func change() throws {
      try withTemporaryFolder { folder in
        var all: [UInt8] = []
        for size in ["160x120", "320x240", "120x160"] {
          try Videos.make(folder + "/a.mjpeg", "size=\(size):rate=25:duration=0.4", ["-vf", "drawbox=c=white:t=fill"])
          all += [UInt8](try #require(FileManager.default.contents(atPath: folder + "/a.mjpeg")))
        }
        try write(all, to: folder + "/b.mjpeg")
        let reader = try VideoReader(path: folder + "/b.mjpeg")
        var frames: [VideoFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        #expect(frames.count == 30 && frames.allSatisfy { $0.pixels.width == 160 && $0.pixels.height == 120 })
        let white = [true, true, true]
        #expect(try colour(frames[15], 0.02, 0.5) == white)
        #expect(try colour(frames[25], 0.02, 0.5) != white && colour(frames[25], 0.5, 0.5) == white)
      }
    }

    @Test("the properties of a file are read")
    func info() throws {
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/a.mp4", "size=160x120:rate=25:duration=2")
        let info = try VideoReader(path: folder + "/a.mp4").info
        #expect(info.codec == "h264" && info.container == "mov" && info.frameRate == 25 && info.duration == 2)
        #expect(info.rotation == 0)
      }
    }
  }

  @Suite("Resources") struct Resources {
    /// Number of children named ffmpeg or ffprobe that this process has not waited for.
    private func children() -> Int {
      let ours = "\(ProcessInfo.processInfo.processIdentifier)"
      return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).count { id in
        guard Int(id) != nil, let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
          text.contains("(ffmpeg)") || text.contains("(ffprobe)"), let end = text.lastIndex(of: ")")
        else { return false }
        return text[end...].split(separator: " ").dropFirst(2).first.map(String.init) == ours
      }
    }

    private func files() -> Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
    }

    @Test("a released reader or writer leaves no process and no file")
    func dropped() throws {
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/a.mp4", "size=640x480:rate=30:duration=2")
        for count in 0..<6 {
          let reader = try VideoReader(path: folder + "/a.mp4")
          for _ in 0..<count { _ = try reader.next() }
          #expect(children() == 1)
          let writer = try VideoWriter(path: folder + "/b.mp4", width: 640, height: 480)
          for _ in 0..<count { if let frame = try reader.next() { try writer.write(frame.pixels, time: frame.time) } }
          #expect(children() == 2)
        }
        #expect(children() == 0)
        let all = try VideoReader(path: folder + "/a.mp4")
        #expect(try all.times().count == 60)
        // Waited for at the end of the stream, not only on release.
        #expect(children() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.mp4"])
      }
    }

    @Test("a thousand errors leak no file descriptor")
    func descriptors() throws {
      try withTemporaryFolder { folder in
        try write("not a video".utf8, to: folder + "/a.mp4")
        try write([0xFF, 0xD8, 0xFF], to: folder + "/b.mjpeg")
        let before = files()
        for _ in 0..<1000 { #expect(throws: VerifyError.self) { try VideoReader(path: folder + "/a.mp4") } }
        for _ in 0..<5 { #expect(throws: VerifyError.self) { try VideoReader(path: folder + "/b.mjpeg").next() } }
        #expect(files() <= before + 8, "other tests may have some open")
      }
    }

    @Test("memory use is independent of the length of a video")
    func memory() throws {
      func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(text.split(separator: " ")[1])) * 4096
      }
      try withTemporaryFolder { folder in
        try Videos.make(folder + "/a.mp4", "size=640x480:rate=60:duration=35", ["-preset", "ultrafast"])
        let reader = try VideoReader(path: folder + "/a.mp4")
        for _ in 0..<100 { _ = try reader.next() }
        let before = try resident()
        for _ in 0..<2000 { #expect(try !reader.next().isNone) }
        // 2000 frames are 1.8 GB; the margin is for concurrent tests.
        #expect(try resident() - before < 300_000_000)
      }
    }

    @Test("a missing program is an error that names the package")
    func missing() throws {
      for (program, package) in [("no-such-program", "no-such-program"), ("/nonexistent/ffprobe", "ffmpeg")] {
        do {
          _ = try Spawning.start([program])
          Issue.record("\(program) was found")
        } catch let error as VerifyError {
          #expect(error.code == .unreadable && error.message.hasSuffix("apt-get install \(package)"), "\(error)")
        }
      }
    }
  }
}
