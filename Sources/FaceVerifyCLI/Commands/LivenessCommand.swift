import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct LivenessCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "liveness",
    abstract: "Decide whether a living person is before the camera.",
    discussion: """
      Frames come from a video file (MP4, MOV, MKV, WebM, AVI, GIF, Motion
      JPEG; XviD and DivX, too), a photo (--photo) or a camera (--camera).
      Without a script nothing is asked of the person and only passive signals
      are judged, which a good replay passes. A photo alone tells least of all.
      If the camera is lost, or the file breaks off, what came before is
      judged, and that is said.

      Examples:
        faceverify liveness recording.mp4
        faceverify liveness recording.mp4 --script blink,left,smile --json
        faceverify liveness --camera /dev/video0 --nonce $(openssl rand -hex 32)
        faceverify liveness recording.mp4 --portrait passport.jpg
        faceverify liveness --photo selfie.jpg
        faceverify liveness recording.mp4 --annotate seen.mp4 --plot motion.png

      \(ExitStatus.help)
      """, helpNames: .long)

  @Argument(help: "The video file.", completion: .file())
  var video: String?

  @Option(help: ArgumentHelp("Take frames from this camera, such as /dev/video0.", valueName: "device"))
  var camera: String?

  @Option(help: ArgumentHelp("Judge this photo alone.", valueName: "file"))
  var photo: String?

  @Option(
    help: ArgumentHelp("The person must be the one of this photo or template.", valueName: "file"))
  var portrait: String?

  @Option(help: ArgumentHelp("Write the best frame to this PNG file.", valueName: "file"))
  var selfie: String?

  @Option(
    help: ArgumentHelp("Write the template averaged over the best frames to this file.", valueName: "file"))
  var template: String?

  @Option(
    help: ArgumentHelp(
      "Draw what is seen and said into an MP4 file; of a photo, into a PNG file.", valueName: "file"))
  var annotate: String?

  @Option(
    help: ArgumentHelp(
      "Draw eyes, head and mouth over time into a PNG file, with challenges and thresholds.", valueName: "file"))
  var plot: String?

  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var request: NonceOptions
  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    guard [video, camera, photo].compactMap({ $0 }).count == 1 else {
      throw ValidationError("Name one source: a video file, --camera DEVICE or --photo FILE.")
    }
    if photo != nil, liveness.script != nil || request.nonce != nil {
      throw ValidationError("A photo cannot answer a script.")
    }
    if photo != nil, plot != nil { throw ValidationError("--plot is for what moves; a photo does not.") }
  }

  func run(on console: Console) throws -> ExitStatus {
    let (nonce, script) = try plan()
    // A file is processed to its end; a person in front of a camera has a minute.
    var configuration = liveness.configuration(
      timeout: camera == nil ? LivenessSession.timeouts.upperBound : 60, hasScript: script != nil)
    if photo != nil && liveness.policy == nil { configuration.policy = .photo }
    // Report a wrong file before starting a camera.
    let file = camera == nil ? try source() : nil
    let engine = try engine.engine()
    configuration.portrait = try portrait.map { try reference($0, by: engine) }
    let source = try file ?? source()
    configuration.camera = source.camera
    let session = try LivenessSession(engine: engine, script: script, nonce: nonce, configuration: configuration)
    var guidance = LiveGuidance(on: console)
    var recorder = LivenessRecorder(
      film: annotate, plot: plot, isPhoto: photo != nil, name: FileName.last(video ?? camera ?? photo ?? ""),
      frameRate: source.frameRate, session: session)
    let run = try LivenessRun(session, next: source.next) { frame, state in
      if script != nil || camera != nil { guidance.show(state) }
      try recorder.add(frame, state, of: session)
    }
    guidance.end()
    let decision = run.decision
    if let interruption = run.interruption { console.warn(interruption) }
    let interruption = run.interruption.map(JSONValue.string) ?? .null
    try console.write(
      output.json
        ? PhotoRecord.with("interruption", interruption, in: decision.jsonValue).text
        : LivenessText.text(decision, on: console))
    try write(decision, on: console)
    try recorder.finish(decision, of: session)
    return switch decision.result {
    case .live: decision.presence() <= .photo ? .byPhoto : .done
    case .presentationAttack: .noMatch
    case .undecided: .refused
    }
  }

  /// The session's nonce and script.
  private func plan() throws -> (nonce: [UInt8], script: ChallengeScript?) {
    let nonce = try request.bytes()
    if let script = liveness.script { return (nonce, try LivenessOptions.script(script)) }
    return (nonce, nonce.isEmpty ? nil : try ChallengeScript(nonce: nonce, count: request.challenges))
  }

  private func source() throws -> FrameSource {
    if let photo { return try .photo(photo) }
    if let camera { return try .camera(camera) }
    return try .video(video ?? "")
  }

  private func reference(_ path: String, by engine: FaceEngine) throws -> FaceTemplate {
    switch try FaceInput(path: path) {
    case .template(let template): return template
    case .photo(let photo):
      let sample = try engine.sample(photo, policy: .documentPortrait)
      guard let template = sample.template else {
        throw VerifyError(
          .badArgument,
          "\(path) is not good enough as a portrait: \(sample.quality.refusals.first?.advice ?? "")")
      }
      return template
    }
  }

  private func write(_ decision: LivenessDecision, on console: Console) throws {
    if let selfie {
      if let picture = decision.selfie?.picture {
        try RegularFile.write(picture.encodedAsPNG(), to: selfie)
      } else {
        console.warn("no frame is good enough for --selfie")
      }
    }
    if let template {
      if let made = decision.template {
        try RegularFile.write(made.serialised(), to: template, permissions: 0o600)
      } else {
        console.warn("no frame is good enough for --template")
      }
    }
  }
}
