/// The second greatest distance of a frame's face from the person's: the first face that a later one matches, because the
/// very first frames may show a hand, or a transition.
///
/// The rate is that of a single comparison: for another person to pass, all frames but one would have to match. At a
/// lower false-match rate (1e-3: -6.4), speaking and turning faces are mistaken for other people's (-5.4 in one of 27
/// live clips).
struct IdentityContinuity: LivenessMeasuring {
  static let signal = LivenessSignal.identityContinuity
  static let unit = "score"
  static let source =
    "the calibration's threshold at a false-match rate of 1e-2: after a swap, many frames would have to match"
  let failure = "The face changed to another person's during the session."

  let maximum: Double?
  private var person: FaceTemplate?
  /// The first faces, while none matches another.
  private var candidates: [FaceTemplate] = []
  private static let mostCandidates = 4
  /// The two greatest: a single frame can be blurred, and a person who has left does not return.
  private var farthest: [Double] = []
  private var compared = 0

  init(_ context: LivenessContext) { maximum = (try? context.calibration?.threshold(at: .oneIn100))?.score }

  mutating func add(_ frame: LivenessFrame) {
    guard let template = frame.portraitSample?.template else { return }
    if person == nil {
      candidates.append(template)
      let confirmed = candidates.dropLast().firstIndex { score($0, template).map { $0 <= maximum ?? 0 } ?? false }
      if confirmed != nil || candidates.count == Self.mostCandidates { choose(confirmed ?? 0) }
    } else {
      compare(template)
    }
  }

  private mutating func choose(_ index: Int) {
    person = candidates.remove(at: index)
    for other in candidates { compare(other) }
  }

  private mutating func compare(_ template: FaceTemplate) {
    guard let person, let score = score(person, template) else { return }
    compared += 1
    farthest = Array((farthest + [score]).sorted(by: >).prefix(2))
  }

  private func score(_ a: FaceTemplate, _ b: FaceTemplate) -> Double? { try? Comparison.score(a, b) }

  var measured: Measured {
    guard maximum != nil else { return .noCalibration }
    var ended = self
    if person == nil, !candidates.isEmpty { ended.choose(0) }
    let (compared, farthest) = (ended.compared, ended.farthest)
    guard compared > 0 else { return .unavailable("Fewer than two frames show the face well enough to compare them.") }
    return .value(farthest[farthest.count - 1])
  }
}

/// The distance of the face from the portrait: the median over the frames.
struct PortraitIdentity: LivenessMeasuring {
  static let signal = LivenessSignal.portraitIdentity
  static let unit = "score"
  static let source = "the calibration's threshold at a false-match rate of 1e-3"
  let failure = "The person is not the person in the portrait."

  let maximum: Double?
  private let portrait: FaceTemplate?
  private var scores: [Double] = []

  init(_ context: LivenessContext) {
    portrait = context.portrait
    maximum = (try? context.calibration?.threshold(at: .oneIn1000))?.score
  }

  mutating func add(_ frame: LivenessFrame) {
    // A minute of samples: more would not change the median, and memory use must be constant.
    guard let portrait, let template = frame.portraitSample?.template, scores.count < 120,
      let score = try? Comparison.score(portrait, template)
    else { return }
    scores.append(score)
  }

  var measured: Measured {
    guard portrait != nil else { return .unavailable("No portrait was supplied.") }
    guard maximum != nil else { return .noCalibration }
    guard let median = scores.median else { return .unavailable("No frame shows the face well enough to compare it.") }
    return .value(median)
  }
}

/// The share of searches for other faces that found one of at least a fifth of this one's prominence: nearly half as
/// wide.
struct SingleFace: FrameMeasuring {
  static let signal = LivenessSignal.singleFace
  static let unit = "share"
  static let source = "chosen: a passer-by may appear in one of ten checks, within five seconds"
  let failure = "Another face was visible."
  let maximum: Double? = 0.1

  private var looks = 0
  private var others = 0

  mutating func add(_ frame: LivenessFrame) {
    guard let face = frame.face, let faces = frame.portraitSample?.faces else { return }
    looks += 1
    if QualityInput.nextFace(to: face, among: faces) > 0.2 { others += 1 }
  }

  var measured: Measured { looks > 0 ? .value(Double(others) / Double(looks)) : .unavailable("No face was found.") }
}
