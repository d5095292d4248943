/// A reference judge: a random pattern of small cells, in the code, printed at the limit of the press. A copy is
/// printed from a picture of a print, and lacks high frequencies of the pattern, which cannot be restored.
///
/// The score is the share of the pattern sent to the press that remains above half a cell's frequency, and is compared
/// with the issuer's own first prints. docs/codes.md has its error rates, on simulated prints only: measure it on
/// yours.
public struct PatternJudge: CodeJudge {
  /// Cells per side of the pattern.
  public let cells: Int
  /// The position of the pattern, in widths of the code from its upper left corner.
  public let area: Rectangle
  /// A specimen with a lower score is classified as a copy.
  public let limit: Double
  private let pattern: [Bool]

  /// - Parameters:
  ///   - pattern: `cells` × `cells`, row-major, true for ink, as sent to the press.
  ///   - area: The pattern's area, inside the code.
  ///   - enrolled: At least ten scores of specimens of originals, from ``score(_:side:pattern:cells:area:)``.
  ///   - deviations: How many standard deviations the limit is below their mean.
  /// - Throws: ``VerifyError/Code/badArgument`` if these are inconsistent.
  public init(pattern: [Bool], cells: Int, area: Rectangle, enrolled: [Double], deviations: Double = 3) throws {
    guard (8...256).contains(cells), pattern.count == cells * cells, enrolled.count >= 10 else {
      throw VerifyError(.badArgument, "a pattern needs 8 to 256 cells per side and at least ten enrolled scores")
    }
    guard area.x >= 0, area.y >= 0, area.width > 0, area.height > 0, area.x + area.width <= 1,
      area.y + area.height <= 1
    else { throw VerifyError(.badArgument, "the pattern's area must be within the code") }
    (self.pattern, self.cells, self.area) = (pattern, cells, area)
    let mean = enrolled.reduce(0, +) / Double(enrolled.count)
    let variance = enrolled.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(enrolled.count - 1)
    limit = mean - deviations * variance.squareRoot()
  }

  /// Four pixels per cell.
  public var side: Int { min(2048, Int(4 * Double(cells) / min(area.width, area.height))) }
  /// Two pixels per cell: the sampling limit of the pattern (Nyquist).
  public var leastSide: Double { 2 * Double(cells) / min(area.width, area.height) }
  public var mostEdge: Double { 4 }
  public func canJudge(_ reading: CodeReading) -> Bool { [.qr, .dataMatrix, .aztec].contains(reading.format) }

  public func judge(_ specimen: CodeSpecimen) throws -> CodeVerdict {
    guard let score = Self.score(specimen.pixels, side: specimen.side, pattern: pattern, cells: cells, area: area)
    else {
      return CodeVerdict(status: .notChecked, score: nil, text: "The pattern could not be measured.")
    }
    return score >= limit
      ? CodeVerdict(status: .passed, score: score, text: "The pattern has the detail of enrolled originals.")
      : CodeVerdict(status: .failed, score: score, text: "The pattern has lost detail: this is a copy, or a bad print.")
  }

  /// Returns the correlation between the pattern sent to the press and the picture, both minus the mean of each cell's
  /// neighbourhood: 1 for a perfect print, 0 for none of the pattern. Nil without contrast.
  public static func score(_ pixels: [UInt8], side: Int, pattern: [Bool], cells: Int, area: Rectangle) -> Double? {
    guard side > 0, pixels.count == side * side, pattern.count == cells * cells, cells > 2 else { return nil }
    func level(_ column: Int, _ row: Int) -> Double {
      // The central half of the cell.
      func span(_ index: Int, _ start: Double, _ length: Double) -> Range<Int> {
        let cell = length * Double(side) / Double(cells)
        let from = start * Double(side) + (Double(index) + 0.25) * cell
        let first = max(0, min(side - 1, Int(from.rounded())))
        return first..<max(first + 1, min(side, Int((from + cell / 2).rounded())))
      }
      var sum = 0
      let (xs, ys) = (span(column, area.x, area.width), span(row, area.y, area.height))
      for y in ys { for x in xs { sum += Int(pixels[y * side + x]) } }
      return Double(sum) / Double(xs.count * ys.count)
    }
    var seen: [Double] = []
    for row in 0..<cells { for column in 0..<cells { seen.append(level(column, row)) } }
    let sent = pattern.map { $0 ? -1.0 : 1 }
    var (both, one, other) = (0.0, 0.0, 0.0)
    for row in 1..<cells - 1 {
      for column in 1..<cells - 1 {
        func detail(_ values: [Double]) -> Double {
          var around = 0.0
          for y in row - 1...row + 1 { for x in column - 1...column + 1 { around += values[y * cells + x] } }
          return values[row * cells + column] - around / 9
        }
        let (a, b) = (detail(sent), detail(seen))
        both += a * b
        one += a * a
        other += b * b
      }
    }
    return one > 0 && other > 0 ? both / (one * other).squareRoot() : nil
  }
}
