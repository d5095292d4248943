import Testing

@testable import FaceVerify
@testable import FaceVerifyEvaluation

@Suite("Exact binomial bounds")
struct BinomialBoundsTests {
  /// Errors, trials, lower, upper: two-sided, 95 %. From the beta quantiles of R's `binom.test`.
  private static let known: [(Int, Int, Double, Double)] = [
    (0, 10, 0, 0.3084971), (5, 100, 0.0164319, 0.1128349), (10, 10, 0.6915029, 1), (1, 10, 0.0025286, 0.4450161),
    (1, 1, 0.025, 1), (0, 1, 0, 0.975), (50, 100, 0.3983211, 0.6016789),
  ]

  @Test("bounds equal reference values", arguments: known)
  func values(errors: Int, trials: Int, lower: Double, upper: Double) throws {
    let bounds = try #require(BinomialBounds(errors: errors, trials: trials))
    #expect(abs(bounds.lower - lower) < 1e-6 && abs(bounds.upper - upper) < 1e-6, "\(bounds)")
  }

  /// From SciPy's `beta.ppf`.
  private static let large: [(Int, Int, Double, Double)] = [
    (711_000, 71_100_000, 0.009976885300602895, 0.010023154608884274),
    (12, 5_000_000_000, 1.2401150223396266e-09, 4.192317005878408e-09),
    (50_000_000, 5_000_000_000, 0.009997242269859648, 0.010002758297452174),
  ]

  @Test("bounds are fast for the largest possible number of comparisons", arguments: large)
  func largeCounts(errors: Int, trials: Int, lower: Double, upper: Double) throws {
    let bounds = try #require(BinomialBounds(errors: errors, trials: trials))
    #expect(abs(bounds.lower / lower - 1) < 1e-5 && abs(bounds.upper / upper - 1) < 1e-5, "\(bounds)")
  }

  @Test(
    "without errors, bounds equal the closed form, up to large counts", arguments: [1, 3, 30, 300, 100_000])
  func noErrors(trials: Int) throws {
    func root(_ tail: Double) -> Double {
      // 1 - tail^(1/n) by bisection, so that no logarithm is verified against itself.
      var (low, high) = (0.0, 1.0)
      for _ in 0..<200 {
        let middle = (low + high) / 2
        if power(1 - middle, trials) > tail { low = middle } else { high = middle }
      }
      return low
    }
    let bounds = try #require(BinomialBounds(errors: 0, trials: trials))
    #expect(bounds.lower == 0 && abs(bounds.upper - root(0.025)) < 1e-9)
    let oneSided = try #require(BinomialBounds.oneSidedUpper(errors: 0, trials: trials))
    #expect(abs(oneSided - root(0.05)) < 1e-9)
    // The rule of three.
    if trials >= 30 { #expect(abs(oneSided * Double(trials) - 3) < 0.15) }
  }

  private func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, left) = (1.0, base, exponent)
    while left > 0 {
      if left % 2 == 1 { result *= square }
      square *= square
      left /= 2
    }
    return result
  }

  @Test("bounds enclose the rate, and are narrower with more trials or less confidence")
  func order() throws {
    for trials in [1, 2, 7, 40] {
      for errors in 0...trials {
        let bounds = try #require(BinomialBounds(errors: errors, trials: trials))
        let rate = Double(errors) / Double(trials)
        #expect(bounds.lower <= rate && rate <= bounds.upper)
        let narrow = try #require(BinomialBounds(errors: errors, trials: trials, confidence: 0.8))
        #expect(narrow.lower >= bounds.lower && narrow.upper <= bounds.upper)
        let more = try #require(BinomialBounds(errors: 10 * errors, trials: 10 * trials))
        #expect(more.upper - more.lower < bounds.upper - bounds.lower)
      }
    }
  }

  @Test("without trials, bounds are uninformative")
  func none() {
    #expect(BinomialBounds(errors: 0, trials: 0) == nil)
    #expect(BinomialBounds(errors: 2, trials: 1) == nil)
    #expect(BinomialBounds(errors: -1, trials: 1) == nil)
    #expect(BinomialBounds(errors: 0, trials: 1, confidence: 1) == nil)
    #expect(ErrorRate(0, of: 0).value == nil && ErrorRate(0, of: 0).bounds == nil)
  }
}
