import FaceAnalysis
import FaceVerify
import FaceVerifyCapture
import TestSupport
import Testing

extension CaptureTests {
  /// Clips that are not part of this repository, with manual counts.
  @Suite("Blinks in clips", .needsModels, .needsShared("testdata/video"))
  struct BlinkClips {
    @Test(
      "counts equal the manual ones, and are zero without blinks",
      arguments: [
        ("lp_d13.mp4", 4), ("lp_d18.mp4", 2), ("wolf_real.mp4", 3), ("mead_W009_front_contempt_level3_001.mp4", 3),
        ("mead_W009_front_neutral_level1_001.mp4", 2), ("mead_M030_front_angry_level3_001.mp4", 1),
        ("mead_M030_front_neutral_level1_001.mp4", 0), ("mead_W009_front_surprised_level3_001.mp4", 0),
      ])
    func count(clip: String, blinks: Int) throws {
      let models = try LoadedModels(set: Installed.set, store: ModelStore(folder: Installed.models), threads: 1)
      let pipeline = try models.makePipeline()
      var (tracker, search, found) = (FaceTracker(), BlinkSearch(), 0)
      let reader = try VideoReader(path: Installed.shared + "/testdata/video/" + clip)
      while let frame = try reader.next() {
        guard let face = try tracker.face(in: frame.pixels, by: pipeline),
          let motion = FaceObservation(
            face.landmarks, width: frame.pixels.width, height: frame.pixels.height, time: frame.time)
        else { continue }
        if search.add(motion) { found += 1 }
      }
      #expect(found == blinks)
    }

    @Test(
      "a clip that is upside down or on its side is judged like the upright one",
      arguments: [("lp_d13.mp4", 180), ("mead_W009_front_angry_level3_001.mp4", 90), ("tvl_replay.mp4", 270)])
    func rotated(clip: String, rotation: Int) throws {
      var models = FaceEngine.Configuration()
      models.modelsFolder = Installed.models
      let engine = try FaceEngine(models)
      let sessions = try (0..<2).map { _ in try LivenessSession(engine: engine) }
      let reader = try VideoReader(path: Installed.shared + "/testdata/video/" + clip)
      for _ in 0..<75 {
        guard let frame = try reader.next() else { break }
        try sessions[0].add(frame.pixels, at: frame.time)
        try sessions[1].add(frame.pixels.upright(rotation: 360 - rotation, isMirrored: false), at: frame.time)
      }
      let decisions = try sessions.map { try $0.finish() }
      #expect(decisions[0].rotation == 0 && decisions[1].rotation == rotation)
      #expect(decisions[0].checks.map(\.jsonValue) == decisions[1].checks.map(\.jsonValue))
    }

    @Test(
      "the face of a living person changes by more than noise, and no frame is a mixture of others",
      arguments: ["blink_rep.mp4", "tvl_real.mp4", "lp_d14.mp4", "mead_M030_front_neutral_level1_001.mp4"])
    func changes(clip: String) throws {
      var models = FaceEngine.Configuration()
      models.modelsFolder = Installed.models
      var configuration = LivenessSession.Configuration()
      configuration.policy = .passiveOnly
      let session = try LivenessSession(engine: FaceEngine(models), configuration: configuration)
      let reader = try VideoReader(path: Installed.shared + "/testdata/video/" + clip)
      while let frame = try reader.next(), !session.isComplete { try session.add(frame.pixels, at: frame.time) }
      let decision = try session.finish()
      for signal in [LivenessSignal.skinChange, .frameBlend] {
        #expect(decision[signal]?.status == .passed, "\(signal) \(String(describing: decision[signal]?.value))")
      }
      // Not checked if the head does not turn.
      #expect(decision[.eyeMovement]?.status != .failed, "\(decision[.eyeMovement]?.value ?? .nan)")
    }
  }
}
