import FaceVerify
import FaceVerifyCapture
import Foundation
import Testing

/// Videos made by ffmpeg, and their properties according to ffprobe.
enum Videos {
  /// Makes a video of a moving test picture.
  ///
  /// - Parameters:
  ///   - source: options of ffmpeg's generator `testsrc`.
  ///   - options: options of the output.
  static func make(_ path: String, _ source: String = "size=160x120:rate=30:duration=2", _ options: [String] = [])
    throws
  {
    try run(
      ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=" + source] + options
        + ["file:" + path])
  }

  /// The time of every frame according to ffprobe, in order.
  static func times(_ path: String) throws -> [Double] {
    try run(
      [
        "ffprobe", "-loglevel", "quiet", "-select_streams", "V:0", "-show_entries", "frame=pts_time", "-of",
        "default=nw=1:nk=1", "-i", "file:" + path,
      ]
    ).split(separator: "\n").compactMap { Double($0) }
  }

  /// - Returns: the standard output.
  @discardableResult
  static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw VerifyError(.internalFailure, arguments.joined(separator: " ")) }
    return String(decoding: output, as: UTF8.self)
  }
}

extension VideoReader {
  /// The times of all frames.
  func times() throws -> [Double] {
    var times: [Double] = []
    while let frame = try next() {
      #expect(frame.pixels.width == info.width && frame.pixels.height == info.height)
      times.append(frame.time)
    }
    return times
  }
}

/// Whether both lists have the same times, except for rounding.
func areSame(_ times: [Double], _ others: [Double]) -> Bool {
  times.count == others.count && zip(times, others).allSatisfy { abs($0 - $1) < 2e-6 }
}

extension Optional {
  var isNone: Bool { if case .none = self { true } else { false } }
}
