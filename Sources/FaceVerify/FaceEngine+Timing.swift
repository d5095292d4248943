internal import Glibc

extension FaceEngine {
  /// Time per stage for one photo, in milliseconds: medians over several rounds.
  package struct Timing: Sendable {
    package var decode: Double
    /// Detection and landmarks, including decoding at reduced size.
    package var detect: Double
    /// Chips and template; nil if no face was found or the set makes no templates.
    package var embed: Double?
    /// Comparison of two templates.
    package var compare: Double?
    package var faces: Int
  }

  /// - Parameter rounds: at least 1; preceded by a warm-up round that is not counted.
  package func measure(_ photo: Photo, rounds: Int) throws -> Timing {
    try use { pipeline in
      var times: [[Double]] = [[], [], [], []]
      var count = 0
      func timed<Result>(_ stage: Int, _ body: () throws -> Result) rethrows -> Result {
        let start = Self.now()
        let result = try body()
        times[stage].append(Self.now() - start)
        return result
      }
      for round in 0...max(1, rounds) {
        if round == 1 { times = [[], [], [], []] }
        _ = try timed(0) { try photo.pixels() }
        let faces = try timed(1) { try pipeline.locate(in: photo) }
        count = faces.count
        guard let face = faces.first, calibration != nil else { continue }
        let template = try timed(2) {
          try pipeline.template(of: pipeline.chips(of: face, in: photo), quality: nil)
        }
        _ = try timed(3) { try compare(template, template) }
      }
      return Timing(
        decode: times[0].median ?? 0, detect: times[1].median ?? 0, embed: times[2].median,
        compare: times[3].median, faces: count)
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

extension FaceEngine.Timing: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "decode": .rounded(decode, 3), "detect": .rounded(detect, 3), "embed": .rounded(embed, 3),
      "compare": .rounded(compare, 4), "faces": .integer(faces),
    ]
  }
}
