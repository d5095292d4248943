internal import Glibc

/// Predicts, from an embedding alone, how far away its nearest strangers lie: the mean and the deviation of its
/// distances to the 300 nearest of 4,000 other people.
///
/// A distance is then judged against both sides' own strangers (adaptive score normalisation, Matějka et al.,
/// Interspeech 2017), which evens out the false matches between people whom the network crowds together. The predictor
/// is a ridge regression on random Fourier features, learned by `training/matching`; nobody's embedding is inside.
package struct ScoreNormalisation: Sendable {
  /// Of one embedding's distances to its nearest strangers.
  package struct Statistics: Sendable {
    package var mean: Float
    package var deviation: Float
  }

  private let frequencies: [Float]  // features × 128
  private let phases: [Float]
  private let coefficients: [Float]  // (1 + features + 128 + 128 + 1) × 2: intercept, cosines, vector, squares, length
  private let features: Int

  /// Parses `score-normalisation-*.bin`: "FVSN", version 1, feature count (two little-endian 32-bit numbers), then
  /// 32-bit floats: frequencies, phases, coefficients of the mean, coefficients of the deviation.
  package init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes, order: .littleEndian)
    guard reader.take("FVSN"), try reader.u32() == 1 else {
      throw VerifyError(.unknownFormat, "the score normalisation is not of a version that is read here")
    }
    let features = try reader.u32()
    let rows = 1 + features + 128 + 128 + 1
    let count = features * 129 + 2 * rows
    guard features <= 65536, bytes.count == 12 + 4 * count else {
      throw VerifyError(.damaged, "the score normalisation has \(bytes.count) bytes, which do not fit its header")
    }
    let floats = try (0..<count).map { _ in try reader.float() }
    self.features = features
    frequencies = Array(floats[..<(features * 128)])
    phases = Array(floats[(features * 128)..<(features * 129)])
    coefficients = Array(floats[(features * 129)...])
  }

  package func statistics(of vector: [Float]) -> Statistics {
    let rows = 1 + features + 257
    var mean = coefficients[0]
    var deviation = coefficients[rows]
    func add(_ row: Int, _ value: Float) {
      mean += coefficients[row] * value
      deviation += coefficients[rows + row] * value
    }
    var length: Float = 0
    for i in 0..<128 {
      add(1 + features + i, vector[i])
      add(1 + features + 128 + i, vector[i] * vector[i])
      length += vector[i] * vector[i]
    }
    add(rows - 1, length.squareRoot())
    frequencies.withUnsafeBufferPointer { frequencies in
      for f in 0..<features {
        // Eight partial sums in a fixed order: vectorised, and the same on every machine.
        var sums = SIMD8<Float>(repeating: 0)
        for i in stride(from: 0, to: 128, by: 8) {
          var a = SIMD8<Float>()
          var b = SIMD8<Float>()
          for lane in 0..<8 {
            a[lane] = frequencies[f * 128 + i + lane]
            b[lane] = vector[i + lane]
          }
          sums += a * b
        }
        add(1 + f, cosf(sums.sum() + phases[f]))
      }
    }
    // Training saw deviations from 0.01 up; a prediction below that would blow a score up.
    return Statistics(mean: mean, deviation: max(deviation, 0.01))
  }
}
