import FaceVerifyCapture
import FaceVerifyEvaluation

struct LivenessEvaluationRun: Sendable {
  struct Judged: Sendable {
    let presentation: Presentation
    /// The best frame, or else the first, as a small PNG; only for misclassified files.
    let picture: [UInt8]?
    /// Rows of CSV, one per frame, with the signals up to it; empty unless requested.
    var frames: [[String]] = []
  }

  private let engine: FaceEngine
  /// The configuration of each session, except for the policy.
  private let configuration: LivenessSession.Configuration
  /// The policy for all files; nil to select one per file.
  private let policy: LivenessPolicy?
  /// The script for files without one of their own.
  private let script: ChallengeScript?
  private let wantsPictures: Bool
  private let wantsFrames: Bool

  /// The longer side of a kept picture in pixels.
  static let pictureSide = 240

  init(
    _ engine: FaceEngine, _ options: LivenessOptions, wantsPictures: Bool = false, wantsFrames: Bool = false
  ) throws {
    self.engine = engine
    configuration = options.configuration(timeout: LivenessSession.timeouts.upperBound, hasScript: false)
    (policy, script) = (options.policy, try options.script.map(LivenessOptions.script))
    (self.wantsPictures, self.wantsFrames) = (wantsPictures, wantsFrames)
  }

  func judge(
    _ files: [LabelledFile], threads: Int, progress: @escaping @Sendable (Presentation) -> Void
  ) -> [Judged] {
    Batch.run(files.count, threads: threads) { i in
      let judged = judge(files[i])
      progress(judged.presentation)
      return judged
    }
  }

  private func judge(_ file: LabelledFile) -> Judged {
    do {
      var frames: [[String]] = []
      let (run, faces, first) = try decide(file.path, script: file.script) { time, checks in
        if wantsFrames {
          frames.append([file.name, Text.number(time, 3)] + checks.map { $0.value.map { Text.number($0, 4) } ?? "" })
        }
      }
      let presentation = Presentation(
        path: file.name, label: file.label, subject: file.subject, source: file.source, decision: run.decision,
        facesSeen: faces, interruption: run.interruption)
      let best = wantsPictures && !presentation.isRight ? run.decision.selfie.map { small($0.picture) } ?? first : nil
      return Judged(presentation: presentation, picture: try best?.encodedAsPNG(), frames: frames)
    } catch {
      let policy = self.policy(FrameSource.isPhoto(file.path), hasScript: (file.script ?? script) != nil)
      return Judged(
        presentation: Presentation(
          path: file.name, label: file.label, subject: file.subject, source: file.source, policy: policy.name,
          outcome: .unreadable(VerifyError(any: error))),
        picture: nil)
    }
  }

  private func policy(_ isPhoto: Bool, hasScript: Bool) -> LivenessPolicy {
    policy ?? (isPhoto ? .photo : Settings.current.policy ?? (hasScript ? .standard : .passiveOnly))
  }

  /// - Parameters:
  ///   - script: of the file; nil for the one of all files.
  ///   - each: receives the time of each frame, and the results so far.
  /// - Returns: also the number of frames with a face, and the first frame if pictures are requested.
  func decide(
    _ path: String, script: ChallengeScript?, each: (Double, [LivenessCheck]) -> Void = { _, _ in }
  ) throws -> (run: LivenessRun, faces: Int, first: PixelBuffer?) {
    let isPhoto = FrameSource.isPhoto(path)
    // A photo cannot answer challenges.
    let script = isPhoto ? nil : script ?? self.script
    let source = try isPhoto ? FrameSource.photo(Photo(path: path)) : FrameSource.video(path)
    var configuration = configuration
    configuration.policy = policy(isPhoto, hasScript: script != nil)
    let session = try LivenessSession(engine: engine, script: script, nonce: [], configuration: configuration)
    var first: PixelBuffer?
    var faces = 0
    let run = try LivenessRun(session, next: source.next) { frame, state in
      if wantsPictures, first == nil {
        first = small(frame.pixels).upright(rotation: configuration.rotation, isMirrored: configuration.isMirrored)
      }
      if state.face != nil { faces += 1 }
      if wantsFrames { each(state.time, session.checks) }
    }
    return (run, faces, first)
  }

  private func small(_ picture: PixelBuffer) -> PixelBuffer {
    let scale = Double(Self.pictureSide) / Double(max(picture.width, picture.height))
    return scale < 1 ? picture.scaled(by: scale) : picture
  }
}
