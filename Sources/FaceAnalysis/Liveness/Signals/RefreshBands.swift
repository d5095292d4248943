import Glibc

/// The strength of bright and dark bands that move up or down the frame: a display filmed while it refreshes or dims
/// its light by switching (PWM).
///
/// The brightness of rows is analysed in four columns of the frame: bands appear in all four together, movement in
/// front of the camera does not. Lamps on the mains also cause bands, which move at known rates and are excluded here.
/// Other flickering lamps cannot be distinguished from displays.
struct RefreshBands: FrameMeasuring {
  static let signal = LivenessSignal.refreshBands
  static let unit = "share"
  static let source = "recordings, re-encoded ones, and bands drawn on them: docs/liveness-signals.md"
  let failure = "Bands move across the picture, as on a filmed display."
  let maximum: Double? = 0.01

  private static let rows = 32
  private static let columns = 4
  private static let frames = 64
  /// Pixels sampled per row of a column, and rows sampled per row.
  private static let across = 16
  private static let down = 4
  /// Cycles per second at or above which a band counts as moving; anything slower is light and movement.
  private static let slowest = 1.9
  /// In 64 frames; slower changes leak into the spectrum above.
  private static let fewestCycles = 4
  /// Frames per second; below this, those cycles are most of the observable range, and people move as fast.
  private static let minimumRate = 11.0
  /// Lamps brighten twice per mains cycle (50 and 60 Hz).
  private static let lamps = [100.0, 120, 200, 240]

  /// Logarithms of brightness, since a band dims everything by the same factor. Frame by frame, column by column.
  private var profiles: [Float] = []
  private var times: [Double] = []
  private var size = SIMD2(0, 0)
  private var found: [Double] = []
  private var isSlow = false

  mutating func add(_ frame: LivenessFrame) {
    let picture = frame.picture
    if size != SIMD2(picture.width, picture.height) || frame.time - (times.last ?? frame.time) > 0.5 {
      (profiles, times) = ([], [])
      size = SIMD2(picture.width, picture.height)
    }
    profiles += Self.profile(of: picture)
    times.append(frame.time)
    guard times.count == Self.frames else { return }
    // A minute of samples: more would not change the median, and memory use must be constant.
    if rate < Self.minimumRate {
      isSlow = true
    } else if found.count < 60 {
      found.append(amplitude)
    }
    profiles.removeFirst(profiles.count / 2)
    times.removeFirst(times.count / 2)
  }

  private static func profile(of picture: PixelBuffer) -> [Float] {
    var profile = [Float](repeating: 0, count: columns * rows)
    picture.rgb.withUnsafeBufferPointer { rgb in
      let places = (0..<columns * across).map { 3 * ((2 * $0 + 1) * picture.width / (2 * columns * across)) + 1 }
      for y in 0..<rows * down {
        let line = 3 * picture.width * ((2 * y + 1) * picture.height / (2 * rows * down))
        for column in 0..<columns {
          var sum = 0
          for x in column * across..<(column + 1) * across { sum += Int(rgb[line + places[x]]) }
          // An offset of 16 suppresses the noise of black.
          profile[column * rows + y / down] += log(Float(sum) / Float(across) + 16) / Float(down)
        }
      }
    }
    return profile
  }

  /// The relative amplitude of the strongest moving wave common to all four columns.
  private var amplitude: Double {
    let (rows, frames) = (Self.rows, Self.frames)
    let spectra = (0..<Self.columns).map { spectrum(ofColumn: $0) }
    var highest: Float = 0
    // Less than half of the frames at `minimumRate` and above.
    let slowest = max(Self.fewestCycles, Int((Self.slowest * Double(frames) / rate).rounded()))
    for t in slowest...frames - slowest where !isLamp(t) {
      for y in 1..<rows / 2 {
        let i = t * rows + y
        var common = Float.infinity
        for a in 1..<Self.columns {
          for b in 0..<a {
            common = min(
              common, spectra[a].real[i] * spectra[b].real[i] + spectra[a].imaginary[i] * spectra[b].imaginary[i])
          }
        }
        highest = max(highest, common)
      }
    }
    // A wave of amplitude 1 gives half the windows' sums, which are half their lengths.
    return Double(max(0, highest).squareRoot()) * 2 / (Double(rows * frames) / 4)
  }

  private func spectrum(ofColumn column: Int) -> Spectrum {
    let (rows, frames) = (Self.rows, Self.frames)
    var field: [Float] = []
    for t in 0..<frames {
      let start = (t * Self.columns + column) * rows
      field += profiles[start..<start + rows]
    }
    for y in 0..<rows {
      var mean: Float = 0
      for t in 0..<frames { mean += field[t * rows + y] / Float(frames) }
      for t in 0..<frames { field[t * rows + y] -= mean }
    }
    // Light that changes everywhere together is not a band.
    for t in 0..<frames {
      let row = t * rows..<(t + 1) * rows
      let mean = field[row].reduce(0, +) / Float(rows)
      for i in row { field[i] -= mean }
    }
    return Spectrum(field, width: rows, height: frames)
  }

  /// Frames per second.
  private var rate: Double { Double(Self.frames - 1) / (times[Self.frames - 1] - times[0]) }

  /// Returns whether a lamp on the mains, sampled once per frame, appears at this number of cycles in 64 frames.
  private func isLamp(_ cycles: Int) -> Bool {
    Self.lamps.contains { lamp in
      let seen = (lamp / rate).truncatingRemainder(dividingBy: 1) * Double(Self.frames)
      return [seen, Double(Self.frames) - seen].contains { abs($0 - Double(cycles)) <= 2 }
    }
  }

  var measured: Measured {
    // The lower of two: a light that is switched on is all bands together.
    found.count >= 2
      ? .value(found.sorted()[(found.count - 1) / 2])
      : .unavailable(
        isSlow
          ? "The frame rate is too low to distinguish bands from movement."
          : "There were too few consecutive frames for this check.")
  }
}
