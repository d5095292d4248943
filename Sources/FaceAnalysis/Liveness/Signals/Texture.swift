/// What the texture network says: the mean over the frames that it saw.
struct Texture: LivenessMeasuring {
  static let signal = LivenessSignal.texture
  static let unit = "score"
  static let source = "the network's model card, models/README.md"
  let failure = "The face has the texture of a print or a screen."
  let minimum: Double? = TextureNetwork.threshold

  private var sum = 0.0
  private var count = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let texture = frame.texture else { return }
    sum += texture
    count += 1
  }

  var measured: Measured {
    count > 0 ? .value(sum / Double(count)) : .unavailable("No frame shows a face that the network can judge.")
  }
}
