/// The prominence of a regular pattern in the face's spectrum: a display's pixels, or a print's dots, as recorded by a
/// camera.
///
/// Squares of 128 pixels around the face's centre, at the camera's own resolution, are transformed, and their power
/// spectra are summed over the frames: a pattern stays in place in the spectrum, skin and hair move. The value is the
/// power of the highest peak over that of its surroundings; an edge is a line in the spectrum and high on two sides, a
/// pattern is a point.
///
/// Encoders that keep few of a block's cosines cause peaks as well. Such a cosine is modulated from block to block, and
/// the spectrum of values 8 pixels apart repeats every 16 cycles: each of those peaks has images of the same power next
/// to that cosine's frequency. A display's grid has none; the image's power is subtracted from the peak's.
struct Moire: FrameMeasuring {
  static let signal = LivenessSignal.moire
  static let unit = "ratio"
  static let source = "recordings, re-encoded ones, and grids drawn on them: docs/liveness-signals.md"
  let failure = "The face shows the pattern of a display or of a print."
  let maximum: Double? = 12

  private static let side = 128
  /// Cycles per square, from above the structure of the face up to what a camera's lens and encoder preserve.
  private static let frequencies = 14.0...62.0
  /// Frequencies of encoder blocks: multiples of 16 cycles in 128 pixels (8 pixels, and their half), on the axes, plus
  /// one adjacent cycle. `width` is the width of a peak due to the window.
  private static let blocks = (cycles: 16, beside: 1, offAxis: 2, width: 3)
  /// The power of rounding to whole levels (1/12 of a level squared) under the window, whose mean square is 0.375 per
  /// axis: the noise floor of any picture.
  private static let rounding = Float(side * side) * 0.375 * 0.375 / 12
  private static let minimumFrames = 3

  private var power: [Float] = []
  private var frames = 0

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
    // The other half is its mirror image.
    for u in 0...Self.side / 2 {
      for v in -Self.side / 2..<Self.side / 2 where Self.isLookedAt(u, v) {
        let rest = Self.power(mean, u, v) - Self.imagePower(mean, u, v)
        highest = max(highest, rest / (sums.highestSide(u, v) + Self.rounding))
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

  private static func power(_ power: [Float], _ u: Int, _ v: Int) -> Float {
    power[(v % side + side) % side * side + (u % side + side) % side]
  }

  /// Returns the highest power among a frequency's images due to an encoder's blocks: the spectrum of real numbers is
  /// mirrored about every multiple of half its period. Images within a peak's own width are inconclusive.
  private static func imagePower(_ power: [Float], _ u: Int, _ v: Int) -> Float {
    func mirrored(_ place: Int) -> [Int] {
      let below = Int((2 * Double(place) / Double(blocks.cycles)).rounded(.down))
      return [below, below + 1].map { blocks.cycles * $0 - place }
    }
    /// Returns the distance on the circle of frequencies.
    func distance(_ a: Int, _ b: Int) -> Int { abs(((a - b + side / 2) % side + side) % side - side / 2) }
    var highest: Float = 0
    for x in mirrored(u) {
      for y in mirrored(v) {
        let isOwn =
          max(distance(x, u), distance(y, v)) < blocks.width || max(distance(x, -u), distance(y, -v)) < blocks.width
        if !isOwn { highest = max(highest, Self.power(power, x, y)) }
      }
    }
    return highest
  }

  /// Means over rectangles of the spectrum, which is periodic.
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

    /// Returns the largest mean of the four sides, each three wide, of the 13 × 13 square around a frequency.
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
