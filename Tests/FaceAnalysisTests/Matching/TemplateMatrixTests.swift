import Testing

@testable import FaceAnalysis

@Suite("Template matrix")
struct TemplateMatrixTests {
  private static func templates(_ count: Int) -> [FaceTemplate] {
    (0..<count).map { t in
      let vector = (0..<128).map { (i: Int) -> Float in
        let number = (t * 131 + i * 37) % 251
        return Float(number) / 2510 - 0.05
      }
      return FaceTemplate(
        modelIdentifier: String(repeating: "m", count: 16), vector: vector, cohortMean: 0.8 + Float(t) / 100,
        cohortDeviation: 0.04 + Float(t % 3) / 100, quality: nil)
    }
  }

  private static func scores(_ matrix: TemplateMatrix, of probe: FaceTemplate) -> [Float] {
    [Float](unsafeUninitializedCapacity: matrix.count) { memory, count in
      if let start = memory.baseAddress { matrix.scores(of: probe, against: 0..<matrix.count, into: start) }
      count = matrix.count
    }
  }

  @Test("scores are those of two templates alone, when it grows and when one is taken out")
  func scores() throws {
    var templates = Self.templates(40)
    let matrix = TemplateMatrix()
    for template in templates { matrix.append(template) }
    func check() throws {
      #expect(matrix.count == templates.count)
      let found = Self.scores(matrix, of: templates[3])
      for (template, score) in zip(templates, found) {
        #expect(abs(try Comparison.score(templates[3], template) - Double(score)) < 1e-4)
      }
      var row = [Float](repeating: 0, count: 5)
      matrix.scores(of: 3, against: 10..<15, into: &row)
      #expect(row == Array(found[10..<15]))
    }
    try check()
    matrix.remove(at: 7)
    templates.swapAt(7, 39)
    templates.removeLast()
    try check()
    matrix.remove(at: 38)
    templates.removeLast()
    try check()
  }
}
