/// Templates of the same models in large blocks of memory, for one-to-many comparison. Wiped when freed.
///
/// Scores match ``Comparison/score(_:_:)`` within 1e-4: the same sums in 32-bit floats. On one core of an AMD EPYC,
/// 100,000 scores take 3 ms.
package final class TemplateMatrix {
  private typealias Lanes = SIMD8<Float>
  private static let lanes = FaceTemplate.dimensions / Lanes.scalarCount
  /// 2 MB: growing copies nothing; unused pages are not committed.
  private static let rowsInBlock = 4096

  private struct Block {
    let vectors = UnsafeMutablePointer<Lanes>.allocate(capacity: rowsInBlock * lanes)
    /// The nearest cohort of each template: mean, and 1 / (2 × deviation).
    let cohorts = UnsafeMutablePointer<SIMD2<Float>>.allocate(capacity: rowsInBlock)

    func row(_ index: Int) -> UnsafeMutablePointer<Lanes> { vectors + index * lanes }

    func wipe(rows: Range<Int>) {
      FaceVerifyBase.wipe(
        UnsafeMutableRawBufferPointer(
          start: row(rows.lowerBound), count: rows.count * lanes * MemoryLayout<Lanes>.stride))
      FaceVerifyBase.wipe(
        UnsafeMutableRawBufferPointer(
          start: cohorts + rows.lowerBound, count: rows.count * MemoryLayout<SIMD2<Float>>.stride))
    }
  }

  package private(set) var count = 0
  private var blocks: [Block] = []

  package init() {}

  deinit {
    for (i, block) in blocks.enumerated() {
      block.wipe(rows: 0..<max(0, min(Self.rowsInBlock, count - i * Self.rowsInBlock)))
      block.vectors.deallocate()
      block.cohorts.deallocate()
    }
  }

  private func place(_ index: Int) -> (block: Block, row: Int) {
    precondition(index < count)
    return (blocks[index / Self.rowsInBlock], index % Self.rowsInBlock)
  }

  /// - Parameter template: Made by the same models as all others.
  package func append(_ template: FaceTemplate) {
    withUnsafeTemporaryAllocation(byteCount: FaceTemplate.storedSize, alignment: 4) { bytes in
      template.store(in: bytes)
      append(stored: UnsafeRawBufferPointer(bytes))
      wipe(bytes)
    }
  }

  /// - Parameter bytes: A template of the same models for which ``FaceTemplate/isStored(_:)`` returns true.
  package func append(stored bytes: UnsafeRawBufferPointer) {
    if count == blocks.count * Self.rowsInBlock { blocks.append(Block()) }
    count += 1
    let (block, row) = place(count - 1)
    UnsafeMutableRawBufferPointer(start: block.row(row), count: Self.lanes * MemoryLayout<Lanes>.stride)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[8...]))
    block.cohorts[row] = SIMD2(
      bytes.loadUnaligned(as: Float.self), 0.5 / bytes.loadUnaligned(fromByteOffset: 4, as: Float.self))
  }

  /// Removes a template and moves the last one to its index.
  package func remove(at index: Int) {
    let (block, row) = place(index)
    let (lastBlock, lastRow) = place(count - 1)
    if index < count - 1 {
      block.row(row).update(from: lastBlock.row(lastRow), count: Self.lanes)
      block.cohorts[row] = lastBlock.cohorts[lastRow]
    }
    lastBlock.wipe(rows: lastRow..<lastRow + 1)
    count -= 1
  }

  /// Computes the scores of one stored template against those of a range, in order.
  package func scores(of index: Int, against range: Range<Int>, into scores: UnsafeMutablePointer<Float>) {
    let (block, row) = place(index)
    self.scores(block.row(row), block.cohorts[row], against: range, into: scores)
  }

  /// Computes the scores of a template of the same models against those of a range, in order.
  package func scores(of probe: FaceTemplate, against range: Range<Int>, into scores: UnsafeMutablePointer<Float>) {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: Self.lanes) { row in
      let bytes = UnsafeMutableRawBufferPointer(row)
      probe.withVector { bytes.copyMemory(from: UnsafeRawBufferPointer($0)) }
      let cohort = SIMD2(probe.cohort.mean, 0.5 / probe.cohort.deviation)
      self.scores(row.baseAddress!, cohort, against: range, into: scores)
      wipe(bytes)
    }
  }

  private func scores(
    _ probe: UnsafePointer<Lanes>, _ cohort: SIMD2<Float>, against range: Range<Int>,
    into scores: UnsafeMutablePointer<Float>
  ) {
    precondition(range.upperBound <= count)
    var (score, next) = (scores, range.lowerBound)
    while next < range.upperBound {
      let (block, first) = place(next)
      let rows = first..<min(Self.rowsInBlock, first + range.upperBound - next)
      for i in rows {
        score.pointee = Self.score(probe, cohort, block.row(i), block.cohorts[i])
        score += 1
      }
      next += rows.count
    }
  }

  @inline(__always)
  private static func score(
    _ probe: UnsafePointer<Lanes>, _ cohort: SIMD2<Float>, _ row: UnsafePointer<Lanes>, _ other: SIMD2<Float>
  ) -> Float {
    // Two independent sums, for instruction-level parallelism.
    var (even, odd) = (Lanes(), Lanes())
    for lane in stride(from: 0, to: lanes, by: 2) {
      let (a, b) = (row[lane] - probe[lane], row[lane + 1] - probe[lane + 1])
      even += a * a
      odd += b * b
    }
    let distance = (even + odd).sum().squareRoot()
    return (distance - cohort.x) * cohort.y + (distance - other.x) * other.y
  }
}
