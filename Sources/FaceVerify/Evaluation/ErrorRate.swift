internal import Glibc

/// How often something happened among a number of trials, with what that says of the rate.
package struct ErrorRate: Sendable, Hashable {
  package let count: Int
  package let trials: Int

  package init(_ count: Int, of trials: Int) {
    self.count = count
    self.trials = trials
  }

  /// Nil without trials.
  package var value: Double? { trials > 0 ? Double(count) / Double(trials) : nil }
  /// Two-sided, at 95 %.
  package var bounds: BinomialBounds? { BinomialBounds(errors: count, trials: trials) }
}

extension ErrorRate: JSONConvertible {
  package var jsonValue: JSONValue {
    let bounds = bounds
    return [
      "count": .integer(count),
      "of": .integer(trials),
      "rate": .rounded(value, 6),
      "lower": .rounded(bounds?.lower, 6),
      "upper": .rounded(bounds?.upper, 6),
      "upperOneSided": .rounded(BinomialBounds.oneSidedUpper(errors: count, trials: trials), 6),
    ]
  }
}

/// Between which limits a rate lies of which `errors` in `trials` were seen: the exact bounds of Clopper and Pearson
/// (1934), which hold for any count, however small. They suppose trials that do not depend on each other.
package struct BinomialBounds: Sendable, Hashable {
  package let lower: Double
  package let upper: Double

  /// Nil without trials, which tell nothing.
  ///
  /// - Parameters:
  ///   - errors: 0 to `trials`.
  ///   - confidence: that the rate is between both bounds; half of the rest is on each side.
  package init?(errors: Int, trials: Int, confidence: Double = 0.95) {
    guard trials > 0, (0...trials).contains(errors), confidence > 0, confidence < 1 else { return nil }
    let tail = (1 - confidence) / 2
    upper = Self.upper(errors, trials, tail)
    // As many successes at the other end.
    lower = 1 - Self.upper(trials - errors, trials, tail)
  }

  /// The bound that the rate is below with this confidence, if nothing is asked of the other side; nil without trials.
  /// Without errors it is 1 - (1 - confidence)^(1/trials), at 95 % about 3/trials: the "rule of three".
  package static func oneSidedUpper(errors: Int, trials: Int, confidence: Double = 0.95) -> Double? {
    guard trials > 0, (0...trials).contains(errors), confidence > 0, confidence < 1 else { return nil }
    return upper(errors, trials, 1 - confidence)
  }

  /// The rate at which so few errors are as rare as `tail`.
  private static func upper(_ errors: Int, _ trials: Int, _ tail: Double) -> Double {
    guard errors < trials else { return 1 }
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      // Until neighbouring numbers are reached.
      guard middle > low, middle < high else { return middle }
      if atMost(errors, trials, middle) > tail { low = middle } else { high = middle }
    }
  }

  /// The probability of `errors` or fewer.
  private static func atMost(_ errors: Int, _ trials: Int, _ rate: Double) -> Double {
    let (yes, no) = (log(rate), log1p(-rate))
    let all = logFactorial(trials)
    return (0...errors).reduce(0) { sum, k in
      let ways = all - logFactorial(k) - logFactorial(trials - k)
      return sum + exp(ways + Double(k) * yes + Double(trials - k) * no)
    }
  }

  private static func logFactorial(_ n: Int) -> Double {
    var sign: Int32 = 0
    return lgamma_r(Double(n) + 1, &sign)
  }
}
