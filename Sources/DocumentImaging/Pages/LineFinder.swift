internal import Glibc

/// Finds the lines of machine-readable zones on a page, in any direction.
///
/// The network was trained to label cores: bands along the middle of each line with ``core`` times the height of its
/// capitals (`training/mrz`).
final class LineFinder {
  /// The side of the network's input in pixels; the page is scaled to fit.
  static let side = 512
  /// The side in pixels of the cell to which each network output applies.
  private static let cell = 4
  private static let cells = side / cell
  private static let core = 0.6

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model, of: "the line finder", inputs: Self.side * Self.side)
  }

  /// Returns the lines, the longest first, in pixels of the picture.
  ///
  /// - Parameter region: The part to search; nil for the whole picture.
  func lines(in picture: PixelBuffer, region: Rectangle? = nil) throws -> [TextLine] {
    let region = region ?? Rectangle(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    let scale = Double(Self.side) / max(region.width, region.height)
    let width = max(1, Int((region.width * scale).rounded()))
    let height = max(1, Int((region.height * scale).rounded()))
    let corner = Point(x: region.x, y: region.y)
    let small = picture.cutOut(corner: corner, angle: 0, scale: 1 / scale, width: width, height: height).luma()
    let mean = Float(small.reduce(0) { $0 + Int($1) }) / Float(small.count) / 255
    for y in 0..<Self.side {
      let row = y * Self.side
      for x in 0..<Self.side {
        request.input[row + x] = x < width && y < height ? Float(small[y * width + x]) / 255 : mean
      }
    }
    try request.run()
    let likelihood = Array(try request.output(0, count: Self.cells * Self.cells))
    var pieces = Self.pieces(likelihood)
    Self.join(&pieces)
    let lines = pieces.compactMap { piece in
      piece.line?.scaled(by: 1 / scale).changed {
        $0.middle.x += region.x
        $0.middle.y += region.y
      }
    }
    return lines.sorted { $0.length > $1.length }
  }

  /// A connected group of cells, with their weights.
  private struct Piece {
    var cells: [(point: Point, weight: Double)]
    var line: TextLine?

    init(_ cells: [(point: Point, weight: Double)]) {
      self.cells = cells
      line = Self.fit(cells)
    }

    /// Fits a curve to the cells by weighted least squares; nil if they do not form a line.
    private static func fit(_ cells: [(point: Point, weight: Double)]) -> TextLine? {
      let total = cells.reduce(0) { $0 + $1.weight }
      guard cells.count >= 8, total > 0 else { return nil }
      let x = cells.reduce(0) { $0 + $1.point.x * $1.weight } / total
      let y = cells.reduce(0) { $0 + $1.point.y * $1.weight } / total
      var (xx, xy, yy) = (0.0, 0.0, 0.0)
      for (p, w) in cells {
        xx += w * (p.x - x) * (p.x - x)
        xy += w * (p.x - x) * (p.y - y)
        yy += w * (p.y - y) * (p.y - y)
      }
      let angle = 0.5 * atan2(2 * xy, xx - yy)
      let straight = TextLine(middle: Point(x: x, y: y), angle: angle, length: 0, capHeight: 0, curvature: Parabola())
      let places = cells.map {
        let (u, v) = straight.coordinates(of: $0.point)
        return (x: u, y: v, weight: $0.weight)
      }
      guard let low = places.map(\.x).min(), let high = places.map(\.x).max() else { return nil }
      // Cell positions are those of their centres.
      let length = high - low + Double(LineFinder.cell)
      let thickness = total * Double(LineFinder.cell * LineFinder.cell) / length
      guard length > 6 * thickness, let curvature = Parabola(through: places) else { return nil }
      // Around the middle of the length, not the centroid.
      let shift = (low + high) / 2
      let direction = straight.direction
      return TextLine(
        middle: Point(x: x + direction.x * shift, y: y + direction.y * shift), angle: angle, length: length,
        capHeight: thickness / LineFinder.core,
        curvature: curvature.moved(to: shift))
    }
  }

  /// Cells with at least this probability form lines; adjacent ones with at least half of it count towards the
  /// thickness.
  private static let sure: Float = 0.5

  private static func pieces(_ likelihood: [Float]) -> [Piece] {
    var seen = [Bool](repeating: false, count: likelihood.count)
    var found: [Piece] = []
    for start in likelihood.indices where likelihood[start] >= sure && !seen[start] {
      var waiting = [start]
      var members: [(point: Point, weight: Double)] = []
      seen[start] = true
      while let i = waiting.popLast() {
        let (x, y) = (i % cells, i / cells)
        let middle = Point(x: (Double(x) + 0.5) * Double(cell), y: (Double(y) + 0.5) * Double(cell))
        members.append((middle, Double(likelihood[i])))
        // Weak cells belong to the line but do not connect it to another one.
        guard likelihood[i] >= sure else { continue }
        for ny in max(0, y - 1)...min(cells - 1, y + 1) {
          for nx in max(0, x - 1)...min(cells - 1, x + 1) {
            let j = ny * cells + nx
            guard !seen[j], likelihood[j] >= sure / 2 else { continue }
            seen[j] = true
            waiting.append(j)
          }
        }
      }
      found.append(Piece(members))
    }
    return found.filter { $0.line != nil || $0.cells.count >= 4 }
  }

  /// Joins pieces separated by a stamp or glare: those that continue a longer piece, close to its end.
  private static func join(_ pieces: inout [Piece]) {
    pieces.sort { $0.cells.count > $1.cells.count }
    var i = 0
    while i < pieces.count {
      defer { i += 1 }
      var j = i + 1
      while j < pieces.count, let line = pieces[i].line {
        let other = pieces[j].cells
        let places = other.map { line.coordinates(of: $0.point) }
        let aside = places.reduce(0) { $0 + $1.v } / Double(places.count)
        let gap = (places.map { abs($0.u) }.min() ?? 0) - line.length / 2
        let joined = abs(aside) < 0.5 * line.capHeight && gap < 0.4 * line.length ? Piece(pieces[i].cells + other) : nil
        if let joined, joined.line != nil {
          pieces[i] = joined
          pieces.remove(at: j)
          j = i + 1
        } else {
          j += 1
        }
      }
    }
  }
}
