import FaceAnalysis
import TestSupport
import Testing

@Suite("TemplateMatrix: one against many")
struct TemplateMatrixTests {
  private func template(_ random: inout SplitMix) -> FaceTemplate {
    FaceTemplate(
      modelIdentifier: "some-models-0001", vector: (0..<128).map { _ in .random(in: -0.1...0.1, using: &random) },
      cohortMean: .random(in: 0.8...1.2, using: &random), cohortDeviation: .random(in: 0.05...0.2, using: &random),
      quality: nil)
  }

  @Test("scores equal those of comparisons, across block boundaries, and after rows were removed")
  func scores() throws {
    var random = SplitMix(state: 3)
    var templates = (0..<9000).map { _ in template(&random) }
    let matrix = TemplateMatrix()
    for template in templates { matrix.append(template) }
    for row in [8999, 0, 4095, 4096, 17] {
      matrix.remove(at: row)
      templates.swapAt(row, templates.count - 1)
      templates.removeLast()
    }
    let probe = template(&random)
    for rows in [0..<matrix.count, 4000..<8200, 4096..<4097, 5..<5] {
      var scores = [Float](repeating: .nan, count: rows.count + 1)
      matrix.scores(of: probe, against: rows, into: &scores)
      for row in rows {
        #expect(abs(Double(scores[row - rows.lowerBound]) - (try Comparison.score(probe, templates[row]))) < 1e-4)
      }
      #expect(scores[rows.count].isNaN, "nothing is written behind them")
    }
    var scores = [Float](repeating: .nan, count: 3)
    matrix.scores(of: 4096, against: 7..<10, into: &scores)
    #expect(abs(Double(scores[0]) - (try Comparison.score(templates[4096], templates[7]))) < 1e-4)
  }

  @Test("a stored template is unchanged, and invalid bytes are reported")
  func stored() throws {
    var random = SplitMix(state: 4)
    let template = template(&random)
    var bytes = [UInt8](repeating: 0, count: FaceTemplate.storedSize)
    bytes.withUnsafeMutableBytes { template.store(in: $0) }
    let read = bytes.withUnsafeBytes {
      FaceTemplate.isStored($0)
        ? FaceTemplate(stored: $0, modelIdentifier: template.modelIdentifier, quality: nil) : nil
    }
    #expect(read?.serialised() == template.serialised())
    func isStored(_ change: (inout [UInt8]) -> Void) -> Bool {
      var changed = bytes
      change(&changed)
      return changed.withUnsafeBytes { FaceTemplate.isStored($0) }
    }
    #expect(!isStored { $0.removeLast() } && !isStored { $0 = [] })
    #expect(!isStored { $0[4...7] = [0, 0, 0, 0] }, "no deviation")
    #expect(!isStored { $0[4...7] = [0, 0, 0x80, 0xBF] }, "a deviation below 0")
    #expect(!isStored { $0[516...519] = [0, 0, 0xC0, 0x7F] }, "no number")
    #expect(!isStored { $0[100...103] = [0, 0, 0x80, 0x7F] }, "infinite")
  }
}
