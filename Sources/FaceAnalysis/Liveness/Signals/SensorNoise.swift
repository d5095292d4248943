/// The noise of the face's pixels between two frames: the median over small squares of the face, and over the frames.
///
/// A sensor's noise is above half a level; encoders remove much of it, but never all of it from a face, which is never
/// entirely still. Without any noise the picture is frozen, or was rendered.
struct SensorNoise: FrameMeasuring {
  static let signal = LivenessSignal.sensorNoise
  static let unit = "level"
  static let source = "a photo as a video: docs/liveness-signals.md"
  let failure = "The picture has less noise than that of any camera."
  let minimum: Double? = 0.2

  private static let side = 8
  /// Squares along each side of the face's box.
  private static let squares = 12
  /// The number of frames after a sampled one with which it is compared; the largest difference counts, since some
  /// cameras duplicate frames.
  private static let followers = 3
  /// Black and white show no noise.
  private static let levels = 16...239

  private var patches: [UInt8] = []
  private var places: [Int] = []
  private var size = SIMD2(0, 0)
  private var left = 0
  private var current = 0.0
  private var found: [Double] = []

  mutating func add(_ frame: LivenessFrame) {
    if left > 0, size == SIMD2(frame.picture.width, frame.picture.height) {
      left -= 1
      if let noise = noise(in: frame.picture) { current = max(current, noise) }
      if left == 0 { found.append(current) }
    }
    // A minute of samples: more would not change the median, and memory use must be constant.
    guard frame.isSampled, left == 0, found.count < 300, let face = frame.face else { return }
    size = SIMD2(frame.picture.width, frame.picture.height)
    places = Self.places(in: face.box, size)
    patches = places.flatMap { Self.square(at: $0, in: frame.picture) }
    (left, current) = (Self.followers, 0)
  }

  /// Returns the offset of the first green value of each square inside the picture.
  private static func places(in box: Rectangle, _ size: SIMD2<Int>) -> [Int] {
    (0..<squares * squares).compactMap { i in
      let x = box.x + (Double(i % squares) + 0.5) / Double(squares) * box.width
      let y = box.y + (Double(i / squares) + 0.5) / Double(squares) * box.height
      guard x >= 0, y >= 0, x < Double(size.x - side), y < Double(size.y - side) else { return nil }
      return 3 * (Int(y) * size.x + Int(x)) + 1
    }
  }

  private static func square(at place: Int, in picture: PixelBuffer) -> [UInt8] {
    (0..<side * side).map { picture.rgb[place + 3 * ($0 / side * picture.width + $0 % side)] }
  }

  /// Returns the median over the squares of the standard deviation of the change, per frame.
  private func noise(in picture: PixelBuffer) -> Double? {
    let area = Self.side * Self.side
    let deviations = places.indices.compactMap { index -> Double? in
      let now = Self.square(at: places[index], in: picture)
      var (sum, squares, level) = (0, 0, 0)
      for i in 0..<area {
        let change = Int(now[i]) - Int(patches[index * area + i])
        sum += change
        squares += change * change
        level += Int(now[i])
      }
      guard Self.levels.contains(level / area) else { return nil }
      let mean = Double(sum) / Double(area)
      return (max(0, Double(squares) / Double(area) - mean * mean) / 2).squareRoot()
    }
    return deviations.count >= 16 ? deviations.median : nil
  }

  var measured: Measured {
    guard found.count >= 5, let median = found.median else {
      return .unavailable("Too few frames show a well-lit face.")
    }
    return .value(median)
  }
}
