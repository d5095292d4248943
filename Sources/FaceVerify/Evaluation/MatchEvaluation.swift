internal import Glibc

/// How well photos of known people are told apart: rates of ISO/IEC 19795-1, with what they rest on.
package struct MatchEvaluation: Sendable {
  /// A photo of a known person, as it was embedded.
  package struct Photo: Sendable {
    package let embedded: EmbeddedPhoto
    package let subject: String
    /// In each grouping, by its name; photos of no group are in none.
    package let groups: [String: String]

    package init(_ embedded: EmbeddedPhoto, subject: String, groups: [String: String] = [:]) {
      self.embedded = embedded
      self.subject = subject
      self.groups = groups
    }
  }

  /// Two photos that are to be compared, by their places in a list.
  package struct Pair: Sendable {
    package let first: Int
    package let second: Int
    package let isMated: Bool
    /// Of a test in folds, which this pair belongs to.
    package let fold: Int

    package init(_ first: Int, _ second: Int, isMated: Bool, fold: Int) {
      self.first = first
      self.second = second
      self.isMated = isMated
      self.fold = fold
    }
  }

  /// A rate with its bounds.
  package struct Rate: Sendable {
    package let count: Int
    package let of: Int
    package let bounds: ClosedRange<Double>?
    package var value: Double? { of > 0 ? Double(count) / Double(of) : nil }
  }

  /// What comes of one threshold.
  package struct Point: Sendable {
    /// The false-match rate it stands for: at most so many were seen in these data, or the calibration says so.
    package let target: Double
    /// By the calibration, not by these data: what the product decides at.
    package let isShipped: Bool
    package let threshold: Double
    package let falseMatches: Rate
    package let falseNonMatches: Rate
    /// The mean of people's own rates, so that much photographed ones do not stand for all.
    package let falseNonMatchRateOfPeople: Double?
    /// Of false matches, borne by the twentieth of photos that have the most; each false match has two photos. Nil with
    /// fewer false matches than ``fewestErrors``.
    package let shareOfWorstPhotos: Double?
  }

  /// The photos that are alike in one column.
  package struct Group: Sendable {
    package let name: String
    package let photos: Int
    package let subjects: Int
    package let notEmbedded: Int
    /// At each of the evaluation's points: false matches between its own people, false non-matches of its people.
    package let falseMatches: [Rate]
    package let falseNonMatches: [Rate]
    /// Where one in a hundred comparisons between its own people matches; nil with too few.
    package let cellOfOneIn100: Double?
    /// Of all people, at that threshold.
    package let falseNonMatchesAtOneIn100: Double?
  }

  package struct Grouping: Sendable {
    package let name: String
    package let groups: [Group]
    /// The group whose strangers match most often at a point, of those with comparisons enough.
    package func worst(at point: Int) -> Group? {
      groups.filter { $0.falseMatches[point].of >= MatchEvaluation.fewestComparisons }
        .max { ($0.falseMatches[point].value ?? 0) < ($1.falseMatches[point].value ?? 0) }
    }
    /// The group that has the strictest threshold at one in a hundred.
    package var strictest: Group? {
      groups.filter { $0.cellOfOneIn100 != nil }.min { ($0.cellOfOneIn100 ?? 0) < ($1.cellOfOneIn100 ?? 0) }
    }
  }

  /// A comparison that is worth a look.
  package struct Comparison: Sendable {
    package let first: Int
    package let second: Int
    package let score: Double
  }

  /// Right answers of folds, the threshold of each chosen on all others.
  package struct Folds: Sendable {
    package let count: Int
    package let accuracy: Double
    /// Of the mean over folds.
    package let standardError: Double
  }

  /// A group must have as many comparisons to be told from chance.
  package static let fewestComparisons = 1000
  /// ISO/IEC 19795-1, rule of 30: from 30 errors on, the true rate is within 30 % of the measured one, 90 times in 100.
  package static let fewestErrors = 30
  /// Two names with photos this close are taken for one person: of 130 pairs with scores from -12 to -6.3 that were looked
  /// at, nearly all below showed one (training/matching/train.py).
  package static let samePerson = -8.0
  /// The false-match rates that thresholds are looked for at.
  package static let targets = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]

  package let photos: [Photo]
  /// With templates.
  package let embedded: Int
  package let subjects: Int
  package let mated: Int
  package let nonMated: Int
  /// Pairs that are not counted: the same file twice, one that was not embedded, suspected to be of one person.
  package let sameFile: Int
  package let notCompared: Int
  package let leftOut: Int
  package let points: [Point]
  /// Where as many strangers match as mated pairs do not; nil without comparisons of both kinds.
  package let equalErrorRate: Double?
  /// From few false matches to many.
  package let curve: [(threshold: Double, falseMatchRate: Double, falseNonMatchRate: Double)]
  package let groupings: [Grouping]
  /// The rate of false non-matches at ``points`` when the mated comparisons of the worst quality are left out.
  package let discard: [(share: Double, falseNonMatchRates: [Double])]
  /// Strangers who come closest, and mated pairs that are farthest apart.
  package let closest: [Comparison]
  package let farthest: [Comparison]
  /// Strangers so close that the labels may be wrong, and photos to which no other photo of their person comes close.
  package let sameUnderTwoNames: [Comparison]
  package let strangersToTheirName: [Int]
  package let folds: Folds?

  /// How many of the closest and farthest are kept.
  static let kept = 48
}

extension MatchEvaluation {
  /// Every comparison in order with its score, for those who want to check.
  ///
  /// - Parameter pairs: those that were evaluated.
  package func forEachComparison(
    pairs: [Pair]?, _ body: (_ first: Int, _ second: Int, _ isMated: Bool, _ score: Float) throws -> Void
  ) rethrows {
    try MatchComparisons(photos, pairs: pairs, threads: 1).forEach(body)
  }
}
