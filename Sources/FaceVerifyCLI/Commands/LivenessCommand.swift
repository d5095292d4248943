import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct LivenessCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "liveness", abstract: "Decide whether a living person is in front of the camera.",
    discussion: """
      Frames come from a video file (MP4, MOV, MKV, WebM, AVI, GIF, Motion
      JPEG), a photo (--photo) or a camera (--camera). Without a script only
      passive signals are judged, and a good replay passes them. A single photo
      proves nothing about presence. If the camera is lost, or the file ends
      early, the decision is on the frames before, and a message says so.

      Examples:
        faceverify liveness recording.mp4
        faceverify liveness recording.mp4 --script blink,left,smile --json
        faceverify liveness --camera /dev/video0 --nonce $(openssl rand -hex 32)
        faceverify liveness recording.mp4 --portrait passport.jpg
        faceverify liveness recording.mp4 --save-selfie best.png
        faceverify liveness --photo selfie.jpg
        faceverify liveness recording.mp4 --annotate seen.mp4 --plot motion.png

      Exit codes:
        0  live
        1  presentation attack, or not the person of --portrait
        2  usage error
        3  runtime error: no face, unreadable file, no camera, disk full...
        4  undecided
        5  live by one photo alone: presence was not proved
      """, helpNames: .long)

  @Argument(help: "The video file.", completion: .file()) var video: String?
  @Option(help: .init("Take frames from this camera, such as /dev/video0.", "device")) var camera: String?
  @Option(help: .init("Judge a single photo.", "file")) var photo: String?
  @Option(help: .init("A photo or template of the person it should be.", "file"), completion: .file())
  var portrait: String?
  @Option(help: .init("Write the best frame to this PNG file.", "file")) var saveSelfie: String?
  @Option(help: .init("Write the mean template of the best frames to this file.", "file")) var saveTemplate: String?
  @Option(help: .init("Draw faces, prompts and signals into an MP4 file; for a photo, into a PNG file.", "file"))
  var annotate: String?
  @Option(help: .init("Draw eyes, head and mouth over time into a PNG file, with challenges and thresholds.", "file"))
  var plot: String?
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var request: NonceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    try require(
      [video, camera, photo].count { $0 != nil } == 1, "name one source: a video file, --camera DEVICE or --photo FILE")
    try require(photo == nil || (liveness.script ?? request.nonce) == nil, "a photo cannot answer a script")
    try require(photo == nil || plot == nil, "--plot needs a video")
    try require(photo != nil || annotate != "-", "an annotated video cannot be written to standard output")
  }

  func run(on console: Console) throws -> ExitStatus {
    try console.prepare(saveSelfie, saveTemplate, annotate, plot)
    let nonce = try request.bytes()
    let isDrawn = liveness.script == nil && !nonce.isEmpty
    let script =
      try isDrawn
      ? ChallengeScript(nonce: nonce) : liveness.script.map(LivenessOptions.script)
    // A file is processed to its end; a person in front of a camera has a minute.
    var configuration = liveness.configuration(
      timeout: camera == nil ? LivenessSession.timeouts.upperBound : 60, hasScript: script != nil)
    if photo != nil { configuration.policy = liveness.named(isPhoto: true) ?? .photo }
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
    try console.show(
      decision.jsonValue.with("interruption", .optional(run.interruption)),
      LivenessText.text(decision, on: console))
    try write(decision, on: console)
    try recorder.finish(decision, of: session, on: console)
    return switch decision.result {
    case .live: decision.presence() <= .photo ? .byPhoto : .done
    case .presentationAttack: .noMatch
    case .undecided: .refused
    }
  }

  private func source() throws -> FrameSource {
    if let photo { return try .photo(Input.photo(photo)) }
    if let camera { return try .camera(camera) }
    return try .video(video ?? "")
  }

  private func reference(_ path: String, by engine: FaceEngine) throws -> FaceTemplate {
    let input = try Input.face(path)
    if case .template(let template) = input { return template }
    let sample = try engine.sample(input.picture(path), policy: .documentPortrait)
    guard let template = sample.template else {
      throw VerifyError(
        .badArgument, "\(path) is not good enough as a portrait: \(sample.quality.refusals.first?.text ?? "")")
    }
    return template
  }

  private func write(_ decision: LivenessDecision, on console: Console) throws {
    if let picture = decision.selfie?.picture {
      try console.save(picture.encodedAsPNG(), to: saveSelfie)
    } else if saveSelfie != nil {
      console.warn("no frame is good enough for --save-selfie")
    }
    if let made = decision.template {
      try console.save(made.serialised(), to: saveTemplate, permissions: 0o600)
    } else if saveTemplate != nil {
      console.warn("no frame is good enough for --save-template")
    }
  }
}
