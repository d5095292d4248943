/// How far a regular pattern stands out of the face's spectrum: what a camera sees of a display's pixels, or of a print's
/// dots.
///
/// Squares of 128 pixels around the face's middle, at the camera's own resolution, are transformed, and their power is
/// summed over the frames: a pattern stays where it is in the spectrum, skin and hair move. The value is the power at the
/// highest peak over that beside it; an edge is a line in the spectrum and high on two sides, a pattern is a point.
struct Moire: LivenessMeasuring {
  static let signal = LivenessSignal.moire
  static let unit = "ratio"
  static let source =
    "25 live clips, three replays, and grids laid over three clips (2026-11): docs/liveness-signals.md"
  let failure = "The face shows the pattern of a display or of a print."
  let maximum: Double? = 12

  private static let side = 128
  /// Cycles in the square, from its structure on and up to where a camera's lens and encoder leave something.
  private static let frequencies = 14.0...62.0
  /// Encoders' blocks: multiples of 16 cycles in 128 pixels (8 pixels, and their half), on the axes, and a cycle beside.
  private static let blocks = (cycles: 16, beside: 1, offAxis: 2)
  /// The power of rounding to whole levels (1/12 of a level squared) under the window, in whose square's sum (0.375 a
  /// side) it lies: what is there without any picture.
  private static let rounding = Float(side * side) * 0.375 * 0.375 / 12
  private static let minimumFrames = 3

  private var power: [Float] = []
  private var frames = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    let (side, picture) = (Self.side, frame.picture)
    guard frame.isSampled, let face = frame.face, min(picture.width, picture.height) >= side else { return }
    let middle = face.box.centre
    let x = Int(max(0, min(Double(picture.width - side), middle.x - Double(side / 2))))
    let y = Int(max(0, min(Double(picture.height - side), middle.y - Double(side / 2))))
    var luma = [Float](repeating: 0, count: side * side)
    picture.rgb.withUnsafeBufferPointer { rgb in
      for row in 0..<side {
        for column in 0..<side {
          let i = 3 * ((y + row) * picture.width + x + column)
          luma[row * side + column] = 0.299 * Float(rgb[i]) + 0.587 * Float(rgb[i + 1]) + 0.114 * Float(rgb[i + 2])
        }
      }
    }
    let spectrum = Spectrum(luma, width: side, height: side)
    if power.isEmpty { power = [Float](repeating: 0, count: side * side) }
    for i in power.indices {
      power[i] += spectrum.real[i] * spectrum.real[i] + spectrum.imaginary[i] * spectrum.imaginary[i]
    }
    frames += 1
  }

  var measured: Measured {
    guard frames >= Self.minimumFrames else {
      return .unavailable("Too few frames show a face, or they are too small for this check.")
    }
    let mean = power.map { $0 / Float(frames) }
    let sums = Sums(mean, side: Self.side)
    var highest: Float = 0
    // The other half mirrors this one.
    for u in 0...Self.side / 2 {
      for v in -Self.side / 2..<Self.side / 2 where Self.isLookedAt(u, v) {
        let peak = mean[(v + Self.side) % Self.side * Self.side + u % Self.side]
        highest = max(highest, peak / (sums.highestSide(u, v) + Self.rounding))
      }
    }
    return .value(Double(highest))
  }

  private static func isLookedAt(_ u: Int, _ v: Int) -> Bool {
    guard frequencies.contains(Double(u * u + v * v).squareRoot()) else { return false }
    func isBlock(_ along: Int, _ across: Int) -> Bool {
      let rest = abs(along) % blocks.cycles
      return abs(across) <= blocks.offAxis && min(rest, blocks.cycles - rest) <= blocks.beside
    }
    return !isBlock(u, v) && !isBlock(v, u)
  }

  /// Means over rectangles of the spectrum, which goes on beyond its edges as on the other side.
  private struct Sums {
    private static let margin = 6
    private let side: Int
    private var sums: [Double]

    init(_ power: [Float], side: Int) {
      let margin = Self.margin
      self.side = side + 2 * margin + 1
      sums = [Double](repeating: 0, count: self.side * self.side)
      for y in 1..<self.side {
        var row = 0.0
        for x in 1..<self.side {
          let (v, u) = (y - 1 - margin - side / 2, x - 1 - margin - side / 2)
          row += Double(power[(v + 2 * side) % side * side + (u + 2 * side) % side])
          sums[y * self.side + x] = sums[(y - 1) * self.side + x] + row
        }
      }
    }

    private func mean(_ u: ClosedRange<Int>, _ v: ClosedRange<Int>) -> Double {
      let origin = (side - 1) / 2
      let (left, right) = (u.lowerBound + origin, u.upperBound + origin + 1)
      let (top, bottom) = (v.lowerBound + origin, v.upperBound + origin + 1)
      let sum =
        sums[bottom * side + right] - sums[top * side + right] - sums[bottom * side + left] + sums[top * side + left]
      return max(0, sum) / Double(u.count * v.count)
    }

    /// The largest mean of the four sides of the square of 13 around a place, each three wide.
    func highestSide(_ u: Int, _ v: Int) -> Float {
      let (all, before, after) = (-6...6, -6...(-4), 4...6)
      func moved(_ range: ClosedRange<Int>, by n: Int) -> ClosedRange<Int> {
        range.lowerBound + n...range.upperBound + n
      }
      return Float(
        max(
          mean(moved(before, by: u), moved(all, by: v)), mean(moved(after, by: u), moved(all, by: v)),
          mean(moved(all, by: u), moved(before, by: v)), mean(moved(all, by: u), moved(after, by: v))))
    }
  }
}
