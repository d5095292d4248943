internal import Glibc

/// The network's output along a line: for each slice, the probability of each character and of none.
struct LineSlices {
  /// Row-major, ``LineReader/characters`` + 1 per slice.
  let probabilities: [Float]
  let line: TextLine
  /// The start of the first slice, along the line from its middle, and the distance between slices; pixels.
  let start: Double
  let step: Double

  private static let columns = LineReader.characters + 1
  private var count: Int { probabilities.count / Self.columns }

  private func shown(_ slice: Int) -> Float { 1 - probabilities[slice * Self.columns + LineReader.characters] }

  /// The positions of characters in slices: runs of slices with the same likeliest character.
  private var peaks: [Double] {
    var peaks: [Double] = []
    var t = 0
    while t < count {
      guard shown(t) > 0.5 else {
        t += 1
        continue
      }
      let first = best(t)
      var (weight, sum) = (0.0, 0.0)
      while t < count, shown(t) > 0.5, best(t) == first {
        weight += Double(shown(t))
        sum += Double(shown(t)) * (Double(t) + 0.5)
        t += 1
      }
      peaks.append(sum / weight)
    }
    return peaks
  }

  /// Numbers the peaks, starting at 0; a peak too close to its predecessor has the same number. The pitch is estimated
  /// in the middle and tracked to both ends, since it varies along the line on a page seen in perspective.
  private static func numbers(_ peaks: [Double]) -> [Double] {
    let gaps = zip(peaks.dropFirst(), peaks).map { $0 - $1 }
    let middle = gaps.count / 2
    let near = gaps[max(0, middle - 5)..<min(gaps.count, middle + 5)].sorted()
    var steps = [Double](repeating: 0, count: gaps.count)
    func follow(_ way: some Sequence<Int>) {
      // A character and its gap take at least two slices.
      var pitch = max(2, near[near.count / 2])
      for i in way {
        steps[i] = (gaps[i] / pitch).rounded()
        if steps[i] == 1 { pitch += 0.25 * (gaps[i] - pitch) }
      }
    }
    follow(middle..<gaps.count)
    follow((0..<middle).reversed())
    return steps.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
  }

  private func best(_ slice: Int) -> Int {
    let row = slice * Self.columns
    return (0..<LineReader.characters).max { probabilities[row + $0] < probabilities[row + $1] } ?? 0
  }

  /// The characters on the regular grid of a zone; nil if too few were detected.
  var grid: CharacterGrid? {
    let peaks = peaks
    guard peaks.count >= 8 else { return nil }
    let numbers = Self.numbers(peaks)
    guard numbers.last ?? 0 >= 8 else { return nil }
    var points = zip(numbers, peaks).map { (x: $0, y: $1, weight: 1.0) }
    guard var curve = Parabola(through: points) else { return nil }
    // Without outliers beyond 0.3 of the pitch: a smear, half a character.
    for _ in 0..<3 {
      let good = points.filter { abs(curve($0.x) - $0.y) < 0.3 * abs(curve.b) }
      guard good.count < points.count, good.count >= 8, let better = Parabola(through: good) else { break }
      (points, curve) = (good, better)
    }
    // Printing and bent pages are not perfectly regular: a character is read at its detected position, not at its grid
    // position.
    let seen = points.filter { abs(curve($0.x) - $0.y) < 0.5 * abs(curve.b) }.map { (Int($0.x), $0.y) }
    return CharacterGrid(
      slices: self, curve: curve, seenAt: Dictionary(seen, uniquingKeysWith: { first, _ in first }),
      last: Int(numbers.last ?? 0))
  }

  /// Returns the probability of each character at a grid position, and the probability that there is a character at
  /// all.
  ///
  /// - Parameters:
  ///   - place: In slices.
  ///   - pitch: The distance to the next character in slices.
  func character(at place: Double, pitch: Double) -> (probabilities: [Float], shown: Float) {
    var sums = [Float](repeating: 0, count: LineReader.characters)
    var (total, shown): (Float, Float) = (0, 0)
    let reach = max(0.75, 0.3 * pitch)
    let (low, high) = (Int((place - reach).rounded()), Int((place + reach).rounded()))
    for t in max(0, low)...max(0, max(low, high)) where t < count {
      // Slices nearer to the centre have more weight.
      let weight = Float(max(0, 1 - abs(Double(t) + 0.5 - place) / (reach + 0.5)))
      let row = t * Self.columns
      for c in sums.indices { sums[c] += weight * probabilities[row + c] }
      shown += weight * self.shown(t)
      total += weight
    }
    guard total > 0 else { return ([Float](repeating: 1 / Float(sums.count), count: sums.count), 0) }
    let all = sums.reduce(0, +)
    // Without evidence, all characters are equally likely.
    let doubt: Float = 1e-3 * total
    return (sums.map { ($0 + doubt / Float(sums.count)) / (all + doubt) }, shown / total)
  }
}
