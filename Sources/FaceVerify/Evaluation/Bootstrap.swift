internal import Glibc

/// Draws people again and again, to see how much a rate depends on who happened to be in the data (ISO/IEC 19795-1:2006,
/// annex B).
/// Comparisons of one person depend on each other; people do not.
struct Bootstrap {
  static let resamples = 1000
  private static let tail = 0.025

  /// How often each person was drawn, for each resample; the same for the same number of people.
  let draws: [[UInt8]]

  init(people: Int) {
    var random = SplitMix(state: 19795)
    draws = (0..<Self.resamples).map { _ in
      var draw = [UInt8](repeating: 0, count: people)
      for _ in 0..<people { draw[Int(random.next(upperBound: UInt64(people)))] &+= 1 }
      return draw
    }
  }

  /// 95 % bounds of rates that are worked out anew for each resample; never narrower than the exact ones of as many
  /// independent trials, which also tell something where nothing was seen.
  ///
  /// - Parameter ratios: of each rate, what was seen among the people drawn, and of how many trials; nil if that is not
  ///   known, and then there are no bounds.
  func bounds(
    _ rates: [ErrorRate], of ratios: ([UInt8]) -> [(part: Double?, whole: Double)]
  ) -> [ClosedRange<Double>?] {
    var drawn = [[Double]](repeating: [], count: rates.count)
    for draw in draws {
      for (i, ratio) in ratios(draw).enumerated() {
        if let part = ratio.part, ratio.whole > 0 { drawn[i].append(part / ratio.whole) }
      }
    }
    return zip(rates, drawn).map { rate, drawn in
      guard let exact = rate.bounds, !drawn.isEmpty else { return nil }
      let sorted = drawn.sorted()
      return min(
        exact.lower, Self.quantile(sorted, Self.tail))...max(
          exact.upper, Self.quantile(sorted, 1 - Self.tail))
    }
  }

  /// Between the two nearest, as NumPy does.
  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers on every machine.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
