/// Templates of the same models in large blocks of memory, to score one against many. Wiped when freed.
///
/// Scores are those of ``Comparison/score(_:_:)`` within 1e-4: the same sums in 32-bit floats. On one core of an AMD EPYC
/// 100,000 take 3 ms.
package final class TemplateMatrix {
  private typealias Lanes = SIMD8<Float>
  private static let lanes = FaceTemplate.dimensions / Lanes.scalarCount
  /// 2 MB: nothing is copied when the matrix grows, and what is not filled is no memory yet.
  private static let rowsInBlock = 4096

  private struct Block {
    let vectors = UnsafeMutablePointer<Lanes>.allocate(capacity: rowsInBlock * lanes)
    /// Of each template's nearest strangers: mean, and 1 over twice the deviation.
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

  /// - Parameter template: of the same models as all others.
  package func append(_ template: FaceTemplate) {
    withUnsafeTemporaryAllocation(byteCount: FaceTemplate.storedSize, alignment: 4) { bytes in
      template.store(in: bytes)
      append(stored: UnsafeRawBufferPointer(bytes))
      wipe(bytes)
    }
  }

  /// - Parameter bytes: of a template of the same models, for which ``FaceTemplate/isStored(_:)`` is true.
  package func append(stored bytes: UnsafeRawBufferPointer) {
    if count == blocks.count * Self.rowsInBlock { blocks.append(Block()) }
    count += 1
    let (block, row) = place(count - 1)
    UnsafeMutableRawBufferPointer(start: block.row(row), count: Self.lanes * MemoryLayout<Lanes>.stride)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[8...]))
    block.cohorts[row] = SIMD2(
      bytes.loadUnaligned(as: Float.self), 0.5 / bytes.loadUnaligned(fromByteOffset: 4, as: Float.self))
  }

  /// Takes one out; the last one takes its place.
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

  /// The scores of one of the templates against those of a range, in their order.
  package func scores(of index: Int, against range: Range<Int>, into scores: UnsafeMutablePointer<Float>) {
    let (block, row) = place(index)
    self.scores(block.row(row), block.cohorts[row], against: range, into: scores)
  }

  /// The scores of a template, of the same models, against those of a range, in their order.
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
    // Two sums, so that one addition need not wait for the other.
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
