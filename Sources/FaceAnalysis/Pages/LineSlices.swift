internal import Glibc

/// What the network saw along a line: for each slice, how likely each character is, or none.
struct LineSlices {
  /// Row by row, ``LineReader/characters`` + 1 each.
  let probabilities: [Float]
  let line: TextLine
  /// Where the first slice begins, along the line from its middle, and how far it is to the next one; pixels.
  let start: Double
  let step: Double

  private static let columns = LineReader.characters + 1
  private var count: Int { probabilities.count / Self.columns }

  private func shown(_ slice: Int) -> Float {
    1 - probabilities[slice * Self.columns + LineReader.characters]
  }

  /// Where characters are, in slices: runs of slices that show the same one.
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

  /// A number for each peak, the first has 0; peaks that are too near to the one before have its number. The pitch is
  /// told in the middle and followed to both ends, for on a page seen from the side it changes on the way.
  private static func numbers(_ peaks: [Double]) -> [Double] {
    let gaps = zip(peaks.dropFirst(), peaks).map { $0 - $1 }
    let middle = gaps.count / 2
    let near = gaps[max(0, middle - 5)..<min(gaps.count, middle + 5)].sorted()
    var steps = [Double](repeating: 0, count: gaps.count)
    func follow(_ way: some Sequence<Int>) {
      // Two slices are the least that a character and the gap behind it take.
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

  /// The characters, on the even grid on which a zone is printed; nil if there are too few to tell.
  var grid: CharacterGrid? {
    let peaks = peaks
    guard peaks.count >= 8 else { return nil }
    let numbers = Self.numbers(peaks)
    guard numbers.last ?? 0 >= 8 else { return nil }
    var points = zip(numbers, peaks).map { (x: $0, y: $1, weight: 1.0) }
    guard var curve = Parabola(through: points) else { return nil }
    // Without what lies off by a third of a pitch: a smear, half a character.
    for _ in 0..<3 {
      let good = points.filter { abs(curve($0.x) - $0.y) < 0.3 * abs(curve.b) }
      guard good.count < points.count, good.count >= 8, let better = Parabola(through: good) else { break }
      (points, curve) = (good, better)
    }
    // Printers and bent pages are not quite even: a character is read where it was seen, not where it should be.
    let seen = points.filter { abs(curve($0.x) - $0.y) < 0.5 * abs(curve.b) }.map { (Int($0.x), $0.y) }
    return CharacterGrid(
      line, slices: self, curve: curve, seen: Dictionary(seen, uniquingKeysWith: { first, _ in first }),
      last: Int(numbers.last ?? 0))
  }

  /// How likely each character is at a place of the grid, and how likely there is one at all.
  ///
  /// - Parameters:
  ///   - place: in slices.
  ///   - pitch: slices from this character to the next.
  func character(at place: Double, pitch: Double) -> (probabilities: [Float], shown: Float) {
    var sums = [Float](repeating: 0, count: LineReader.characters)
    var (total, shown): (Float, Float) = (0, 0)
    let reach = max(0.75, 0.3 * pitch)
    let (low, high) = (Int((place - reach).rounded()), Int((place + reach).rounded()))
    for t in max(0, low)...max(0, max(low, high)) where t < count {
      // Slices nearer to the middle count more.
      let weight = Float(max(0, 1 - abs(Double(t) + 0.5 - place) / (reach + 0.5)))
      let row = t * Self.columns
      for c in sums.indices { sums[c] += weight * probabilities[row + c] }
      shown += weight * self.shown(t)
      total += weight
    }
    guard total > 0 else { return ([Float](repeating: 1 / Float(sums.count), count: sums.count), 0) }
    let all = sums.reduce(0, +)
    // Where nothing is seen, anything may stand there.
    let doubt: Float = 1e-3 * total
    return (sums.map { ($0 + doubt / Float(sums.count)) / (all + doubt) }, shown / total)
  }
}
