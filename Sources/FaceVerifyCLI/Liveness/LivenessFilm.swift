import FaceVerifyCapture
import FaceVerifyEvaluation

/// Annotated frames with the feedback of the session next to them. Only the last is kept: memory use is constant.
struct LivenessFilm {
  private let name: String
  private let script: ChallengeScript?
  /// The number of checks of a decision.
  private let count: Int
  private var blank: PixelBuffer?
  private var frame = (width: 0, height: 0)
  /// The last picture without the instruction to the person, which the result replaces.
  private var last: PixelBuffer?

  private static let room = (width: 960, height: 720)
  private static let side = 460.0
  private static let row = 27.0
  private static let margin = 20.0

  init(name: String, script: ChallengeScript?, checks: Int) { (self.name, self.script, count) = (name, script, checks) }

  /// - Parameter picture: upright.
  mutating func picture(
    _ picture: PixelBuffer, _ state: LivenessFeedback, _ checks: [LivenessCheck], begin: Double
  ) throws -> PixelBuffer {
    var marks = FaceMarks(picture, width: Self.room.width, height: Self.room.height)
    if let face = state.face { marks.draw([face], colour: Palette.blue) }
    var canvas = try sheet(for: marks.picture)
    try canvas.put(marks.picture, x: 0, y: (canvas.height - marks.picture.height) / 2)
    let x = Double(frame.width) + Self.margin
    canvas.write(
      "\(Text.number(state.time - begin, 2)) s", at: Double(canvas.width) - Self.margin, 38, size: 13,
      colour: Palette.faint, align: .right)
    prompts(state, at: x, &canvas)
    signals(checks, at: x, &canvas)
    last = canvas
    words(LiveGuidance.text(state), title: state.challenge?.rawValue ?? "", Palette.text, at: x, &canvas)
    return canvas
  }

  /// The last picture with the result; nil before the first one.
  func end(_ decision: LivenessDecision) -> PixelBuffer? {
    guard var canvas = last else { return nil }
    let x = Double(frame.width) + Self.margin
    let (word, colour) = Self.word(decision.result)
    signals(decision.checks, "Signals", at: x, &canvas)
    let basis =
      decision.result == .live && decision.presence() <= .photo
      ? "by one photo alone: presence was not proved" : "by the policy \"\(decision.policy.name)\""
    let reason = decision.reasons.first?.text ?? basis
    words(reason, title: word, colour, at: x, &canvas)
    canvas.fill(0, 0, Double(frame.width), 8, colour)
    canvas.fill(0, Double(canvas.height) - 8, Double(frame.width), 8, colour)
    return canvas
  }

  static func word(_ result: LivenessDecision.Result) -> (text: String, colour: UInt32) {
    switch result {
    case .live: ("Live", Palette.passed)
    case .presentationAttack: ("Presentation attack", Palette.failed)
    case .undecided: ("Undecided", Palette.orange)
    }
  }

  private var stepsTop: Double { 210 }
  private var signalsTop: Double { stepsTop + (script.map { Self.row * Double($0.prompts.count) + 74 } ?? 0) }

  /// The empty sheet, created once: all frames of a stream have one size.
  private mutating func sheet(for picture: PixelBuffer) throws -> PixelBuffer {
    if let blank { return blank }
    // Even, as video encoders require.
    let height = max(picture.height, Int(signalsTop + Self.row * Double(count) + 60))
    frame = ((picture.width + 1) / 2 * 2, picture.height)
    var canvas = try PixelBuffer(
      width: frame.width + Int(Self.side), height: (height + 1) / 2 * 2, colour: Palette.paper)
    let x = Double(frame.width)
    canvas.fill(x, 0, Self.side, Double(canvas.height), Palette.panel)
    canvas.write(
      Text.fitting(name, size: 13, width: Self.side - 150), at: x + Self.margin, 38, size: 13, colour: Palette.faint)
    blank = canvas
    return canvas
  }

  /// Draws the instruction to the person, or the result.
  private func words(_ text: String, title: String, _ colour: UInt32, at x: Double, _ canvas: inout PixelBuffer) {
    let width = Self.side - 2 * Self.margin
    var y = 84.0
    if !title.isEmpty {
      canvas.write(
        Text.fitting(title, size: 20, width: width), at: x, y, size: 20,
        colour: colour == Palette.text ? Palette.orange : colour)
    }
    y += 36
    // Two lines in large letters, or three in small ones.
    let isLong = Text.wrapped(text, size: 18, width: width).count > 2
    let (size, step, most) = isLong ? (13.0, 24.0, 3) : (18, 32, 2)
    for line in Text.wrapped(text, size: size, width: width).prefix(most) {
      canvas.write(line, at: x, y, size: size, colour: Palette.text)
      y += step
    }
  }

  private func prompts(_ state: LivenessFeedback, at x: Double, _ canvas: inout PixelBuffer) {
    guard let script else { return }
    let width = Self.side - 2 * Self.margin
    canvas.fill(x, stepsTop - 22, width, 14, Palette.line)
    canvas.fill(x, stepsTop - 22, width * max(0, min(1, state.progress)), 14, Palette.blue)
    var y = stepsTop + 24
    for (i, prompt) in script.prompts.enumerated() {
      let (word, colour) = word(i, state)
      canvas.write("\(i + 1)  \(prompt.challenge.rawValue)", at: x, y, size: 13, colour: Palette.text)
      canvas.write(word, at: x + width, y, size: 13, colour: colour, align: .right)
      y += Self.row
    }
  }

  private func word(_ i: Int, _ state: LivenessFeedback) -> (String, UInt32) {
    if i < state.answers.count {
      let outcome = state.answers[i].outcome
      return (outcome.rawValue, outcome == .passed ? Palette.passed : Palette.failed)
    }
    let isNow = i == state.answers.count && state.challenge != nil
    return isNow ? (state.phase?.rawValue ?? "now", Palette.orange) : ("-", Palette.faint)
  }

  private func signals(
    _ checks: [LivenessCheck], _ title: String = "Signals so far", at x: Double, _ canvas: inout PixelBuffer
  ) {
    let width = Self.side - 2 * Self.margin
    let height = Self.row * Double(checks.count) + 40
    canvas.fill(x, signalsTop - 20, width, height, Palette.panel)
    canvas.write(title, at: x, signalsTop, size: 13, colour: Palette.faint)
    var y = signalsTop + 32
    for check in checks {
      let colour =
        check.status == .passed ? Palette.passed : check.status == .failed ? Palette.failed : Palette.faint
      canvas.write(
        Text.fitting(check.name.rawValue, size: 13, width: 215), at: x, y, size: 13,
        colour: check.status == .notChecked ? Palette.faint : Palette.text)
      canvas.write(LivenessText.value(check), at: x + 295, y, size: 13, colour: Palette.faint, align: .right)
      canvas.write(check.status.rawValue, at: x + width, y, size: 13, colour: colour, align: .right)
      y += Self.row
    }
  }
}

/// Creates the pictures of a session while it runs: a film of its frames, and a plot.
struct LivenessRecorder {
  /// The destination of the film; for a photo, of a picture.
  private let film: String?
  private let plot: String?
  private let isPhoto: Bool
  private let name: String
  private let frameRate: Double
  private var drawing: LivenessFilm
  private var curves = LivenessPlot()
  private var writer: VideoWriter?
  private var begin: Double?
  private var last = 0.0

  /// How long the result is shown, in seconds.
  private static let ending = 3.0

  init(film: String?, plot: String?, isPhoto: Bool, name: String, frameRate: Double?, session: LivenessSession) {
    (self.film, self.plot, self.isPhoto, self.name) = (film, plot, isPhoto, name)
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
      rotation: session.configuration.rotation, isMirrored: session.configuration.isMirrored
    ).upright(rotation: state.rotation, isMirrored: false)
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
