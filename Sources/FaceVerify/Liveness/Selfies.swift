/// The best frames of a session so far.
struct Selfies {
  /// Templates that are averaged: measured in docs/liveness.md.
  static let count = 5

  private(set) var best: LivenessDecision.Selfie?
  /// The best first.
  private(set) var templates: [FaceTemplate] = []

  mutating func add(_ frame: LivenessFrame) {
    guard let sample = frame.portraitSample, let template = sample.template, let quality = template.quality else {
      return
    }
    templates = Array((templates + [template]).sorted { $0.quality ?? 0 > $1.quality ?? 0 }.prefix(Self.count))
    if quality > best?.quality.score ?? -1 {
      best = LivenessDecision.Selfie(picture: frame.picture, time: frame.time, quality: sample.quality)
    }
  }
}
