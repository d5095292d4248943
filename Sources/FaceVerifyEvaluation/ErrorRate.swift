internal import Glibc

/// A number of errors among a number of trials, and the confidence bounds of the rate.
package struct ErrorRate: Sendable, Hashable {
  package let count: Int
  package let trials: Int

  package init(_ count: Int, of trials: Int) { (self.count, self.trials) = (count, trials) }

  /// Nil without trials.
  package var value: Double? { trials > 0 ? Double(count) / Double(trials) : nil }
  /// Two-sided, at 95 %.
  package var bounds: BinomialBounds? { BinomialBounds(errors: count, trials: trials) }
}

extension ErrorRate: JSONConvertible {
  package var jsonValue: JSONValue {
    let bounds = bounds
    return [
      "count": .integer(count), "of": .integer(trials), "rate": .rounded(value, 6),
      "lower": .rounded(bounds?.lower, 6), "upper": .rounded(bounds?.upper, 6),
      "upperOneSided": .rounded(BinomialBounds.oneSidedUpper(errors: count, trials: trials), 6),
    ]
  }
}

/// Exact binomial bounds of a rate (Clopper and Pearson 1934), valid for any count, however small. They assume
/// independent trials.
package struct BinomialBounds: Sendable, Hashable {
  package let lower: Double
  package let upper: Double

  /// nil without trials.
  ///
  /// - Parameters:
  ///   - errors: 0 to `trials`.
  ///   - confidence: that the rate is between both bounds; the remainder is split evenly between the two sides.
  package init?(errors: Int, trials: Int, confidence: Double = 0.95) {
    guard trials > 0, (0...trials).contains(errors), confidence > 0, confidence < 1 else { return nil }
    let tail = (1 - confidence) / 2
    upper = Self.upper(errors, trials, tail)
    // By symmetry, with successes for errors.
    lower = 1 - Self.upper(trials - errors, trials, tail)
  }

  /// Returns the one-sided upper bound of the rate at this confidence; nil without trials. Without errors it is
  /// 1 - (1 - confidence)^(1/trials), at 95 % about 3/trials: the "rule of three".
  package static func oneSidedUpper(errors: Int, trials: Int, confidence: Double = 0.95) -> Double? {
    guard trials > 0, (0...trials).contains(errors), confidence > 0, confidence < 1 else { return nil }
    return upper(errors, trials, 1 - confidence)
  }

  /// The rate at which `errors` or fewer have the probability `tail`.
  private static func upper(_ errors: Int, _ trials: Int, _ tail: Double) -> Double {
    guard errors < trials else { return 1 }
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      // Until no number lies between both.
      guard middle > low, middle < high else { return middle }
      if atMost(errors, trials, middle) > tail { low = middle } else { high = middle }
    }
  }

  /// The probability of `errors` or fewer.
  private static func atMost(_ errors: Int, _ trials: Int, _ rate: Double) -> Double {
    errors < trials ? incompleteBeta(1 - rate, Double(trials - errors), Double(errors) + 1) : 1
  }

  /// The regularised incomplete beta function, by its continued fraction (NIST Digital Library of Mathematical
  /// Functions, 8.17.22), which converges in at most about the square root of the larger parameter steps.
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // Beyond the mean, the fraction of the complement converges faster (8.17.4).
    guard x <= (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(1 - x, b, a) }
    func step(_ i: Int) -> Double {
      let m = Double(i / 2)
      return i % 2 == 0
        ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    }
    // Forward evaluation, as a product of ratios of successive convergents (Lentz 1976).
    var (fraction, numerator, denominator) = (1.0, 1.0, 0.0)
    for i in 1...100_000 {
      let d = step(i)
      denominator = 1 / (1 + d * denominator)
      numerator = 1 + d / numerator
      fraction *= numerator * denominator
      if abs(numerator * denominator - 1) < 1e-15 { break }
    }
    let front = a * log(x) + b * log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)
    return exp(front) / a / fraction
  }

  private static func logGamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
  }
}
