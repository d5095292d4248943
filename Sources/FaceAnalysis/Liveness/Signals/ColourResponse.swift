import Glibc

/// How well the changes of the face's colour follow those of the screen before it: their correlation, at the delay of
/// screen and camera that fits best.
///
/// Only hue counts, of the face less that of the frame's far parts: a camera's white balance changes both. A face that
/// does not change its hue says nothing: the room is too bright, or the screen too far; one that changes it to other
/// colours than were shown was lit by another screen.
///
/// Who says what was shown may lie, so that it fits what a recording shows. Where the session has a nonce, colours are
/// those drawn from it, each at its time; otherwise the value is 0.
struct ColourResponse: LivenessMeasuring {
  static let signal = LivenessSignal.colourResponse
  static let unit = "score"
  static let source = "a photo lit by simulation: docs/liveness-signals.md"
  var failure: String {
    isClaimed
      ? "A frame claims another colour than the screen was to show then."
      : "The face was lit by other colours than the screen showed."
  }
  let minimum: Double? = 0.5

  /// Seconds by which the camera may lag behind the screen: up to a third of a second, in steps of a frame at 30 a
  /// second.
  private static let lags = (0..<10).map { Double($0) / 30 }
  /// Frames in that time that are remembered: 120 a second are more than a camera gives.
  private static let history = 64
  /// Seconds after which a colour is what things look like: slower changes are the camera's and the sun's.
  private static let memory = 2.0
  /// Root mean square of the hue's changes, in logarithms, from which on somebody lights the face: movement alone gives
  /// 0.004 to 0.056 in eight live clips.
  private static let visible = 0.12
  /// With fewer, chance fits too often.
  private static let minimumChanges = 8
  /// Seconds between a colour's own time and that of the frame that claims it: a colour stays for half a second at least.
  private static let tolerance = 0.5

  /// What the screen is to show; nil if anything.
  private let drawn: ColourSequence?
  /// When the first colour was claimed.
  private var begin: Double?
  /// Whether a colour was claimed that was not to be shown.
  private var isClaimed = false
  private var face = Slow()
  private var screen = Slow()
  /// What the screen showed in the last frames, newest first.
  private var shown: [(time: Double, hue: SIMD2<Double>)] = []
  private var products = [Double](repeating: 0, count: lags.count)
  private var squares = [Double](repeating: 0, count: lags.count)
  private var faceSquares = 0.0
  private var frames = 0
  private var last: SIMD3<Double>?
  private var changes = 0

  init(_ context: LivenessContext) { drawn = context.colours }

  mutating func add(_ frame: LivenessFrame) {
    guard let colour = frame.screenColour else { return }
    let begin = begin ?? frame.time
    self.begin = begin
    if let drawn, !drawn.shows(colour, at: frame.time - begin, within: Self.tolerance) { isClaimed = true }
    if let last, last != colour { changes += 1 }
    last = colour
    let hue = screen.change(to: Self.hue(255 * colour), at: frame.time)
    shown = Array(([(frame.time, hue)] + shown).prefix(Self.history))
    guard let located = frame.face, let seen = Self.hue(of: located.box, in: frame.picture) else { return }
    let change = face.change(to: seen, at: frame.time)
    // What was shown so long ago; a colour stays until the next one.
    let past = Self.lags.compactMap { lag in shown.first { $0.time <= frame.time - lag + 1e-6 }?.hue }
    guard past.count == Self.lags.count else { return }
    for (i, hue) in past.enumerated() {
      products[i] += (change * hue).sum()
      squares[i] += (hue * hue).sum()
    }
    faceSquares += (change * change).sum()
    frames += 1
  }

  private static func hue(_ colour: SIMD3<Double>) -> SIMD2<Double> {
    // 4 of 255 levels keep the noise of black from counting.
    SIMD2(log((colour.x + 4) / (colour.y + 4)), log((colour.z + 4) / (colour.y + 4)))
  }

  /// Of the middle of the face, less that of what is far from it, where there is something; nil outside the frame.
  private static func hue(of box: Rectangle, in picture: PixelBuffer) -> SIMD2<Double>? {
    let near = Rectangle(
      x: box.x + 0.2 * box.width, y: box.y + 0.2 * box.height, width: 0.6 * box.width, height: 0.6 * box.height)
    // Hair, neck and shoulders, which are lit as the face is, are neither.
    let around = Rectangle(
      x: box.x - 0.5 * box.width, y: box.y - 0.5 * box.height, width: 2 * box.width,
      height: Double(picture.height) - box.y + 0.5 * box.height)
    let frame = Rectangle(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    guard let face = mean(near, in: picture, without: nil) else { return nil }
    return hue(face) - (mean(frame, in: picture, without: around).map(hue) ?? SIMD2(0, 0))
  }

  /// Over 24 × 24 places.
  private static func mean(_ area: Rectangle, in picture: PixelBuffer, without hole: Rectangle?) -> SIMD3<Double>? {
    var sum = SIMD3(0, 0, 0)
    var count = 0
    for i in 0..<24 * 24 {
      let point = Point(
        x: area.x + (Double(i % 24) + 0.5) / 24 * area.width, y: area.y + (Double(i / 24) + 0.5) / 24 * area.height)
      guard point.x >= 0, point.y >= 0, point.x < Double(picture.width), point.y < Double(picture.height),
        !(hole?.contains(point) ?? false)
      else { continue }
      let place = 3 * (Int(point.y) * picture.width + Int(point.x))
      sum = sum &+ SIMD3(Int(picture.rgb[place]), Int(picture.rgb[place + 1]), Int(picture.rgb[place + 2]))
      count += 1
    }
    return count >= 24 ? SIMD3<Double>(sum) / Double(count) : nil
  }

  /// A value less its own slow mean.
  private struct Slow {
    private var mean: SIMD2<Double>?
    private var time = 0.0

    mutating func change(to value: SIMD2<Double>, at now: Double) -> SIMD2<Double> {
      let old = mean ?? value
      let new = old + (value - old) * min(1, (now - time) / ColourResponse.memory)
      mean = mean == nil ? value : new
      time = now
      return value - new
    }
  }

  var measured: Measured {
    guard last != nil else { return .unavailable("No colours were shown.") }
    guard !isClaimed else { return .value(0) }
    guard frames > 0, changes >= Self.minimumChanges else {
      return .unavailable("Too few colours were shown to a face.")
    }
    let best = zip(products, squares).map { $1 > 0 && faceSquares > 0 ? $0 / ($1 * faceSquares).squareRoot() : 0 }.max()
    let correlation = best ?? 0
    let isVisible = (faceSquares / Double(frames)).squareRoot() > Self.visible
    guard isVisible || correlation >= minimum ?? 0 else {
      return .unavailable("The screen's light has no effect that could be measured: the room may be too bright.")
    }
    return .value(correlation)
  }
}
