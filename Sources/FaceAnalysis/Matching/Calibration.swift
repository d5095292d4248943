internal import FoundationEssentials
internal import Glibc

/// The error rates of scores, measured on held-out subjects by `training/matching`, which writes `calibration-*.json`.
///
/// Each score has two false-match rates. That of the worst group: the data's subjects are clustered by their embeddings
/// alone, and the group with the highest rate counts. A subject's group is never estimated: a rate that holds for the
/// worst group holds for the others. And the overall rate, over all non-mated comparisons.
public struct Calibration: Sendable, Codable {
  /// The data from which all numbers were measured.
  public struct Source: Sendable, Codable {
    public let dataset: String
    public let subjects: Int
    public let photos: Int
    public let matedComparisons: Int
    public let nonMatedComparisons: Int
    /// Non-mated comparisons within groups, and the number of groups.
    public let groupComparisons: Int
    public let groups: Int
    /// The date of the measurement, ISO 8601.
    public let date: String
    public let method: String

    /// The files keep the terms of ISO/IEC 19795-1:2006.
    private enum CodingKeys: String, CodingKey {
      case dataset, subjects, photos, groupComparisons, groups, date, method
      case matedComparisons = "genuineComparisons"
      case nonMatedComparisons = "impostorComparisons"
    }
  }

  /// Rates measured at one score, or interpolated between two scores.
  public struct Point: Sendable, Codable {
    /// Comparisons with a score up to this are a match.
    public let score: Double
    /// The number observed over all groups; 0 where rates are extrapolated.
    public let falseMatches: Int
    /// The rate of the worst group, with its 95 % confidence bounds from bootstrapping subjects.
    public let falseMatchRate: Double
    public fileprivate(set) var falseMatchRateBounds: [Double]
    /// The share of all non-mated comparisons that match, with its 95 % bounds from bootstrapping subjects.
    public let overallFalseMatchRate: Double
    public fileprivate(set) var overallFalseMatchRateBounds: [Double]
    /// The share of mated comparisons that do not match, with its 95 % bounds from bootstrapping subjects.
    public let falseNonMatchRate: Double
    public let falseNonMatchRateBounds: [Double]

    fileprivate var isWhole: Bool {
      func isWhole(_ rate: Double, _ bounds: [Double]) -> Bool {
        rate > 0 && bounds.count == 2 && bounds[0] >= 0 && bounds[1] >= rate && bounds[1] <= 1
      }
      return isWhole(falseMatchRate, falseMatchRateBounds)
        && isWhole(overallFalseMatchRate, overallFalseMatchRateBounds)
        && falseNonMatchRateBounds.count == 2
    }

    /// The upper bound of the false-match rate, which decides.
    package func upper(_ population: FalseMatchRate.Population = .worstGroup) -> Double {
      population == .all ? overallFalseMatchRateBounds[1] : falseMatchRateBounds[1]
    }

    fileprivate func towards(_ other: Point, score: Double) -> Point {
      let part = (score - self.score) / (other.score - self.score)
      func linear(_ x: Double, _ y: Double) -> Double { x + part * (y - x) }
      func logarithmic(_ x: Double, _ y: Double) -> Double { min(x, y) > 0 ? exp(linear(log(x), log(y))) : min(x, y) }
      return Point(
        score: score, falseMatches: Int(linear(Double(falseMatches), Double(other.falseMatches))),
        falseMatchRate: logarithmic(falseMatchRate, other.falseMatchRate),
        falseMatchRateBounds: zip(falseMatchRateBounds, other.falseMatchRateBounds).map(logarithmic),
        overallFalseMatchRate: logarithmic(overallFalseMatchRate, other.overallFalseMatchRate),
        overallFalseMatchRateBounds: zip(overallFalseMatchRateBounds, other.overallFalseMatchRateBounds).map(
          logarithmic),
        falseNonMatchRate: linear(falseNonMatchRate, other.falseNonMatchRate),
        falseNonMatchRateBounds: zip(falseNonMatchRateBounds, other.falseNonMatchRateBounds).map(linear))
    }
  }

  /// The kind of reference that a selfie is compared with.
  public enum Portrait: String, Sendable, Codable, CaseIterable {
    /// Another photo.
    case photo
    /// The portrait of a document's chip.
    case chip
    /// A portrait cropped from a document's page.
    case page
  }

  /// An operating point: the score at which the upper confidence bound of the false-match rate, of the worst group or
  /// overall, equals the requested rate, and the rates measured there.
  public struct Threshold: Sendable {
    public let rate: FalseMatchRate
    public let portrait: Portrait
    public let point: Point
    /// Comparisons with a score up to this are a match.
    public var score: Double { point.score }
  }

  public let schema: Int
  public let modelSet: String
  public let source: Source
  /// The curves of the measured kinds of portrait, by name, in ascending order of score. Other kinds use the curve of
  /// photos.
  private let curves: [String: [Point]]

  public func curve(_ portrait: Portrait = .photo) -> [Point] {
    curves[portrait.rawValue] ?? curves[Portrait.photo.rawValue] ?? []
  }

  /// The points at which the rate among these people is known. The worst group's is extrapolated to scores without a false
  /// match; there, pairs of similar people were taken for one person and not counted, and the overall rate is unknown.
  package func curve(_ portrait: Portrait, _ population: FalseMatchRate.Population) -> [Point] {
    let curve = curve(portrait)
    return population == .all ? curve.filter { $0.falseMatches > 0 } : curve
  }

  package init(json: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw VerifyError(.damaged, "the calibration is not valid JSON of training/matching")
    }
    func isRight(_ curve: [Point]) -> Bool {
      curve.count > 1 && curve.allSatisfy(\.isWhole)
        && zip(curve, curve.dropFirst()).allSatisfy { one, next in
          one.score < next.score && FalseMatchRate.Population.allCases.allSatisfy { one.upper($0) < next.upper($0) }
        }
    }
    guard schema == 3, isRight(curve()), curves.values.allSatisfy(isRight) else {
      throw VerifyError(.damaged, "the calibration is not of schema 3, or its entries are not sorted")
    }
  }

  /// Returns the supported false-match rates: from the smallest that the data support to 1e-2.
  public func rates(among population: FalseMatchRate.Population = .worstGroup) -> ClosedRange<Double> {
    rates(curve(.photo, population), population)
  }

  private func rates(_ curve: [Point], _ population: FalseMatchRate.Population) -> ClosedRange<Double> {
    min(curve.first?.upper(population) ?? Self.largestRate, Self.largestRate)...Self.largestRate
  }

  /// No decisions are made above this rate: one non-mated comparison in a hundred.
  private static let largestRate = 1e-2

  /// The operating points at 1e-2, 1e-3 and 1e-4, as far as the data support them.
  public var thresholds: [Threshold] { [.oneIn100, .oneIn1000, .oneIn10000].compactMap { try? threshold(at: $0) } }

  /// Returns the operating point at a false-match rate.
  ///
  /// - Throws: ``VerifyError/Code/unsupportedRate`` for a rate outside ``rates``.
  public func threshold(at rate: FalseMatchRate, portrait: Portrait = .photo) throws -> Threshold {
    let population = rate.population
    let curve = curve(portrait, population)
    let rates = rates(curve, population)
    guard rates.contains(rate.value), let next = curve.firstIndex(where: { $0.upper(population) >= rate.value }) else {
      let comparisons =
        population == .all
        ? "\(source.nonMatedComparisons) non-mated comparisons"
        : "\(source.groupComparisons) non-mated comparisons between people who look alike"
      throw VerifyError(
        .unsupportedRate,
        "the calibration data (\(source.subjects) subjects, \(comparisons)) do not support a false-match rate of \(rate); "
          + "choose one from \(Self.written(rates.lowerBound)) to 1e-2")
    }
    guard next > 0 else { return Threshold(rate: rate, portrait: portrait, point: curve[0]) }
    let (a, b) = (curve[next - 1], curve[next])
    let part = (log(rate.value) - log(a.upper(population))) / (log(b.upper(population)) - log(a.upper(population)))
    var point = a.towards(b, score: a.score + part * (b.score - a.score))
    switch population {
    case .worstGroup: point.falseMatchRateBounds[1] = rate.value
    case .all: point.overallFalseMatchRateBounds[1] = rate.value
    }
    return Threshold(rate: rate, portrait: portrait, point: point)
  }

  /// Formats a rate as "1e-5", rounded up.
  package static func written(_ rate: Double) -> String {
    let exponent = Int(log10(rate).rounded(.down))
    let digits = (rate / pow(10, Double(exponent)) * 10).rounded(.up) / 10
    return digits == digits.rounded() ? "\(Int(digits))e\(exponent)" : "\(digits)e\(exponent)"
  }

  /// Returns 0 to 100: 25 points per factor of ten in the upper bound of the false-match rate at a score.
  package func similarity(of score: Double, portrait: Portrait = .photo) -> Double {
    max(0, min(100, 25 * log10(1 / point(at: score, portrait: portrait).point.upper())))
  }

  /// Returns the rates at a score, and whether it is below that of every false match observed, so that the rates may be
  /// smaller still.
  func point(at score: Double, portrait: Portrait) -> (point: Point, isBeyond: Bool) {
    let curve = curve(portrait)
    guard let next = curve.firstIndex(where: { $0.score >= score }) else { return (curve[curve.count - 1], false) }
    if next == 0 { return (curve[0], true) }
    let point = curve[next - 1].towards(curve[next], score: score)
    return (point, point.falseMatches == 0)
  }
}

extension Calibration.Threshold: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "rate": .string(rate.description), "portrait": .string(portrait.rawValue), "score": .rounded(point.score, 4),
      "falseMatches": .integer(point.falseMatches), "falseMatchRate": .significant(point.falseMatchRate, 3),
      "falseMatchRateBounds": .array(point.falseMatchRateBounds.map { .significant($0, 3) }),
      "overallFalseMatchRate": .significant(point.overallFalseMatchRate, 3),
      "overallFalseMatchRateBounds": .array(point.overallFalseMatchRateBounds.map { .significant($0, 3) }),
      "falseNonMatchRate": .significant(point.falseNonMatchRate, 3),
      "falseNonMatchRateBounds": .array(point.falseNonMatchRateBounds.map { .significant($0, 3) }),
    ]
  }
}

extension Calibration.Source: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "dataset": .string(dataset), "subjects": .integer(subjects), "photos": .integer(photos),
      "matedComparisons": .integer(matedComparisons), "nonMatedComparisons": .integer(nonMatedComparisons),
      "groups": .integer(groups), "groupComparisons": .integer(groupComparisons), "date": .string(date),
      "method": .string(method),
    ]
  }
}
