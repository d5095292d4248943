internal import Glibc

/// The regular grid of a line's characters.
struct CharacterGrid {
  let slices: LineSlices
  /// Maps a character's number to its position in slices.
  let curve: Parabola
  /// The positions of detected characters, by number.
  let seenAt: [Int: Double]
  /// The number of the last detected character; the first has 0.
  let last: Int
  private var line: TextLine { slices.line }

  /// The penalty on the sum of logs per character between the line's end as found and the end of the grid. (Chosen: a
  /// wrong line of characters is then as bad as one that is hard to read.)
  private static let costOfMissedEnd = 1.5

  /// A reading of the line with a given number of characters.
  struct Reading {
    /// For each position, the probability of each character.
    var probabilities: [[Float]]
    /// The mean over the positions of log(probability of the likeliest character), less penalties for the length; 0 is
    /// best.
    var score: Double
    /// The outer edges of the first and the last character, along the line from its middle; pixels.
    var ends: (Double, Double)
  }

  /// Where characters are missing in a line that is shorter than expected.
  enum Gap: CaseIterable { case unknown, right, left }

  /// Returns the line read as `length` characters at the best-fitting offset; nil if there is none.
  func reading(length: Int, gap: Gap = .unknown) -> Reading? {
    let excess = last + 1 - length
    if excess < 0, gap != .unknown { return reading(from: gap == .right ? 0 : excess, length: length) }
    // The detected characters exactly, or with some missed at the ends, or with some false ones.
    return (min(0, excess)...max(0, excess)).map { reading(from: $0, length: length) }.max { $0.score < $1.score }
  }

  /// Returns the line read as `length` characters from several crops: the mean of those that fit about equally well,
  /// since a character misread in one crop is seldom misread in all.
  static func reading(of grids: [CharacterGrid], length: Int, gap: Gap) -> Reading? {
    let all = grids.compactMap { $0.reading(length: length, gap: gap) }
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

  /// The distance between characters in the middle of the line; pixels.
  var pitch: Double { abs(curve.slope(at: Double(last) / 2)) * slices.step }

  /// The mean probability of the likeliest characters inside the line as found.
  var clarity: Double {
    let inside = (0...last).filter { abs(along(Double($0))) <= line.length / 2 }
    guard !inside.isEmpty else { return 0 }
    let sum = inside.reduce(0.0) { sum, number in
      let (likely, shown) = seen(number)
      return sum + Double((likely.max() ?? 0) * shown)
    }
    return sum / Double(inside.count)
  }

  /// Returns a character's position along the line from its middle; pixels.
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
    // Likely characters next to these count against the length if the finder included them in the line.
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
