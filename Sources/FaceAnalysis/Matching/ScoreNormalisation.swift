internal import Glibc

/// Computes the 128 numbers of a template from an embedding, and predicts from them the distances of its nearest
/// cohort: the mean and the deviation of its distances to the nearest of thousands of other people.
///
/// A distance is then normalised by the cohorts of both sides (adaptive score normalisation, Matějka et al.,
/// Interspeech 2017), which evens out the false-match rates of people whom the network places close together. The
/// predictor is a ridge regression on random Fourier features, trained by `training/matching`; it contains no embedding
/// of a person.
package struct ScoreNormalisation: Sendable {
  /// Statistics of one embedding's distances to its nearest cohort.
  package struct Statistics: Sendable {
    package var mean: Float
    package var deviation: Float
  }

  /// 128 rows, each with the length of an embedding; empty if the embedding is used as the template.
  private let projection: [Float]
  private let inputs: Int
  private let frequencies: [Float]  // features × 128
  private let phases: [Float]
  private let coefficients: [Float]  // (1 + features + 128 + 128 + 1) × 2: intercept, cosines, vector, squares, length
  private let features: Int

  /// Parses `score-normalisation-*.bin`: "FVSN", version 2, number of features, length of an embedding or 0 for no
  /// projection (three little-endian 32-bit integers), then 32-bit floats: projection, frequencies, phases,
  /// coefficients of the mean, coefficients of the deviation.
  package init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes, order: .littleEndian)
    guard reader.take("FVSN"), try reader.u32() == 2 else {
      throw VerifyError(.unknownFormat, "the score normalisation has an unsupported version")
    }
    let features = try reader.u32()
    let inputs = try reader.u32()
    let rows = 1 + features + 128 + 128 + 1
    let count = inputs * 128 + features * 129 + 2 * rows
    guard features <= 65536, inputs <= 65536, inputs % 8 == 0, bytes.count == 16 + 4 * count else {
      throw VerifyError(.damaged, "the score normalisation has \(bytes.count) bytes, which do not match its header")
    }
    let floats = try (0..<count).map { _ in try reader.float() }
    self.features = features
    self.inputs = inputs
    projection = Array(floats[..<(inputs * 128)])
    let rest = floats[(inputs * 128)...]
    frequencies = Array(rest.prefix(features * 128))
    phases = Array(rest.dropFirst(features * 128).prefix(features))
    coefficients = Array(rest.dropFirst(features * 129))
  }

  /// Returns the 128 numbers of a template: the embedding's projection, scaled to unit length, or the embedding itself
  /// without a projection.
  package func projected(_ embedding: [Float]) -> [Float] {
    guard inputs > 0 else { return embedding }
    precondition(embedding.count == inputs, "the projection is of this network")
    return unit((0..<128).map { row in Self.product(projection, row * inputs, embedding) })
  }

  /// Eight partial sums in a fixed order: vectorised, with the same result on every machine.
  private static func product(_ matrix: [Float], _ start: Int, _ vector: [Float]) -> Float {
    matrix.withUnsafeBufferPointer { matrix in
      var sums = SIMD8<Float>(repeating: 0)
      for i in stride(from: 0, to: vector.count, by: 8) {
        var a = SIMD8<Float>()
        var b = SIMD8<Float>()
        for lane in 0..<8 {
          a[lane] = matrix[start + i + lane]
          b[lane] = vector[i + lane]
        }
        sums += a * b
      }
      return sums.sum()
    }
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
    for f in 0..<features { add(1 + f, cosf(Self.product(frequencies, f * 128, vector) + phases[f])) }
    // Deviations in training were at least 0.01; a smaller prediction would inflate scores.
    return Statistics(mean: mean, deviation: max(deviation, 0.01))
  }
}

/// Returns the vector scaled to unit length.
func unit(_ vector: some Collection<Float>) -> [Float] {
  let length = vector.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
  return vector.map { length > 0 ? $0 / length : 0 }
}
