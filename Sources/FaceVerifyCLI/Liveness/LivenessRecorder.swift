import FaceVerify
import FaceVerifyCapture

/// Creates the pictures of a session while it runs: a film of its frames, and a plot.
struct LivenessRecorder {
  /// The destination of the film; for a photo, of a picture.
  let film: String?
  let plot: String?
  let isPhoto: Bool
  let name: String
  let frameRate: Double

  private var drawing: LivenessFilm
  private var curves = LivenessPlot()
  private var writer: VideoWriter?
  private var begin: Double?
  private var last = 0.0

  /// How long the result is shown, in seconds.
  private static let ending = 3.0

  init(film: String?, plot: String?, isPhoto: Bool, name: String, frameRate: Double?, session: LivenessSession) {
    self.film = film
    self.plot = plot
    self.isPhoto = isPhoto
    self.name = name
    // A file may state any frame rate.
    self.frameRate = frameRate.map { min(max($0, 1), 240) } ?? 30
    drawing = LivenessFilm(name: name, script: session.script?.script, checks: session.checks.count)
  }

  mutating func add(_ frame: VideoFrame, _ state: LivenessFeedback, of session: LivenessSession) throws {
    begin = begin ?? state.time
    last = state.time
    if plot != nil { curves.add(state) }
    guard let film else { return }
    let upright = frame.pixels.upright(
      rotation: session.configuration.rotation, isMirrored: session.configuration.isMirrored)
    let drawn = try drawing.picture(upright, state, session.checks, begin: begin ?? 0)
    guard !isPhoto else { return }
    if writer == nil {
      writer = try VideoWriter(path: film, width: drawn.width, height: drawn.height, frameRate: frameRate)
    }
    try writer?.write(drawn, time: state.time)
  }

  mutating func finish(_ decision: LivenessDecision, of session: LivenessSession, on console: Console) throws {
    if let plot {
      let picture = try curves.picture(decision, neutral: session.script?.neutral, name: name)
      try console.save(picture.encodedAsPNG(), to: plot)
    }
    guard let film else { return }
    guard let end = drawing.end(decision) else {
      throw VerifyError(.noFace, "no frame was decoded, so that \(film) would be empty")
    }
    guard !isPhoto else { return try console.save(end.encodedAsPNG(), to: film) }
    for i in 1...max(2, Int(Self.ending * frameRate)) { try writer?.write(end, time: last + Double(i) / frameRate) }
    try writer?.finish()
  }
}
