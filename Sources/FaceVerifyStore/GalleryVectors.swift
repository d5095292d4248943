internal import Synchronization

/// The vectors of a gallery in memory, 536 bytes per template, without names.
struct GalleryVectors {
  private let matrix = TemplateMatrix()
  private var ids: [Int64] = []

  var count: Int { ids.count }

  mutating func append(stored bytes: UnsafeRawBufferPointer, _ id: Int64) {
    matrix.append(stored: bytes)
    ids.append(id)
  }

  mutating func append(_ template: FaceTemplate, _ id: Int64) {
    matrix.append(template)
    ids.append(id)
  }

  mutating func remove(_ id: Int64) {
    guard let row = ids.firstIndex(of: id) else { return }
    matrix.remove(at: row)
    ids.swapAt(row, ids.count - 1)
    ids.removeLast()
  }

  /// Returns the rows with the smallest scores, in ascending order.
  func closest(to probe: FaceTemplate, count: Int, budget: Budget) throws -> [(score: Float, id: Int64)] {
    var best = Best<Int64>(count) { $0 < $1 }
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.tile) { scores in
      for start in stride(from: 0, to: self.count, by: Self.tile) {
        try budget.check()
        let rows = start..<min(self.count, start + Self.tile)
        matrix.scores(of: probe, against: rows, into: scores.baseAddress!)
        for row in rows where scores[row - start] <= best.bound { best.insert(scores[row - start], ids[row]) }
      }
    }
    return best.all.map { ($0.score, $0.what) }
  }

  /// Returns the pairs with the smallest scores, in ascending order.
  func closestPairs(count: Int, threads: Int, budget: Budget) throws -> [(score: Float, first: Int64, second: Int64)] {
    // Sendable: not modified while the threads read.
    nonisolated(unsafe) let matrix = matrix
    let size = self.count
    // Ties are broken by row, so that the result does not depend on the order of threads.
    let found = Mutex(Best<SIMD2<Int32>>(count) { ($0.x, $0.y) < ($1.x, $1.y) })
    let failure = Mutex<(any Error)?>(nil)
    let blocks = (size + Self.block - 1) / Self.block
    _ = Batch.run(blocks, threads: threads) { block in
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        let rows = block * Self.block..<min(size, (block + 1) * Self.block)
        let best = try Self.closestPairs(
          of: rows, in: matrix, found.withLock { $0.emptied() }, count: size, budget: budget)
        found.withLock { for pair in best.all { $0.insert(pair.score, pair.what) } }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return found.withLock { $0.all }.map { ($0.score, ids[Int($0.what.x)], ids[Int($0.what.y)]) }
  }

  /// Compares the rows with each other and with all later rows.
  private static func closestPairs(
    of rows: Range<Int>, in matrix: TemplateMatrix, _ best: Best<SIMD2<Int32>>, count: Int, budget: Budget
  ) throws -> Best<SIMD2<Int32>> {
    var best = best
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: tile) { scores in
      for start in stride(from: rows.lowerBound, to: count, by: tile) {
        try budget.check()
        for row in rows {
          let others = max(start, row + 1)..<max(row + 1, min(count, start + tile))
          guard !others.isEmpty else { continue }
          matrix.scores(of: row, against: others, into: scores.baseAddress!)
          for (i, other) in others.enumerated() where scores[i] <= best.bound {
            best.insert(scores[i], SIMD2(Int32(row), Int32(other)))
          }
        }
      }
    }
    return best
  }

  /// The vectors of a tile, 256 kB, stay in a core's cache while a block of rows is compared with them.
  private static let tile = 512
  private static let block = 256
}

/// The smallest scores inserted; ties are broken by `isBefore`, independent of the order of insertion.
private struct Best<What: Sendable>: Sendable {
  private let count: Int
  private let isBefore: @Sendable (What, What) -> Bool
  private(set) var all: [(score: Float, what: What)] = []
  /// Larger scores are rejected.
  private(set) var bound = Float.infinity

  init(_ count: Int, isBefore: @escaping @Sendable (What, What) -> Bool) {
    (self.count, self.isBefore) = (count, isBefore)
  }

  /// Returns an empty copy that keeps the bound.
  func emptied() -> Self {
    var copy = Self(count, isBefore: isBefore)
    copy.bound = bound
    return copy
  }

  mutating func insert(_ score: Float, _ what: What) {
    guard score <= bound else { return }
    var place = all.count
    while place > 0 {
      let last = all[place - 1]
      guard last.score > score || last.score == score && isBefore(what, last.what) else { break }
      place -= 1
    }
    guard place < count else { return }
    all.insert((score, what), at: place)
    if all.count > count { all.removeLast() }
    if all.count == count { bound = min(bound, all[count - 1].score) }
  }
}

extension FaceTemplate {
  /// For benchmarks with many templates.
  @_spi(Benchmarks) public convenience init(benchmarking vector: [Float], modelIdentifier: String) {
    self.init(modelIdentifier: modelIdentifier, vector: vector, cohortMean: 1, cohortDeviation: 0.1, quality: nil)
  }
}
