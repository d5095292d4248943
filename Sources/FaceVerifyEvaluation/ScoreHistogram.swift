internal import Glibc

/// A histogram of scores with cells of 0.001: every rate at every threshold of the grid is exact, in constant memory.
struct ScoreHistogram: Sendable {
  /// Thresholds are integer multiples of it.
  static let step = 0.001
  /// Scores of the model sets are between -35 and 10; scores out of range count in the outermost cells.
  static let cells = -40_000...20_000

  /// For each cell, the scores above the previous threshold and at or below its own.
  private var counts = [Int](repeating: 0, count: cells.count)
  private(set) var total = 0

  /// Returns the first threshold at or above a score.
  static func cell(_ score: Float) -> Int {
    let cell = (Double(score) / step).rounded(.up)
    return Int(max(Double(cells.lowerBound), min(Double(cells.upperBound), cell)))
  }

  /// Returns the last threshold at or below a number.
  static func cell(notAbove threshold: Double) -> Int {
    max(cells.lowerBound, min(cells.upperBound, Int((threshold / step).rounded(.down))))
  }

  mutating func add(cell: Int) {
    counts[cell - Self.cells.lowerBound] += 1
    total += 1
  }

  static func += (left: inout Self, right: Self) {
    for i in left.counts.indices { left.counts[i] += right.counts[i] }
    left.total += right.total
  }

  /// The number of scores at or below each threshold.
  var cumulated: CumulatedScores {
    var sum = 0
    return CumulatedScores(
      atMost: counts.map { count in
        sum += count
        return sum
      })
  }
}

/// The number of scores at or below each threshold of the grid.
struct CumulatedScores: Sendable {
  let atMost: [Int]
  var total: Int { atMost[atMost.count - 1] }

  subscript(cell: Int) -> Int { atMost[cell - ScoreHistogram.cells.lowerBound] }

  func share(_ cell: Int) -> Double { total > 0 ? Double(self[cell]) / Double(total) : 0 }
  func shareAbove(_ cell: Int) -> Double { total > 0 ? Double(total - self[cell]) / Double(total) : 0 }

  /// Returns the last threshold at which at most `count` scores match.
  func cell(matching count: Int) -> Int {
    var (low, high) = (0, atMost.count)  // the first cell with more lies between
    while low < high {
      let middle = (low + high) / 2
      if atMost[middle] > count { high = middle } else { low = middle + 1 }
    }
    return max(0, low - 1) + ScoreHistogram.cells.lowerBound
  }
}
