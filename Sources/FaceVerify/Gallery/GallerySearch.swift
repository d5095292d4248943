/// What a search in a ``Gallery`` found: the closest first.
public struct GallerySearch: Sendable {
  /// An entry that is close to the probe, or two that are close to each other.
  public struct Candidate: Sendable {
    /// Path or name of the entry.
    public let path: String
    /// The other entry of a pair; nil in a search.
    public let other: String?
    /// As ``Comparison/score``.
    public let score: Double
    /// As ``Comparison/similarity``: of this comparison alone, however many there were.
    public let similarity: Double
    public let isMatch: Bool
  }

  /// How many templates the gallery had.
  public let size: Int
  /// How many comparisons were made: templates, or pairs of them.
  public let comparisons: Int
  /// The probability asked for that any comparison of different people is called a match.
  public let rate: FalseMatchRate
  /// ``rate`` over ``comparisons``, 1e-2 at most: what each is decided at.
  public let comparisonRate: FalseMatchRate
  /// Nil if the calibration does not support ``comparisonRate``: then nothing is called a match.
  public let threshold: Calibration.Threshold?
  /// Why there is no threshold, and what can be done; nil if there is one.
  public let note: String?
  public private(set) var candidates: [Candidate] = []
  /// Which models compared.
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
      let smallest = calibration.rates.lowerBound
      let possible = smallest * Double(comparisons)
      note =
        "nothing is called a match: with \(comparisons) comparisons, a rate of \(rate) is \(comparisonRate) for each, and "
        + "the calibration supports \(Calibration.written(smallest)) or more; "
        + (possible < 1 ? "ask for a rate of \(Calibration.written(possible)) or more, search" : "search")
        + " in a smaller gallery, or judge the candidates by other evidence"
    }
  }

  mutating func append(_ path: String, _ other: String? = nil, score: Double) {
    let candidate = Candidate(
      path: path, other: other, score: score, similarity: calibration.similarity(of: score),
      isMatch: threshold.map { score <= $0.score } ?? false)
    // By the exact scores, whose order the vectors' can differ from in the last digits.
    candidates.insert(candidate, at: candidates.lastIndex { $0.score <= score }.map { $0 + 1 } ?? 0)
  }
}
