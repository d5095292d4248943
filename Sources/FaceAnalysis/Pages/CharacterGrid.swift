internal import Glibc

/// The even grid on which the characters of a line stand.
struct CharacterGrid {
  private let slices: LineSlices
  /// From a character's number to its place in slices.
  private let curve: Parabola
  /// The places of characters that were seen, by their numbers.
  private let seenAt: [Int: Double]
  /// The number of the last character that was seen; the first has 0.
  private let last: Int
  private let line: TextLine

  /// What a character between the end that the finder saw and that of the grid takes from the sum of logs. (Chosen: a
  /// wrong line of characters is then as bad as one that is hard to read.)
  private static let costOfMissedEnd = 1.5

  init(_ line: TextLine, slices: LineSlices, curve: Parabola, seen: [Int: Double], last: Int) {
    self.line = line
    self.slices = slices
    self.curve = curve
    seenAt = seen
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
    (min(0, last + 1 - length)...max(0, last + 1 - length)).map { reading(from: $0, length: length) }
      .max { $0.score < $1.score }
  }

  /// The line read as `length` characters from several cuts of it: the mean of those that fit about equally well, for
  /// what looks like another character in one cut seldom does in all.
  static func reading(of grids: [CharacterGrid], length: Int) -> Reading? {
    let all = grids.compactMap { $0.reading(length: length) }
    guard var best = all.max(by: { $0.score < $1.score }) else { return nil }
    let near = all.filter { $0.score > best.score - 0.1 }
    for place in best.probabilities.indices {
      for character in best.probabilities[place].indices {
        best.probabilities[place][character] =
          near.reduce(0) { $0 + $1.probabilities[place][character] } / Float(near.count)
      }
    }
    return best
  }

  /// From character to character in the middle of the line, pixels.
  var pitch: Double { abs(curve.slope(at: Double(last) / 2)) * slices.step }

  /// How likely the likeliest characters are, on average, where the finder saw the line.
  var clarity: Double {
    let inside = (0...last).filter { abs(along(Double($0))) <= line.length / 2 }
    guard !inside.isEmpty else { return 0 }
    let sum = inside.reduce(0.0) { sum, number in
      let (likely, shown) = seen(number)
      return sum + Double((likely.max() ?? 0) * shown)
    }
    return sum / Double(inside.count)
  }

  /// Where a character's place is, along the line from its middle; pixels.
  private func along(_ number: Double) -> Double { slices.start + curve(number) * slices.step }

  private func seen(_ number: Int) -> (probabilities: [Float], shown: Float) {
    let place = seenAt[number] ?? curve(Double(number))
    return slices.character(at: place, pitch: abs(curve.slope(at: Double(number))))
  }

  private func reading(from first: Int, length: Int) -> Reading {
    var probabilities: [[Float]] = []
    var score = 0.0
    for number in first..<first + length {
      let (likely, shown) = seen(number)
      probabilities.append(likely)
      score += Double(log(max(1e-3, (likely.max() ?? 0) * shown)))
    }
    // What looks like characters beside these belongs to them, if the finder took it for the line.
    let ends = (-line.length / 2, line.length / 2)
    let beside = Array(min(0, first - 1)..<first) + Array(first + length..<max(last + 1, first + length) + 1)
    for number in beside where (ends.0...ends.1).contains(along(Double(number))) {
      score += Double(log(max(1e-3, 1 - seen(number).shown)))
    }
    let edges = (along(Double(first) - 0.5), along(Double(first + length) - 0.5))
    let pitch = (edges.1 - edges.0) / Double(length)
    for missed in [abs(edges.0 - ends.0), abs(edges.1 - ends.1)] {
      score -= Self.costOfMissedEnd * max(0, missed / pitch - 1)
    }
    return Reading(probabilities: probabilities, score: score / Double(length), ends: edges)
  }
}
