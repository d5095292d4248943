internal import Glibc

/// Matching accuracy on photos of known subjects: the rates of ISO/IEC 19795-1 and the data behind them.
package struct MatchEvaluation: Sendable {
  /// An embedded photo of a known subject.
  package struct Photo: Sendable {
    package let embedded: EmbeddedPhoto
    package let subject: String
    /// The group in each grouping, by the grouping's name; absent if the photo belongs to none.
    package let groups: [String: String]

    package init(_ embedded: EmbeddedPhoto, subject: String, groups: [String: String] = [:]) {
      (self.embedded, self.subject, self.groups) = (embedded, subject, groups)
    }
  }

  /// Two photos to compare, by their indices in a list.
  package struct Pair: Sendable {
    package let first: Int
    package let second: Int
    package let isMated: Bool
    /// The cross-validation fold of this pair.
    package let fold: Int

    package init(_ first: Int, _ second: Int, isMated: Bool, fold: Int) {
      (self.first, self.second, self.isMated, self.fold) = (first, second, isMated, fold)
    }
  }

  /// A rate with its bounds.
  package struct Rate: Sendable {
    package let count: Int
    package let of: Int
    package let bounds: ClosedRange<Double>?
    package var value: Double? { of > 0 ? Double(count) / Double(of) : nil }
  }

  /// The errors at one threshold.
  package struct Point: Sendable {
    /// The target false-match rate: an upper limit of the rate in these data, or the rate stated by the calibration.
    package let target: Double
    /// Taken from the calibration, not from these data: an operating point of the product.
    package let isShipped: Bool
    package let threshold: Double
    package let falseMatches: Rate
    package let falseNonMatches: Rate
    /// The mean of the subjects' own rates, so that subjects with many photos are not over-weighted.
    package let falseNonMatchRateOfPeople: Double?
    /// The share of false matches that involve the 5 % of photos with the most; each false match counts for two photos.
    /// nil with fewer false matches than ``fewestErrors``.
    package let shareOfWorstPhotos: Double?
  }

  /// The photos with one value of a column.
  package struct Group: Sendable {
    package let name: String
    package let photos: Int
    package let subjects: Int
    package let notEmbedded: Int
    /// At each of the evaluation's points: false matches and false non-matches within this group.
    package let falseMatches: [Rate]
    package let falseNonMatches: [Rate]
    /// The threshold with a false-match rate of 1 % within the group; nil with too few comparisons.
    package let cellOfOneIn100: Double?
    /// The false-non-match rate of all subjects at that threshold.
    package let falseNonMatchesAtOneIn100: Double?
  }

  package struct Grouping: Sendable {
    package let name: String
    package let groups: [Group]
    /// Returns the group with the highest false-match rate at a point, among those with enough comparisons.
    package func worst(at point: Int) -> Group? {
      groups.filter { $0.falseMatches[point].of >= MatchEvaluation.fewestComparisons }
        .max { ($0.falseMatches[point].value ?? 0) < ($1.falseMatches[point].value ?? 0) }
    }
    /// The group with the strictest threshold at a false-match rate of 1 %.
    package var strictest: Group? {
      groups.filter { $0.cellOfOneIn100 != nil }.min { ($0.cellOfOneIn100 ?? 0) < ($1.cellOfOneIn100 ?? 0) }
    }
  }

  /// A comparison listed for inspection.
  package struct Comparison: Sendable {
    package let first: Int
    package let second: Int
    package let score: Double
  }

  /// Cross-validated accuracy: the threshold of each fold is chosen on all other folds.
  package struct Folds: Sendable {
    package let count: Int
    package let accuracy: Double
    /// The standard error of the mean over folds.
    package let standardError: Double
  }

  /// Minimum number of comparisons for a group's rate to be meaningful.
  package static let fewestComparisons = 1000
  /// ISO/IEC 19795-1, rule of 30: with at least 30 errors, the true rate is within 30 % of the measured one at 90 %
  /// confidence.
  package static let fewestErrors = 30
  /// At or below this score, two subjects are suspected to be one person: of 130 inspected pairs with scores from -12
  /// to -6.3, nearly all below it showed one person (training/matching/train.py).
  package static let samePerson = -8.0
  /// The false-match rates for which thresholds are determined.
  package static let targets = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]

  package let photos: [Photo]
  /// The number of photos with a template.
  package let embedded: Int
  package let subjects: Int
  package let mated: Int
  package let nonMated: Int
  /// Pairs that are not counted: of the same file, without a template, suspected to be of one person.
  package let sameFile: Int
  package let notCompared: Int
  package let leftOut: Int
  package let points: [Point]
  /// The equal error rate (EER); nil without comparisons of both kinds.
  package let equalErrorRate: Double?
  /// In ascending order of the false-match rate.
  package let curve: [(threshold: Double, falseMatchRate: Double, falseNonMatchRate: Double)]
  package let groupings: [Grouping]
  /// False-non-match rates at ``points`` after discarding the mated comparisons of the lowest quality.
  package let discard: [(share: Double, falseNonMatchRates: [Double])]
  /// The closest non-mated and the farthest mated comparisons.
  package let closest: [Comparison]
  package let farthest: [Comparison]
  /// Possible label errors: non-mated pairs that are too close, and photos far from all others of their subject.
  package let sameUnderTwoNames: [Comparison]
  package let strangersToTheirName: [Int]
  package let folds: Folds?

  /// How many of the closest and farthest comparisons are kept.
  static let kept = 48
}

extension MatchEvaluation {
  /// Calls the body for every comparison in order with its score, for verification.
  ///
  /// - Parameter pairs: the evaluated pairs.
  package func forEachComparison(
    pairs: [Pair]?, _ body: (_ first: Int, _ second: Int, _ isMated: Bool, _ score: Float) throws -> Void
  ) rethrows {
    try MatchComparisons(photos, pairs: pairs, threads: 1).forEach(body)
  }
}
