import Testing

@testable import FaceAnalysis

@Suite("Curves of the unified quality score")
struct QualityCurveTests {
  @Test("the penalty is zero without defects, and never decreases", arguments: QualityCurve.all.indices)
  func shape(index: Int) throws {
    let curve = QualityCurve.all[index]
    #expect(curve.values.count == curve.logarithms.count && !curve.values.isEmpty)
    #expect(curve.values == Array(Set(curve.values)).sorted())
    #expect(curve.logarithms.min() == 0 && curve.unknown >= 0)
    let best = try #require(curve.logarithms.firstIndex(of: 0))
    #expect(Array(curve.logarithms[...best]) == curve.logarithms[...best].sorted(by: >))
    #expect(Array(curve.logarithms[best...]) == curve.logarithms[best...].sorted())
  }

  @Test("curves interpolate linearly between corners, and are constant beyond")
  func interpolation() {
    let curve = QualityCurve(.eyesOpen, [1, 2, 4], [3, 1, 0], unknown: 0.5)
    let expected: [(Double?, Double)] = [(0, 3), (1, 3), (1.5, 2), (2, 1), (3, 0.5), (4, 0), (9, 0), (nil, 0.5)]
    for (value, logarithm) in expected { #expect(curve.logarithm(of: value) == logarithm) }
  }

  @Test("each measure has at most one curve")
  func distinct() { #expect(Set(QualityCurve.all.map(\.measure)).count == QualityCurve.all.count) }
}
