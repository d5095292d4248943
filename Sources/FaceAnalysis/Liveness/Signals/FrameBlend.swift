import Glibc

/// Frames that are a mixture of an earlier and a later one: the seams of a recording that was cut and faded over.
///
/// In a moving picture no frame is such a mixture: edges move between their places, and do not fade from one to the
/// other. What changes with the light is left out: it is smooth, or a gain of the whole picture.
struct FrameBlend: FrameMeasuring {
  static let signal = LivenessSignal.frameBlend
  static let unit = "ratio"
  static let source = "recordings that were cut and faded over: docs/liveness-signals.md"
  let failure = "Frames are a mixture of earlier and later ones: a recording that was cut."
  /// 26 clips of living people: at least 0.275, and 130 re-encoded ones 0.278; faded seams 0.10 to 0.12 (simulated,
  /// 2026-11).
  let minimum: Double? = 0.2

  private static let side = 64
  /// Samples of each cell along each side.
  private static let samples = 3
  /// Half the side of the square whose mean is subtracted, in cells: light varies more slowly.
  private static let reach = 8
  /// Seconds between the earlier and the later frame: a shorter motion is nearly linear, and resembles a mixture; fades
  /// last longer than the shortest, for they would be seen as cuts.
  private static let spans = 0.12...0.42
  /// The least change between them: root mean square in levels. Less is noise.
  private static let change = 4.0
  /// The shares of the later frame for which a mixture is distinguished from either.
  private static let shares = 0.25...0.75

  private var last: [(time: Double, cells: [Float])] = []
  private var size = SIMD2(0, 0)
  private var least = Double.infinity

  mutating func add(_ frame: LivenessFrame) {
    // Colours of the screen fade over each other on the face.
    guard frame.face != nil, frame.screenColour == nil else {
      last = []
      return
    }
    let size = SIMD2(frame.picture.width, frame.picture.height)
    if size != self.size { last = [] }
    self.size = size
    last.removeAll { frame.time - $0.time > Self.spans.upperBound }
    last.append((frame.time, Self.edges(of: frame.picture)))
    // At most 60 frames per second: memory use is constant.
    if last.count > 26 { last.removeFirst() }
    let now = last.count - 1
    for step in [1, 2, 3, 4, 6] where now >= 2 * step {
      let (earlier, middle) = (last[now - 2 * step], last[now - step])
      guard Self.spans.contains(frame.time - earlier.time) else { continue }
      if let ratio = Self.ratio(earlier.cells, middle.cells, last[now].cells) { least = min(least, ratio) }
    }
  }

  /// Returns what of the middle frame is no mixture of the others, over what it would be if it were: 0 for a mixture.
  private static func ratio(_ earlier: [Float], _ middle: [Float], _ later: [Float]) -> Double? {
    var (aa, ab, am) = (Float(1e-6), Float(0), Float(0))
    var (bb, bm, mm) = (Float(0), Float(0), Float(0))
    for i in earlier.indices {
      let (a, b, m) = (earlier[i], later[i] - earlier[i], middle[i] - earlier[i])
      aa += a * a
      ab += a * b
      am += a * m
      bb += b * b
      bm += b * m
      mm += m * m
    }
    // Without what a gain of the earlier frame explains.
    let (change, common, rest) = (bb - ab * ab / aa, bm - ab * am / aa, mm - am * am / aa)
    guard change / Float(earlier.count) >= Float(Self.change * Self.change) else { return nil }
    let share = Double(common / change)
    guard shares.contains(share) else { return nil }
    let residual = max(0, Double(rest - common * common / change))
    return (residual / Double(change) / (share * (1 - share))).squareRoot()
  }

  /// The green channel in cells, less the mean around each.
  private static func edges(of picture: PixelBuffer) -> [Float] {
    let count = side * samples
    let columns = (0..<count).map { 3 * ((2 * $0 + 1) * picture.width / (2 * count)) + 1 }
    var cells = [Float](repeating: 0, count: side * side)
    picture.rgb.withUnsafeBufferPointer { rgb in
      for y in 0..<count {
        let line = 3 * picture.width * ((2 * y + 1) * picture.height / (2 * count))
        for x in 0..<count { cells[y / samples * side + x / samples] += Float(rgb[line + columns[x]]) }
      }
    }
    let share = 1 / Float(samples * samples)
    for i in cells.indices { cells[i] *= share }
    let smooth = blurred(blurred(cells, step: 1, line: side), step: side, line: 1)
    for i in cells.indices { cells[i] -= smooth[i] }
    return cells
  }

  /// The means along one direction, of `reach` cells on both sides, fewer at the ends.
  private static func blurred(_ cells: [Float], step: Int, line: Int) -> [Float] {
    var means = cells
    for row in 0..<side {
      var (sum, count) = (Float(0), Float(0))
      for i in 0..<side + reach {
        if i < side {
          sum += cells[row * line + i * step]
          count += 1
        }
        if i > 2 * reach {
          sum -= cells[row * line + (i - 2 * reach - 1) * step]
          count -= 1
        }
        if i >= reach { means[row * line + (i - reach) * step] = sum / count }
      }
    }
    return means
  }

  var measured: Measured {
    least < .infinity ? .value(least) : .unavailable("The picture did not change enough for this check.")
  }
}
