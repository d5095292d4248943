import FaceAnalysis
import Testing

@Suite("Score normalisation")
struct ScoreNormalisationTests {
  /// One feature; the mean is 2 + its cosine + the length, the deviation 0.5.
  private static var bytes: [UInt8] {
    var floats = [Float](repeating: 0, count: 128 + 1 + 2 * 259)
    floats[3] = 1  // the feature looks at number 3
    floats[128] = 0.25  // its phase
    floats[129] = 2
    floats[130] = 1
    floats[129 + 258] = 1
    floats[129 + 259] = 0.5
    var bytes = Array("FVSN".utf8) + [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    for float in floats { withUnsafeBytes(of: float.bitPattern.littleEndian) { bytes += $0 } }
    return bytes
  }

  @Test("the normalisation predicts from cosines, numbers, squares and length")
  func predicts() throws {
    let normalisation = try ScoreNormalisation(bytes: Self.bytes)
    var vector = [Float](repeating: 0, count: 128)
    vector[3] = 0.5
    let statistics = normalisation.statistics(of: vector)
    #expect(abs(statistics.mean - (2 + 0.731689 + 0.5)) < 1e-5)  // cos(0.75)
    #expect(statistics.deviation == 0.5)
  }

  @Test("a projection maps to the principal components, normalised to length one")
  func projects() throws {
    var floats = [Float](repeating: 0, count: 128 * 16 + 2 * 258)
    floats[3 * 16 + 15] = 2
    floats[5 * 16 + 1] = 4
    var bytes = Array("FVSN".utf8) + [2, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0]
    for float in floats { withUnsafeBytes(of: float.bitPattern.littleEndian) { bytes += $0 } }
    var embedding = [Float](repeating: 0.5, count: 16)
    embedding[15] = 3
    embedding[1] = 2
    let vector = try ScoreNormalisation(bytes: bytes).projected(embedding)
    #expect(vector.count == 128 && vector[3] == 0.6 && vector[5] == 0.8 && vector.filter { $0 != 0 }.count == 2)
    #expect(try ScoreNormalisation(bytes: Self.bytes).projected(embedding) == embedding)
  }

  @Test("bytes of another kind or length are rejected")
  func refused() {
    let bytes = Self.bytes
    #expect(throws: VerifyError.self) { try ScoreNormalisation(bytes: []) }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: VerifyError.self) { try ScoreNormalisation(bytes: Array(bytes.prefix(count))) }
    }
    #expect(throws: VerifyError.self) {
      try ScoreNormalisation(bytes: Array("FVSN".utf8) + [2, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0])
    }
  }
}
