internal import FoundationEssentials
internal import Glibc

/// What scores mean: measured on people who took no part in training what they are measured with, by
/// `training/matching`, which writes `calibration-*.json`.
public struct Calibration: Sendable, Codable {
  /// The data behind all numbers here.
  public struct Source: Sendable, Codable {
    public let dataset: String
    public let subjects: Int
    public let photos: Int
    public let matedComparisons: Int
    public let nonMatedComparisons: Int
    /// ISO 8601 day of the measurement.
    public let date: String
    public let method: String

    /// The files keep the terms of ISO/IEC 19795-1:2006.
    private enum CodingKeys: String, CodingKey {
      case dataset, subjects, photos, date, method
      case matedComparisons = "genuineComparisons"
      case nonMatedComparisons = "impostorComparisons"
    }
  }

  /// A named operating point.
  public struct Threshold: Sendable, Codable {
    /// Such as "1e-3".
    public let rate: String
    /// A score up to this is a match.
    public let score: Double
    public let falseMatches: Int
    /// 95 % confidence bounds of the false-match rate, from resampling subjects.
    public let falseMatchRateBounds: [Double]
    /// Share of mated comparisons that are no match at this threshold, and its 95 % bounds.
    public let falseNonMatchRate: Double
    public let falseNonMatchRateBounds: [Double]
  }

  /// A point of the curve from score to false-match rate.
  public struct Point: Sendable, Codable {
    public let score: Double
    public let rate: Double
    /// Upper 95 % confidence bound of the rate.
    public let upper: Double
  }

  public let schema: Int
  public let modelSet: String
  public let source: Source
  public let thresholds: [Threshold]
  /// From the smallest score to the largest.
  public let curve: [Point]

  package init(json: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw VerifyError(.damaged, "the calibration cannot be read: it is not the JSON that training/matching writes")
    }
    guard schema == 1, curve.count > 1, !thresholds.isEmpty,
      zip(curve, curve.dropFirst()).allSatisfy({ $0.score < $1.score && $0.rate <= $1.rate && $0.rate > 0 })
    else { throw VerifyError(.damaged, "the calibration is not of schema 1 or not in order") }
  }

  /// The operating point of a rate.
  ///
  /// - Throws: ``VerifyError/Code/unsupportedRate`` for a rate that was not measured.
  public func threshold(at rate: FalseMatchRate) throws -> Threshold {
    guard let threshold = thresholds.first(where: { $0.rate == rate.description }) else {
      let known = thresholds.map(\.rate).joined(separator: ", ")
      throw VerifyError(
        .unsupportedRate,
        "the calibration data (\(source.subjects) subjects, \(source.nonMatedComparisons) non-mated comparisons) "
          + "do not support a false-match rate of \(rate); choose one of \(known)")
    }
    return threshold
  }

  /// The false-match rate at which a score would just be a match, interpolated between measured points, with its upper
  /// bound; `atMost` where the score is beyond the last point and the true rate may be smaller still.
  func rate(of score: Double) -> (rate: Double, upper: Double, atMost: Bool) {
    guard let first = curve.first, let last = curve.last else { return (1, 1, false) }
    if score <= first.score { return (first.rate, first.upper, true) }
    guard let next = curve.firstIndex(where: { $0.score >= score }) else { return (last.rate, last.upper, false) }
    let (a, b) = (curve[next - 1], curve[next])
    let part = (score - a.score) / (b.score - a.score)
    func between(_ x: Double, _ y: Double) -> Double { exp(log(x) + part * (log(y) - log(x))) }
    return (between(a.rate, b.rate), between(a.upper, b.upper), false)
  }
}
