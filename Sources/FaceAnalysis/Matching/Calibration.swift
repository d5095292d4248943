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

  /// An operating point: measured, or interpolated between measured ones.
  public struct Threshold: Sendable, Codable {
    public let rate: FalseMatchRate
    /// A score up to this is a match.
    public let score: Double
    public let falseMatches: Int
    /// 95 % confidence bounds of the false-match rate, from resampling subjects; the lower one is 0 where it was not
    /// measured.
    public let falseMatchRateBounds: [Double]
    /// Share of mated comparisons that are no match, and its 95 % bounds; nil where it was not measured. Between measured
    /// points the bounds are the outer ones of both neighbours.
    public let falseNonMatchRate: Double?
    public let falseNonMatchRateBounds: [Double]?

    fileprivate var point: Point? {
      falseMatchRateBounds.last.map { Point(score: score, rate: rate.value, upper: $0) }
    }
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

  /// The rates that can be decided at: from the smallest that the data tell to 1e-2.
  public var rates: ClosedRange<Double> {
    // The curve's ends are written with three digits.
    let first = (curve.first?.rate ?? 1) * (1 + 5e-4)
    let smallest = thresholds.map(\.rate.value).min() ?? 1
    return min(first, smallest, Self.largestRate)...Self.largestRate
  }

  /// Beyond it nothing is decided: one non-mated comparison in a hundred.
  private static let largestRate = 1e-2

  /// The operating point of a rate: as it was measured, or interpolated on the curve, which tells no more than an upper
  /// bound of its false-match rate.
  ///
  /// - Throws: ``VerifyError/Code/unsupportedRate`` for a rate outside ``rates``.
  public func threshold(at rate: FalseMatchRate) throws -> Threshold {
    if let measured = thresholds.first(where: { $0.rate.value == rate.value }) { return measured }
    // Measured thresholds are points of the same curve: with them a stricter rate never has a looser score.
    let points = (curve + thresholds.compactMap(\.point)).sorted { ($0.rate, $0.score) < ($1.rate, $1.score) }
    guard rates.contains(rate.value), let next = points.firstIndex(where: { $0.rate >= rate.value }), next > 0 else {
      throw VerifyError(
        .unsupportedRate,
        "the calibration data (\(source.subjects) subjects, \(source.nonMatedComparisons) non-mated comparisons) "
          + "do not support a false-match rate of \(rate); choose one from \(Self.written(rates.lowerBound)) to 1e-2")
    }
    let (a, b) = (points[next - 1], points[next])
    let part = (log(rate.value) - log(a.rate)) / (log(b.rate) - log(a.rate))
    let missed = falseNonMatchRate(at: rate.value)
    return Threshold(
      rate: rate, score: a.score + part * (b.score - a.score),
      falseMatches: Int(rate.value * Double(source.nonMatedComparisons)),
      falseMatchRateBounds: [0, exp(log(a.upper) + part * (log(b.upper) - log(a.upper)))],
      falseNonMatchRate: missed?.rate, falseNonMatchRateBounds: missed?.bounds)
  }

  /// Interpolated between the measured thresholds on both sides; nil beyond them.
  private func falseNonMatchRate(at rate: Double) -> (rate: Double, bounds: [Double])? {
    let measured = thresholds.map { ($0.rate.value, $0) }.sorted { $0.0 < $1.0 }
    guard let below = measured.last(where: { $0.0 <= rate }), let above = measured.first(where: { $0.0 >= rate }),
      let strict = below.1.falseNonMatchRate, let loose = above.1.falseNonMatchRate,
      let upper = below.1.falseNonMatchRateBounds?.last, let lower = above.1.falseNonMatchRateBounds?.first
    else { return nil }
    let part = (log(rate) - log(below.0)) / (log(above.0) - log(below.0))
    return (strict + part * (loose - strict), [lower, upper])
  }

  /// As "1e-5", rounded up.
  private static func written(_ rate: Double) -> String {
    let exponent = Int(log10(rate).rounded(.down))
    let digits = (rate / pow(10, Double(exponent)) * 10).rounded(.up) / 10
    return digits == digits.rounded() ? "\(Int(digits))e\(exponent)" : "\(digits)e\(exponent)"
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
