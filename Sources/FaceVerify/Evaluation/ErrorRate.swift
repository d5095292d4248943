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
