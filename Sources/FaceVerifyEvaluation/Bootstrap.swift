internal import Glibc

/// Bootstraps subjects, to estimate how much a rate depends on the sample of subjects (ISO/IEC 19795-1:2006, annex B).
/// Comparisons of one subject are dependent; subjects are independent.
struct Bootstrap {
  static let resamples = 1000
  private static let tail = 0.025

  /// How often each subject was drawn in each resample; deterministic for a given number of subjects.
  let draws: [[UInt8]]

  init(people: Int) {
    var random = SplitMix(state: 19795)
    draws = (0..<Self.resamples).map { _ in
      var draw = [UInt8](repeating: 0, count: people)
      for _ in 0..<people { draw[Int(random.next(upperBound: UInt64(people)))] &+= 1 }
      return draw
    }
  }

  /// Returns 95 % bounds of rates that are recomputed for each resample; never narrower than the exact bounds for as
  /// many independent trials, which are informative even for zero errors.
  ///
  /// - Parameter ratios: for each rate, the errors and the trials among the drawn subjects. If the errors are nil, the
  ///   rate has no bounds.
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
      return min(exact.lower, Self.quantile(sorted, Self.tail))...max(exact.upper, Self.quantile(sorted, 1 - Self.tail))
    }
  }

  /// Interpolates linearly between the two nearest values, like NumPy's default.
  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): deterministic on every machine.
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
