/// The result of a search in a ``Gallery``, closest candidates first.
public struct GallerySearch: Sendable {
  /// An entry close to the probe, or two entries close to each other.
  public struct Candidate: Sendable {
    /// Path or name of the entry.
    public let path: String
    /// The other entry of a pair; nil in a search.
    public let other: String?
    /// As ``Comparison/score``.
    public let score: Double
    /// As ``Comparison/similarity``; not corrected for the number of comparisons.
    public let similarity: Double
    public let isMatch: Bool
  }

  /// The number of templates in the gallery.
  public let size: Int
  /// The number of comparisons: templates, or pairs of templates.
  public let comparisons: Int
  /// The requested probability that any non-mated comparison is a match.
  public let rate: FalseMatchRate
  /// ``rate`` divided by ``comparisons``, at most 1e-2: the rate at which each comparison is decided.
  public let comparisonRate: FalseMatchRate
  /// nil if the calibration does not support ``comparisonRate``; then there is no match.
  public let threshold: Calibration.Threshold?
  /// Why there is no threshold, and what to do; nil if there is one.
  public let note: String?
  public private(set) var candidates: [Candidate] = []
  /// The models of the comparison.
  public let modelVersion: ModelVersion
  private let calibration: Calibration

  init(size: Int, comparisons: Int, at rate: FalseMatchRate, engine: FaceEngine) throws {
    (self.size, self.comparisons, self.rate) = (size, comparisons, rate)
    (modelVersion, calibration) = (engine.modelVersion, try engine.requireCalibration())
    comparisonRate = rate.shared(by: comparisons)
    do {
      threshold = try calibration.threshold(at: comparisonRate)
      note = nil
    } catch let error as VerifyError where error.code == .unsupportedRate {
      threshold = nil
      let smallest = calibration.rates(among: rate.population).lowerBound
      let possible = smallest * Double(comparisons)
      note =
        "no candidate can be a match: with \(comparisons) comparisons, a rate of \(rate) is \(comparisonRate) for each, and "
        + "the calibration supports \(Calibration.written(smallest)) or more; "
        + (possible < 1 ? "ask for a rate of \(Calibration.written(possible)) or more, search" : "search")
        + " in a smaller gallery, or judge the candidates by other evidence"
    }
  }

  mutating func append(_ path: String, _ other: String? = nil, score: Double) {
    let candidate = Candidate(
      path: path, other: other, score: score, similarity: calibration.similarity(of: score),
      isMatch: threshold.map { score <= $0.score } ?? false)
    // Sorted by exact scores; those of the vectors may differ in the last digits, and in order.
    candidates.insert(candidate, at: candidates.lastIndex { $0.score <= score }.map { $0 + 1 } ?? 0)
  }
}

extension GallerySearch: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "models": modelVersion.jsonValue, "size": .integer(size),
      "comparisons": .integer(comparisons), "rate": .string(rate.description),
      "comparisonRate": .significant(comparisonRate.value, 3), "threshold": threshold?.jsonValue ?? .null,
      "note": .optional(note), "candidates": candidates.jsonValue,
    ]
  }
}

extension GallerySearch.Candidate: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "path": .string(path), "other": .optional(other), "score": .rounded(score, 4),
      "similarity": .rounded(similarity, 1), "match": .bool(isMatch),
    ]
  }
}
