internal import FaceVerify

/// Parses ffmpeg's `framecrc` format: one line per frame, after a header with the time unit.
struct TimeStamps {
  private var buffer: [UInt8] = []
  /// In seconds; from the header.
  private var unit: Double?

  /// Returns the time of the next frame; nil at the end.
  ///
  /// - Parameter size: bytes per frame.
  mutating func next(from program: PipedProgram, size: Int, within seconds: Double) throws -> Double? {
    while true {
      while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        if line.hasPrefix("#tb 0: ") {
          let parts = line.dropFirst(7).split(separator: "/").compactMap { Double($0) }
          if parts.count == 2, parts[1] > 0 { unit = parts[0] / parts[1] }
        } else if !line.hasPrefix("#") {
          return try time(line, size)
        }
      }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = try part.withUnsafeMutableBytes { try program.read(.third, into: $0, within: seconds) }
      guard count > 0 else { return nil }
      buffer += part[..<count]
    }
  }

  /// "0,      33333,      33333,    33333,   230400, 0x70a16bff": stream, decoding time, time, duration, bytes, checksum
  private func time(_ line: String, _ size: Int) throws -> Double {
    let fields = line.split { $0 == "," || $0 == " " }
    guard fields.count >= 5, let unit, let time = Int(fields[2]), Int(fields[4]) == size else {
      throw VerifyError(.internalFailure, "ffmpeg returned frames of an unexpected format: \(line)")
    }
    return Double(time) * unit
  }
}
