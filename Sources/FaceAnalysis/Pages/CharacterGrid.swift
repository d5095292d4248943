internal import Glibc

/// The even grid on which the characters of a line stand.
struct CharacterGrid {
  private let frames: LineFrames
  /// From a character's number to its place in frames.
  private let curve: Parabola
  /// The number of the last character that was seen; the first has 0.
  private let last: Int
  private let line: TextLine

  /// What a character between the end that the finder saw and that of the grid takes from the sum of logs. (Chosen: a
  /// wrong line of characters is then as bad as one that is hard to read.)
  private static let costOfMissedEnd = 1.5

  init(_ line: TextLine, frames: LineFrames, curve: Parabola, last: Int) {
    self.line = line
    self.frames = frames
    self.curve = curve
    self.last = last
  }

  /// A line of a certain length laid over the grid.
  struct Reading {
    /// For each place, how likely each of the characters is.
    var probabilities: [[Float]]
    /// Mean over the places of log(likeliest character), less what speaks against the length; 0 is best.
    var score: Double
    /// Of the first and last character's outer edges, along the line from its middle; pixels.
    var ends: (Double, Double)
  }

  /// The line read as `length` characters, where they fit best.
  func reading(length: Int) -> Reading? {
    // As many as were seen, or some missed at the ends, or some seen that are none.
    let shifts = last + 1 <= length ? (last + 1 - length)...0 : 0...(last + 1 - length)
    guard shifts.count <= 8 else { return nil }
    return shifts.map { reading(from: $0, length: length) }.max { $0.score < $1.score }
  }

  private func seen(_ number: Int) -> (probabilities: [Float], shown: Float) {
    let place = curve(Double(number))
    return frames.character(at: place, pitch: abs(curve.slope(at: Double(number))))
  }

  private func reading(from first: Int, length: Int) -> Reading {
    var probabilities: [[Float]] = []
    var score = 0.0
    for number in first..<first + length {
      let (likely, shown) = seen(number)
      probabilities.append(likely)
      score += Double(log(max(1e-3, (likely.max() ?? 0) * shown)))
    }
    // What looks like characters beside the line belongs to it.
    let beside = Array(min(0, first - 1)..<first) + Array(first + length..<max(last + 1, first + length) + 1)
    for number in beside { score += Double(log(max(1e-3, 1 - seen(number).shown))) }
    let edges = [Double(first) - 0.5, Double(first + length) - 0.5].map { frames.start + curve($0) * frames.step }
    let pitch = (edges[1] - edges[0]) / Double(length)
    for (edge, end) in zip(edges, [-line.length / 2, line.length / 2]) {
      score -= Self.costOfMissedEnd * max(0, abs(edge - end) / pitch - 1)
    }
    return Reading(probabilities: probabilities, score: score / Double(length), ends: (edges[0], edges[1]))
  }
}
