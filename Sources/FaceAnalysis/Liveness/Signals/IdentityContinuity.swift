/// The farthest that a later frame's face was from the first one's.
struct IdentityContinuity: LivenessMeasuring {
  static let signal = LivenessSignal.identityContinuity
  static let unit = "score"
  static let source =
    "the calibration's threshold at a false-match rate of 1e-3; 25 live clips stay below -5.4 (2026-11)"
  let failure = "The face changed to another person's during the session."

  let maximum: Double?
  private var first: FaceTemplate?
  /// The two farthest: one frame can be blurred, a person who has gone does not come back.
  private var farthest: [Double] = []
  private var compared = 0

  init(_ context: LivenessContext) {
    maximum = (try? context.calibration?.threshold(at: .oneIn1000))?.score
  }

  mutating func add(_ frame: LivenessFrame) {
    guard let template = frame.portraitSample?.template else { return }
    guard let first else {
      first = template
      return
    }
    guard let score = try? Comparison.score(first, template) else { return }
    compared += 1
    farthest = Array((farthest + [score]).sorted(by: >).prefix(2))
  }

  var measured: Measured {
    guard maximum != nil else {
      return .unavailable("The model set in use has no calibration, which this check needs.")
    }
    guard compared > 0 else { return .unavailable("Fewer than two frames show the face well enough to compare them.") }
    return .value(farthest[farthest.count - 1])
  }
}
