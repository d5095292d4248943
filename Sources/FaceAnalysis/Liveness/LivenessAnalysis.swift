/// Follows a face through a stream and lets every signal see every frame. Of constant size, however long the stream is.
package struct LivenessAnalysis {
  /// How often pixels are looked at closely: the texture network, patterns, noise. A glance of five a second sees
  /// whatever stays for as long as a challenge is held.
  static let samplesPerSecond = 5.0
  /// How often the face is embedded and other faces are looked for, and at once where a face was found anew: an exchange
  /// of faces takes longer than half a second, or interrupts the tracking.
  static let portraitSamplesPerSecond = 2.0
  /// The first few come twice as often, so that a clip of two seconds can be judged.
  static let firstPortraitSamples = 4

  /// How the script that was given is being answered; nil without one.
  package private(set) var script: ScriptProgress?
  /// The movement that the script was shown last; nil where no face was found.
  package private(set) var smoothed: FaceObservation?

  private var tracker = FaceTracker()
  private var smoothing = MotionSmoothing()
  private var signals: [any LivenessMeasuring]
  private var lastSample = -Double.infinity
  private var lastPortraitSample = -Double.infinity
  private var portraitSamples = 0
  private var refused = 0

  package init(_ context: LivenessContext) {
    script = context.script
    signals = livenessSignals.map { $0.init(context) }
  }

  /// Says that a frame was refused for its time.
  package mutating func refuse() { refused += 1 }

  /// Takes the next frame; its time must be later than the last one's.
  package mutating func add(
    _ picture: PixelBuffer, at time: Double, received: Double? = nil, screenColour: SIMD3<Double>? = nil,
    by pipeline: FacePipeline
  ) throws -> LivenessFrame {
    let face = try tracker.face(in: picture, by: pipeline)
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
    let sample = isDue ? try face.map { try portraitSample($0, motion, by: pipeline) } : nil
    smoothed = smooth(motion, isFound: isFound)
    script?.update(smoothed, at: time, received: received)
    let frame = LivenessFrame(
      time: time, received: received, refused: refused, picture: picture, face: face, motion: motion, isFound: isFound,
      isSampled: isSampled, texture: texture, portraitSample: sample, screenColour: screenColour, script: script)
    refused = 0
    for i in signals.indices { signals[i].add(frame) }
    return frame
  }

  private mutating func smooth(_ motion: FaceObservation?, isFound: Bool) -> FaceObservation? {
    // What was before is of another place, or of another face.
    if motion == nil || isFound { smoothing.reset() }
    return motion.flatMap { smoothing.next($0) }
  }

  private func portraitSample(
    _ face: LocatedFace, _ motion: FaceObservation?, by pipeline: FacePipeline
  ) throws -> LivenessFrame.PortraitSample {
    let chips = pipeline.chips(of: face.landmarksInPicture, in: face.picture)
    let faces = try tracker.found ?? pipeline.all(in: face.picture)
    let quality = QualityReport(
      of: face, among: faces, chip: chips.plain, policy: .selfie)
    // A face that is turned away is not what a portrait shows; other faces are another signal's matter.
    let isFrontal = motion.map { max(abs($0.pose.yaw), abs($0.pose.pitch)) < 30 } ?? true
    let isGood = quality.refusals.allSatisfy { $0.measure == .singleFacePresent }
    let isTaken = isFrontal && isGood
    return LivenessFrame.PortraitSample(
      faces: faces, quality: quality,
      template: isTaken ? try pipeline.template(of: chips, quality: quality.score) : nil,
      detail: isTaken ? pipeline.detail(of: face.landmarksInPicture, in: face.picture) : nil)
  }

  /// Whether ``LivenessSignal/observationTime`` has passed.
  package var isSeenLongEnough: Bool {
    signals.contains { ($0 as? ObservationTime).map(LivenessCheck.init)?.status == .passed }
  }

  /// What was found so far, one for each of ``LivenessSignal/allCases``, in that order.
  package var checks: [LivenessCheck] { signals.map(LivenessCheck.init) }
}

/// What is known of a session before its first frame.
package struct LivenessContext: Sendable {
  /// Nil in a model set without one: then nobody can be told from anybody.
  package let calibration: Calibration?
  /// The person who is expected.
  package let portrait: FaceTemplate?
  package let camera: CameraFacts?
  /// What the person is asked for; nil for nothing.
  package let script: ScriptProgress?
  /// What the screen before the person is to show, if it is used at all; nil if anything.
  package let colours: ColourSequence?

  package init(
    calibration: Calibration?, portrait: FaceTemplate? = nil, camera: CameraFacts? = nil,
    script: ScriptProgress? = nil, colours: ColourSequence? = nil
  ) {
    self.calibration = calibration
    self.portrait = portrait
    self.camera = camera
    self.script = script
    self.colours = colours
  }
}

/// One frame as the signals see it. What costs more than a frame's time is there only in some of them.
package struct LivenessFrame {
  /// Seconds on the stream's own clock; later than the last frame's.
  package let time: Double
  /// Seconds on the caller's clock, where the caller says so.
  package let received: Double?
  /// How many frames were refused for their time since the last one.
  package let refused: Int
  /// Upright, not mirrored.
  package let picture: PixelBuffer
  /// Nil where no face was found.
  package let face: LocatedFace?
  /// Of ``face``; not smoothed.
  package let motion: FaceObservation?
  /// The face is not the continuation of the last frame's: the detector found it anew.
  package let isFound: Bool
  /// Whether this frame is one of those (``LivenessAnalysis/samplesPerSecond``) in which pixels are looked at closely.
  package let isSampled: Bool
  /// What the texture network says, where it was asked: 0 attack to 1 bona fide.
  package let texture: Double?
  /// Where the face was measured as a portrait.
  package let portraitSample: PortraitSample?
  /// What the screen before the person shows, red, green and blue from 0 to 1, where the caller says so.
  package let screenColour: SIMD3<Double>?
  /// What frames are compared by; nil where no face was found.
  let thumbnail: FrameThumbnail?
  /// The script after this frame; nil without one.
  package let script: ScriptProgress?

  init(
    time: Double, received: Double? = nil, refused: Int, picture: PixelBuffer, face: LocatedFace?,
    motion: FaceObservation?, isFound: Bool, isSampled: Bool, texture: Double?, portraitSample: PortraitSample?,
    screenColour: SIMD3<Double>?, script: ScriptProgress? = nil
  ) {
    self.time = time
    self.received = received
    self.refused = refused
    self.picture = picture
    self.face = face
    self.motion = motion
    self.isFound = isFound
    self.isSampled = isSampled
    self.texture = texture
    self.portraitSample = portraitSample
    self.screenColour = screenColour
    self.script = script
    thumbnail = face == nil ? nil : FrameThumbnail(picture)
  }

  /// The face as a portrait, and what is beside it.
  package struct PortraitSample {
    /// All faces that the detector found.
    package let faces: [LocatedFace]
    /// As a selfie.
    package let quality: QualityReport
    /// Nil if the face is turned away, or its quality is refused.
    package let template: FaceTemplate?
    /// Nil where ``template`` is, or without a mesh.
    package let detail: FaceDetail?
  }
}
