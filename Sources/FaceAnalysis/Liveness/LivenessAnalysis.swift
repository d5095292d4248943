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

  private var tracker = FaceTracker()
  private var signals: [any LivenessMeasuring]
  private var lastSample = -Double.infinity
  private var lastPortraitSample = -Double.infinity
  private var portraitSamples = 0
  private var refused = 0

  package init(_ context: LivenessContext) { signals = livenessSignals.map { $0.init(context) } }

  /// Says that a frame was refused for its time.
  package mutating func refuse() { refused += 1 }

  /// Takes the next frame; its time must be later than the last one's.
  package mutating func add(
    _ picture: PixelBuffer, at time: Double, screenColour: SIMD3<Double>? = nil, by pipeline: FacePipeline
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
    let motion = face.flatMap {
      FaceObservation($0.landmarksInPicture, width: picture.width, height: picture.height, time: time)
    }
    let frame = LivenessFrame(
      time: time, refused: refused, picture: picture, face: face, motion: motion, isFound: isFound,
      isSampled: isSampled,
      texture: isSampled ? try face.flatMap(pipeline.texture) : nil,
      portraitSample: isDue ? try face.map { try portraitSample($0, motion, by: pipeline) } : nil,
      screenColour: screenColour)
    refused = 0
    for i in signals.indices { signals[i].add(frame) }
    return frame
  }

  private func portraitSample(
    _ face: LocatedFace, _ motion: FaceObservation?, by pipeline: FacePipeline
  ) throws -> LivenessFrame.PortraitSample {
    let chips = FaceChips(face.landmarksInPicture, picture: face.picture)
    let faces = try tracker.found ?? pipeline.all(in: face.picture)
    let quality = QualityReport(
      of: face, among: faces, chip: chips.plain, policy: .selfie)
    // A face that is turned away is not what a portrait shows; other faces are another signal's matter.
    let isFrontal = motion.map { max(abs($0.pose.yaw), abs($0.pose.pitch)) < 30 } ?? true
    let isGood = quality.refusals.allSatisfy { $0.measure == .singleFacePresent }
    return LivenessFrame.PortraitSample(
      faces: faces, quality: quality,
      template: isFrontal && isGood ? try pipeline.template(of: chips, quality: quality.score) : nil)
  }

  /// What was found so far, one for each of ``LivenessSignal/allCases``, in that order.
  package var checks: [LivenessCheck] { signals.map(LivenessCheck.init) }
}
