/// Tracks a face through a stream and passes every frame to every signal. Memory use is constant.
package struct LivenessAnalysis {
  /// The rate of detailed pixel analysis: texture network, patterns, noise. At five per second, anything that lasts as
  /// long as a challenge is held is sampled.
  static let samplesPerSecond = 5.0
  /// The rate at which the face is embedded and other faces are searched for, in addition to every new detection:
  /// swapping faces takes longer than half a second, or interrupts tracking.
  static let portraitSamplesPerSecond = 2.0
  /// The rate of pairs of frames whose detail is compared (``SkinChange``).
  static let detailsPerSecond = 2.5
  /// The first few are taken at twice the rate, so that a two-second clip can be judged.
  static let firstPortraitSamples = 4

  /// The minimum confidence of a first face that is not upright: 829 of those 831 have it upright, nothing
  /// in 152 frames whose faces were covered.
  private static let turnedConfidence = 0.75
  /// The clockwise rotation in degrees that makes the first face, and with it all frames, upright; nil before.
  package private(set) var rotation: Int?

  private var tracker = FaceTracker()
  private var smoothing = MotionSmoothing()
  private var signals: [any LivenessMeasuring]
  private var lastSample = -Double.infinity
  private var lastPortraitSample = -Double.infinity
  private var portraitSamples = 0
  private var lastDetail = -Double.infinity
  private var isDetailed = false
  private var details = 0
  private var refused = 0

  package init(_ context: LivenessContext) {
    signals = livenessSignals.map { $0.init(context) }
  }

  /// Records that a frame was rejected for its time.
  package mutating func refuse() { refused += 1 }

  /// Processes the next frame; its time must be later than the last one's.
  package mutating func add(
    _ picture: PixelBuffer, at time: Double, received: Double? = nil, screenColour: SIMD3<Double>? = nil,
    by pipeline: FacePipeline
  ) throws -> LivenessFrame {
    let (picture, face) = try track(picture, by: pipeline)
    let isFound = face != nil && tracker.found != nil
    let isSampled = time - lastSample >= 1 / Self.samplesPerSecond
    if isSampled { lastSample = time }
    let isDue =
      face != nil
      && (isFound
        || time - lastPortraitSample >= (portraitSamples < Self.firstPortraitSamples ? 0.5 : 1)
          / Self.portraitSamplesPerSecond)
    if isDue {
      lastPortraitSample = time
      portraitSamples += 1
    }
    let motion = try face.flatMap {
      FaceObservation(
        $0.landmarksInPicture, smile: try pipeline.smile(of: $0), width: picture.width, height: picture.height,
        time: time)
    }
    let texture = isSampled ? try face.flatMap(pipeline.texture) : nil
    let detail = face.flatMap { self.detail(of: $0, motion, at: time, by: pipeline) }
    let sample = isDue ? try face.map { try portraitSample($0, motion, detail, by: pipeline) } : nil
    // The history is of another position, or of another face.
    if motion == nil || isFound { smoothing.reset() }
    let smoothed = motion.flatMap { smoothing.next($0) }
    let frame = LivenessFrame(
      time: time, received: received, refused: refused, picture: picture, face: face, motion: motion,
      smoothed: smoothed, isFound: isFound, isSampled: isSampled, texture: texture,
      portraitSample: sample, detail: detail, screenColour: screenColour)
    refused = 0
    for i in signals.indices { signals[i].add(frame) }
    return frame
  }

  /// Returns the frame upright, and the face in it.
  ///
  /// The detector also finds sideways faces, and upside-down ones with the landmarks of another face and a confidence of
  /// up to 0.92. So the rotation is that in which the first face has the highest confidence: in all 831 frames with a
  /// face, of 140 clips, that of the clip (2026-11).
  private mutating func track(_ frame: PixelBuffer, by pipeline: FacePipeline) throws -> (PixelBuffer, LocatedFace?) {
    if let rotation {
      let picture = frame.upright(rotation: rotation, isMirrored: false)
      return (picture, try tracker.face(in: picture, by: pipeline))
    }
    let before = tracker
    let face = try tracker.face(in: frame, by: pipeline)
    // Most frames without a face have none in any rotation.
    guard face != nil || before.searches.isMultiple(of: 4) else { return (frame, nil) }
    var best = (rotation: 0, picture: frame, face: face, tracker: tracker)
    var highest = face?.confidence(ifRolledUpTo: 60) ?? 0
    for rotation in [90, 180, 270] {
      var turned = before
      let picture = frame.upright(rotation: rotation, isMirrored: false)
      let face = try turned.face(in: picture, by: pipeline)
      // A head may be tilted by 50 degrees, or by 40 in a frame that is on its side: the first is more likely.
      if let confidence = face?.confidence(ifRolledUpTo: 30), confidence > highest {
        (best, highest) = ((rotation, picture, face, turned), confidence)
      }
    }
    guard highest > (best.rotation == 0 ? 0 : Self.turnedConfidence) else {
      tracker.lose()
      return (frame, nil)
    }
    (rotation, tracker) = (best.rotation, best.tracker)
    return (best.picture, best.face)
  }

  /// The detail of two successive frames, a few times per second.
  private mutating func detail(
    of face: LocatedFace, _ motion: FaceObservation?, at time: Double, by pipeline: FacePipeline
  ) -> FaceDetail? {
    let isFirst = time - lastDetail >= 1 / Self.detailsPerSecond
    guard isFirst || isDetailed, details < 2 * SkinChange.most + 2,
      let pose = motion?.pose, max(abs(pose.yaw), abs(pose.pitch)) < 25
    else {
      isDetailed = false
      return nil
    }
    isDetailed = isFirst
    if isFirst { lastDetail = time }
    details += 1
    return pipeline.detail(of: face.landmarksInPicture, in: face.picture)
  }

  /// - Parameter detail: of the face, if it is known already.
  private func portraitSample(
    _ face: LocatedFace, _ motion: FaceObservation?, _ detail: FaceDetail?, by pipeline: FacePipeline
  ) throws -> LivenessFrame.PortraitSample {
    let chips = pipeline.chips(of: face.landmarksInPicture, in: face.picture)
    let faces = try tracker.found ?? pipeline.all(in: face.picture)
    let quality = QualityReport(of: face, among: faces, chip: chips.plain, policy: .selfie)
    // A face turned away is not comparable to a portrait; other faces are judged by another signal.
    let isFrontal = motion.map { max(abs($0.pose.yaw), abs($0.pose.pitch)) < 30 } ?? true
    let isGood = quality.refusals.allSatisfy { $0.name == .singleFacePresent }
    let isTaken = isFrontal && isGood
    return LivenessFrame.PortraitSample(
      faces: faces, quality: quality,
      template: isTaken ? try pipeline.template(of: chips, quality: quality.score) : nil,
      detail: isTaken ? detail ?? pipeline.detail(of: face.landmarksInPicture, in: face.picture) : nil)
  }

  /// Whether ``LivenessSignal/observationTime`` has passed.
  package var isSeenLongEnough: Bool {
    signals.contains { ($0 as? ObservationTime).map(LivenessCheck.init)?.status == .passed }
  }

  /// The progress of the script; nil without one.
  package var script: ScriptProgress? { signals.lazy.compactMap { ($0 as? ChallengeCompliance)?.script }.first }

  /// The results so far, one per signal, in the order of ``LivenessSignal/allCases``.
  package var checks: [LivenessCheck] { signals.map(LivenessCheck.init) }
}

/// What is known about a session before its first frame.
package struct LivenessContext: Sendable {
  /// Nil in a model set without one: identities cannot be compared.
  package let calibration: Calibration?
  /// The expected person.
  package let portrait: FaceTemplate?
  package let camera: CameraFacts?
  /// The requested challenges, before the first frame; nil for none.
  package let script: ScriptProgress?
  /// The sequence that the screen must show if it is used; nil allows any.
  package let colours: ColourSequence?
  /// Whether the frames are judged like a single picture, by their texture alone.
  package let isPicture: Bool

  package init(
    calibration: Calibration?, portrait: FaceTemplate? = nil, camera: CameraFacts? = nil,
    script: ScriptProgress? = nil, colours: ColourSequence? = nil, isPicture: Bool = false
  ) {
    (self.calibration, self.portrait, self.camera) = (calibration, portrait, camera)
    (self.script, self.colours, self.isPicture) = (script, colours, isPicture)
  }
}

/// One frame as passed to the signals. Measurements that take longer than a frame's time are present in some frames
/// only.
package struct LivenessFrame {
  /// Seconds on the stream's clock; later than the last frame's.
  package let time: Double
  /// Seconds on the caller's clock, if the caller supplies it.
  package let received: Double?
  /// The number of frames rejected for their time since the last one.
  package let refused: Int
  /// Upright, not mirrored.
  package let picture: PixelBuffer
  /// Nil if no face was found.
  package let face: LocatedFace?
  /// Measured on ``face``; not smoothed.
  package let motion: FaceObservation?
  /// ``motion`` smoothed over frames, which the script is answered with: of the previous frame.
  package let smoothed: FaceObservation?
  /// Whether the detector found the face anew, rather than tracking it from the last frame.
  package let isFound: Bool
  /// Whether this frame is one of those analysed in detail (``LivenessAnalysis/samplesPerSecond``).
  package let isSampled: Bool
  /// The texture network's score, 0 attack to 1 bona fide; nil if it was not run.
  package let texture: Double?
  /// The face measured as a portrait; nil if it was not.
  package let portraitSample: PortraitSample?
  /// The detail of the face; in two successive frames, a few times per second.
  let detail: FaceDetail?
  /// The colour that the screen shows according to the caller, red, green and blue from 0 to 1; nil if not supplied.
  package let screenColour: SIMD3<Double>?
  /// For comparing frames; nil if no face was found.
  let thumbnail: FrameThumbnail?

  init(
    time: Double, received: Double? = nil, refused: Int, picture: PixelBuffer, face: LocatedFace?,
    motion: FaceObservation?, smoothed: FaceObservation? = nil, isFound: Bool, isSampled: Bool, texture: Double?,
    portraitSample: PortraitSample?, detail: FaceDetail? = nil, screenColour: SIMD3<Double>?
  ) {
    (self.time, self.received, self.refused) = (time, received, refused)
    (self.picture, self.face, self.motion, self.smoothed) = (picture, face, motion, smoothed)
    (self.isFound, self.isSampled, self.texture) = (isFound, isSampled, texture)
    (self.portraitSample, self.detail, self.screenColour) = (portraitSample, detail, screenColour)
    thumbnail = face == nil ? nil : FrameThumbnail(picture)
  }

  /// The face measured as a portrait, and the other faces in the frame.
  package struct PortraitSample {
    /// All faces found by the detector.
    package let faces: [LocatedFace]
    /// Under the selfie policy.
    package let quality: QualityReport
    /// Nil if the face is turned away, or its quality is refused.
    package let template: FaceTemplate?
    /// Nil if ``template`` is, or without a mesh.
    package let detail: FaceDetail?
  }
}
