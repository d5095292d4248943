import Glibc

/// The correlation between the changes of the face's colour and those of the screen in front of it, at the best-fitting
/// delay of screen and camera.
///
/// Only hue counts, and that of the frame's distant parts is subtracted: the camera's white balance changes both. A
/// face whose hue does not change is inconclusive: the room is too bright, or the screen too far away; one that changes
/// to colours other than those shown was illuminated by another screen.
///
/// The caller may misreport what was shown to match a recording. In a session with a nonce, the colours must be those
/// drawn from it, each at its time; otherwise the value is 0. Nor may the caller select the frames that match:
/// ``minimumCoverage``.
struct ColourResponse: LivenessMeasuring {
  static let signal = LivenessSignal.colourResponse
  static let unit = "score"
  static let source = "a photo lit by simulation: docs/liveness-signals.md"
  var failure: String {
    isClaimed
      ? "A frame reports another colour than the screen had to show at that time."
      : "The face reflected other colours than the screen showed."
  }
  let minimum: Double? = 0.5

  /// The possible lags of the camera in seconds: up to a third of a second, in steps of a frame at 30 per second.
  private static let lags = (0..<10).map { Double($0) / 30 }
  /// The number of frames kept for that time: 120 per second exceed any camera.
  private static let history = 64
  /// Seconds after which a colour counts as the baseline: slower changes are due to the camera and the sun.
  private static let memory = 2.0
  /// The root mean square change of hue, in logarithms, at or above which the face is actively illuminated: movement
  /// alone causes 0.004 to 0.056 in eight live clips.
  private static let visible = 0.12
  /// With fewer, a match by chance is too likely.
  private static let minimumChanges = 8
  /// The minimum share of the frames, from the first to the last that claims a colour, that claim one and show a face. In a
  /// simulation with random colours of 8 s at 12 frames per second, a recording lit by other colours reaches the minimum
  /// correlation in 0.3 % of the sessions if it claims a colour in every frame, in 4 % with its best 90 %, and in 89 %
  /// with only those frames that match.
  private static let minimumCoverage = 0.9
  /// The tolerance in seconds between a colour's own time and that of the frame that claims it: a colour lasts at least
  /// half a second.
  private static let tolerance = 0.5

  /// The sequence that the screen must show; nil allows any.
  private let drawn: ColourSequence?
  /// When the first colour was claimed.
  private var begin: Double?
  /// Whether a colour was claimed that did not match the sequence.
  private var isClaimed = false
  private var face = Slow()
  private var screen = Slow()
  /// The colours shown in recent frames, newest first.
  private var shown: [(time: Double, hue: SIMD2<Double>)] = []
  private var products = [Double](repeating: 0, count: lags.count)
  private var squares = [Double](repeating: 0, count: lags.count)
  private var faceSquares = 0.0
  private var frames = 0
  /// The number of frames from the first to the last that claims a colour, of those that claim one and show a face, and of
  /// the frames after the last.
  private var span = 0
  private var covered = 0
  private var unclaimed = 0
  private var last: SIMD3<Double>?
  private var changes = 0

  init(_ context: LivenessContext) { drawn = context.colours }

  mutating func add(_ frame: LivenessFrame) {
    guard let colour = frame.screenColour else {
      if last != nil { unclaimed += 1 }
      return
    }
    span += unclaimed + 1
    unclaimed = 0
    let begin = begin ?? frame.time
    self.begin = begin
    if let drawn, !drawn.shows(colour, at: frame.time - begin, within: Self.tolerance) { isClaimed = true }
    if let last, last != colour { changes += 1 }
    last = colour
    let hue = screen.change(to: Self.hue(255 * colour), at: frame.time)
    shown = Array(([(frame.time, hue)] + shown).prefix(Self.history))
    guard let located = frame.face, let seen = Self.hue(of: located.box, in: frame.picture) else { return }
    covered += 1
    let change = face.change(to: seen, at: frame.time)
    // The colour shown at each lag; a colour lasts until the next one.
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
    // An offset of 4 of 255 levels suppresses the noise of black.
    SIMD2(log((colour.x + 4) / (colour.y + 4)), log((colour.z + 4) / (colour.y + 4)))
  }

  /// Returns the hue of the middle of the face minus that of the distant background, if any; nil outside the frame.
  private static func hue(of box: Rectangle, in picture: PixelBuffer) -> SIMD2<Double>? {
    let near = Rectangle(
      x: box.x + 0.2 * box.width, y: box.y + 0.2 * box.height, width: 0.6 * box.width, height: 0.6 * box.height)
    // Excludes hair, neck and shoulders, which are illuminated like the face.
    let around = Rectangle(
      x: box.x - 0.5 * box.width, y: box.y - 0.5 * box.height, width: 2 * box.width,
      height: Double(picture.height) - box.y + 0.5 * box.height)
    let frame = Rectangle(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    guard let face = mean(near, in: picture, without: nil) else { return nil }
    return hue(face) - (mean(frame, in: picture, without: around).map(hue) ?? SIMD2(0, 0))
  }

  /// Over 24 × 24 samples.
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

  /// The difference between a value and its slow moving average.
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
      return .unavailable("Too few colours were shown while a face was visible.")
    }
    guard Double(covered) >= Self.minimumCoverage * Double(span) else {
      return .unavailable("Too few frames report a colour and show a face.")
    }
    let best = zip(products, squares).map { $1 > 0 && faceSquares > 0 ? $0 / ($1 * faceSquares).squareRoot() : 0 }.max()
    let correlation = best ?? 0
    let isVisible = (faceSquares / Double(frames)).squareRoot() > Self.visible
    guard isVisible || correlation >= minimum ?? 0 else {
      return .unavailable("The screen's light has no measurable effect: the room may be too bright.")
    }
    return .value(correlation)
  }
}
