import FaceVerify
import FaceVerifyCapture
import Foundation
import TestSupport
import Testing

extension CaptureTests {
  @Suite("Writing videos") struct Writing {
    /// A grey picture.
    private func picture(_ grey: Int, width: Int = 160, height: Int = 120) throws -> PixelBuffer {
      try PixelBuffer(
        width: width, height: height, rgb: [UInt8](repeating: UInt8(grey), count: 3 * width * height))
    }

    @Test("frames survive a round trip with constant and variable times")
    func roundTrip() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/-a:b.mp4"
        let constant = (0..<60).map { Double($0) / 30 }
        let variable = [0, 0.033, 0.1, 0.101, 0.5, 0.52, 2.25, 2.2833]
        for times in [constant, variable, [0]] {
          let writer = try VideoWriter(path: path, width: 160, height: 120, frameRate: 30)
          for (index, time) in times.enumerated() { try writer.write(picture(20 + 3 * index), time: 1000 + time) }
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == (times == constant ? 1 : 2))
          try writer.finish()
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["-a:b.mp4"])
          let found = try Videos.times(path)
          #expect(areSame(found, times), "\(found)")
          let reader = try VideoReader(path: path)
          for (index, time) in times.enumerated() {
            let frame = try #require(try reader.next())
            #expect(abs(frame.time - time) < 2e-6 && abs(Int(frame.pixels.rgb[30_000]) - 20 - 3 * index) <= 3)
          }
          #expect(try reader.next().isNone && !reader.endedEarly)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
      }
    }

    @Test("colours and odd sizes survive a round trip")
    func colours() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mp4"
        let writer = try VideoWriter(path: path, width: 161, height: 121)
        let orange = try PixelBuffer(
          width: 161, height: 121, rgb: (0..<161 * 121).flatMap { _ in [230, 120, 20] as [UInt8] })
        try writer.write(orange, time: 0)
        try writer.finish()
        let frame = try #require(try VideoReader(path: path).next()).pixels
        #expect(frame.width == 162 && frame.height == 122)
        for (got, wanted) in zip(frame.rgb.prefix(3), orange.rgb) { #expect(abs(Int(got) - Int(wanted)) <= 4) }
      }
    }

    @Test("invalid frames are rejected, and writing can continue")
    func refused() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/a.mp4"
        #expect(throws: VerifyError(.badArgument, "")) { try VideoWriter(path: path, width: 0, height: 4) }
        #expect(throws: VerifyError(.badArgument, "")) {
          try VideoWriter(path: path, width: 4, height: 4, frameRate: .nan)
        }
        for other in ["/nonexistent/a.mp4", folder, "/dev/null"] {
          #expect(throws: VerifyError(.unwritable, "")) { try VideoWriter(path: other, width: 64, height: 64) }
        }
        let empty = try VideoWriter(path: path, width: 160, height: 120)
        #expect(throws: VerifyError(.wrongState, "")) { try empty.finish() }
        let writer = try VideoWriter(path: path, width: 160, height: 120)
        try writer.write(picture(50), time: 7)
        for time in [7, 6, .nan, .infinity] {
          #expect(throws: VerifyError(.badArgument, "")) { try writer.write(picture(50), time: time) }
        }
        #expect(throws: VerifyError(.badArgument, "")) { try writer.write(picture(50, width: 162), time: 8) }
        try writer.write(picture(60), time: 8)
        try writer.finish()
        #expect(throws: VerifyError(.wrongState, "")) { try writer.write(picture(60), time: 9) }
        #expect(throws: VerifyError(.wrongState, "")) { try writer.finish() }
        #expect(areSame(try Videos.times(path), [0, 1]))
      }
    }

    private static let canMount =
      (try? Videos.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"])) != nil

    @Test("a full disk is an error and leaves no partial file", .needsRoot(canMount))
    func full() throws {
      try withTemporaryFolder { folder in
        try Videos.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", folder])
        defer { _ = try? Videos.run(["umount", folder]) }
        try write("old".utf8, to: folder + "/a.mp4")
        var generator = SystemRandomNumberGenerator()
        // Many frames of noise fill it during writing; few, only when the encoder finishes.
        for count in [100, 3] {
          do {
            let writer = try VideoWriter(path: folder + "/a.mp4", width: 320, height: 240)
            for index in 0..<count {
              let noise = (0..<320 * 240 * 3 / 8).flatMap { _ in
                withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
              }
              try writer.write(PixelBuffer(width: 320, height: 240, rgb: noise), time: Double(index) / 30)
            }
            try writer.finish()
            Issue.record("the disk was not full")
          } catch let error as VerifyError {
            #expect(error.code == .unwritable && error.message.contains("No space left"), "\(error)")
          }
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.mp4"])
          #expect(FileManager.default.contents(atPath: folder + "/a.mp4") == Data("old".utf8))
        }
      }
    }
  }
}
