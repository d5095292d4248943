internal import Glibc

/// A face template: 128 numbers and their normalisation. Wiped when freed.
///
/// A template is biometric data: protect it like the photo itself, and keep it no longer. Templates of different model
/// sets or versions are not comparable; ``modelIdentifier`` identifies them.
public final class FaceTemplate: Sendable {
  /// Identifies the models that made it.
  public let modelIdentifier: String
  /// Unified quality of the photo it was made from, 0 to 100, or nil if it was not measured.
  public let quality: Int?
  /// Mean and deviation of the distance to its nearest cohort, as predicted from the vector.
  let cohort: ScoreNormalisation.Statistics
  // Written only in init, wiped in deinit.
  private nonisolated(unsafe) let vector: UnsafeMutableBufferPointer<Float>

  static let dimensions = 128
  private static let magic = Array("FVTEMPL\u{1}".utf8)
  package static let size = 8 + 16 + 4 + 4 * (2 + dimensions) + 32

  package convenience init(
    modelIdentifier: String, vector: [Float], cohortMean: Float, cohortDeviation: Float, quality: Int?
  ) {
    self.init(
      modelIdentifier: modelIdentifier, vector: vector,
      cohort: .init(mean: cohortMean, deviation: cohortDeviation), quality: quality)
  }

  init(modelIdentifier: String, vector: [Float], cohort: ScoreNormalisation.Statistics, quality: Int?) {
    (self.modelIdentifier, self.quality, self.cohort) = (modelIdentifier, quality, cohort)
    self.vector = .allocate(capacity: Self.dimensions)
    _ = self.vector.initialize(from: vector)
  }

  deinit {
    wipe(UnsafeMutableRawBufferPointer(vector))
    vector.deallocate()
  }

  func withVector<Result>(_ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
    body(UnsafeBufferPointer(vector))
  }

  /// The number of bytes written by ``store(in:)``.
  package static let storedSize = 4 * (2 + dimensions)

  /// Writes what a score needs: the mean and deviation of the nearest cohort, then 128 numbers; 32-bit floats,
  /// little-endian like all supported platforms.
  package func store(in bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count == Self.storedSize)
    bytes.storeBytes(of: cohort.mean, toByteOffset: 0, as: Float.self)
    bytes.storeBytes(of: cohort.deviation, toByteOffset: 4, as: Float.self)
    UnsafeMutableRawBufferPointer(rebasing: bytes[8...]).copyMemory(from: UnsafeRawBufferPointer(vector))
  }

  /// Returns whether bytes have the format of ``store(in:)``.
  package static func isStored(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == storedSize && bytes.loadUnaligned(fromByteOffset: 4, as: Float.self) > 0
      && stride(from: 0, to: storedSize, by: 4).allSatisfy {
        // Neither infinite nor NaN: not all exponent bits are set.
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) & 0x7F80_0000 != 0x7F80_0000
      }
  }

  /// - Parameter bytes: Bytes for which ``isStored(_:)`` returns true.
  package convenience init(stored bytes: UnsafeRawBufferPointer, modelIdentifier: String, quality: Int?) {
    var vector = (0..<Self.dimensions).map { bytes.loadUnaligned(fromByteOffset: 8 + 4 * $0, as: Float.self) }
    defer { vector.withUnsafeMutableBytes { wipe($0) } }
    self.init(
      modelIdentifier: modelIdentifier, vector: vector,
      cohort: .init(
        mean: bytes.loadUnaligned(as: Float.self), deviation: bytes.loadUnaligned(fromByteOffset: 4, as: Float.self)),
      quality: quality)
  }

  /// Returns the Euclidean distance to another template of the same models.
  func distance(to other: FaceTemplate) throws -> Double {
    guard modelIdentifier == other.modelIdentifier else {
      throw VerifyError(
        .incompatibleTemplate,
        "the templates were made with different models (\(modelIdentifier) and \(other.modelIdentifier)); "
          + "create both again from their photos with the same model set")
    }
    var sum = 0.0
    for i in 0..<Self.dimensions {
      let difference = Double(vector[i]) - Double(other.vector[i])
      sum += difference * difference
    }
    return sum.squareRoot()
  }

  /// Averages one or more templates of the same person and models.
  ///
  /// A mean is closer to everyone than its parts are. To keep the false-match rates of the thresholds, its cohort is
  /// moved closer as well, by the parts' spread over ``closeness``.
  package convenience init(averaging parts: [FaceTemplate]) {
    let count = Float(parts.count)
    var vector = (0..<Self.dimensions).map { i in parts.reduce(0) { $0 + $1.vector[i] } / count }
    defer { vector.withUnsafeMutableBytes { wipe($0) } }
    let spread = parts.reduce(Float(0)) { sum, part in
      sum
        + (0..<Self.dimensions).reduce(Float(0)) { (squares: Float, i: Int) -> Float in
          let difference = part.vector[i] - vector[i]
          return squares + difference * difference
        }
    }
    self.init(
      modelIdentifier: parts[0].modelIdentifier, vector: vector,
      cohort: .init(
        mean: parts.reduce(0) { $0 + $1.cohort.mean } / count - spread / count / Self.closeness,
        deviation: parts.reduce(0) { $0 + $1.cohort.deviation } / count),
      quality: parts.compactMap(\.quality).max())
  }

  /// Chosen on 183 people (1,373 photos) of the training photos, so that means of three and of five templates cause no
  /// more false matches than single photos at the thresholds of 1e-2 and 1e-3: `training/matching/average.py`, 2026-11.
  private static let closeness: Float = 0.8

  /// Returns the binary form, 580 bytes: "FVTEMPL" and version 1, model identifier (16 ASCII characters), quality
  /// (32-bit, -1 for none), mean and deviation of the nearest cohort, 128 numbers (32-bit floats), SHA-256 of
  /// everything before. Little-endian.
  public func serialised() -> [UInt8] {
    var bytes = Self.magic + Array(modelIdentifier.utf8)
    func append(_ word: UInt32) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    append(UInt32(bitPattern: Int32(quality ?? -1)))
    append(cohort.mean.bitPattern)
    append(cohort.deviation.bitPattern)
    for number in vector { append(number.bitPattern) }
    return bytes + sha256Bytes(bytes)
  }

  /// Returns whether bytes start as a template, of any version, valid or not.
  package static func isTemplate(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic.dropLast()) }

  /// Parses the binary form.
  ///
  /// - Throws: ``VerifyError/Code/unknownFormat`` if the bytes are not a template or have another version,
  ///   ``VerifyError/Code/damaged`` if they are truncated or modified.
  public convenience init(serialised bytes: [UInt8]) throws {
    guard bytes.starts(with: Self.magic.dropLast()) else {
      throw VerifyError(.unknownFormat, "this is not a face template; create one from a photo")
    }
    guard bytes.count >= 8, bytes[7] == Self.magic[7] else {
      throw VerifyError(.unknownFormat, "this face template has another version; create it again from its photo")
    }
    guard bytes.count == Self.size else {
      throw VerifyError(.damaged, "this face template has \(bytes.count) bytes, not \(Self.size): it is damaged")
    }
    guard sha256Bytes(bytes[..<(Self.size - 32)]) == Array(bytes[(Self.size - 32)...]) else {
      throw VerifyError(.damaged, "this face template's checksum is wrong: it is damaged")
    }
    var reader = ByteReader(bytes, order: .littleEndian)
    try reader.seek(to: 24)
    let quality = Int(Int32(truncatingIfNeeded: try reader.u32()))
    let cohort = ScoreNormalisation.Statistics(mean: try reader.float(), deviation: try reader.float())
    var vector = try (0..<Self.dimensions).map { _ in try reader.float() }
    defer { vector.withUnsafeMutableBytes { wipe($0) } }
    guard (-1...100).contains(quality), vector.allSatisfy(\.isFinite), cohort.mean.isFinite,
      cohort.deviation.isFinite, cohort.deviation > 0, bytes[8..<24].allSatisfy({ $0 > 32 && $0 < 127 })
    else { throw VerifyError(.damaged, "this face template contains invalid numbers") }
    self.init(
      modelIdentifier: String(decoding: bytes[8..<24], as: UTF8.self), vector: vector, cohort: cohort,
      quality: quality < 0 ? nil : quality)
  }
}

extension FaceTemplate: JSONConvertible {
  /// SHA-256 of the binary form, in lower-case hexadecimal: identifies a template without disclosing the face.
  public var sha256: String { FaceVerifyBase.sha256(serialised()) }

  /// Metadata of the template, without its biometric data.
  public var jsonValue: JSONValue {
    [
      "kind": "template", "sha256": .string(sha256), "size": .integer(serialised().count),
      "quality": .optional(quality), "modelIdentifier": .string(modelIdentifier),
    ]
  }
}
