/// In how many of the looks for other faces there was one of a fifth of this one's prominence: nearly half as wide.
struct SingleFace: LivenessMeasuring {
  static let signal = LivenessSignal.singleFace
  static let unit = "share"
  static let source = "chosen: somebody may pass by once in ten looks, five seconds"
  let failure = "Another face was beside this one."
  let maximum: Double? = 0.1

  private var looks = 0
  private var others = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let face = frame.face, let faces = frame.portraitSample?.faces else { return }
    looks += 1
    if QualityInput.nextFace(to: face, among: faces) > 0.2 { others += 1 }
  }

  var measured: Measured {
    looks > 0 ? .value(Double(others) / Double(looks)) : .unavailable("No face was found.")
  }
}
