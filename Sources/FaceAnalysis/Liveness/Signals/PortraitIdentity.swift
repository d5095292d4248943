/// How far the face is from the portrait: the median over the frames.
struct PortraitIdentity: LivenessMeasuring {
  static let signal = LivenessSignal.portraitIdentity
  static let unit = "score"
  static let source = "the calibration's threshold at a false-match rate of 1e-3"
  let failure = "The person is not the one of the portrait."

  let maximum: Double?
  private let portrait: FaceTemplate?
  private var scores: [Double] = []

  init(_ context: LivenessContext) {
    portrait = context.portrait
    maximum = (try? context.calibration?.threshold(at: .oneIn1000))?.score
  }

  mutating func add(_ frame: LivenessFrame) {
    // A minute's worth: more would not move the median, and memory is to be constant.
    guard let portrait, let template = frame.portraitSample?.template, scores.count < 120,
      let score = try? Comparison.score(portrait, template)
    else { return }
    scores.append(score)
  }

  var measured: Measured {
    guard portrait != nil else { return .unavailable("No portrait was given.") }
    guard maximum != nil else {
      return .unavailable("The model set in use has no calibration, which this check needs.")
    }
    guard !scores.isEmpty else { return .unavailable("No frame shows the face well enough to compare it.") }
    return .value(scores.sorted()[scores.count / 2])
  }
}
