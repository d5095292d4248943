/// The part that is being scanned.
struct ActivePart {
  let part: JourneyPart
  var mode: ScanMode
  /// The side due now; differs from ``part`` for a part with several sides.
  var side: JourneyPart
  let camera: CameraFacts?
  /// The start of this try, on the caller's clock.
  var began: Double
  var tries: Int
  var dropped = 0
  var pages: [TakenPage] = []
  var chip: ChipFiles?
  var licence: DrivingLicence?
  var candidate: TakenPage?
  var lastFrame: JourneyFrame?
  var hasTakenImage = false
  var session: LivenessSession?
  var decision: LivenessDecision?
  var hasZone = false
  // The last reported updates.
  var feedback: LivenessFeedback?
  var faceHint: LivenessHint?
  var documentHint: DocumentHint?
  /// The fault in the last picture that was searched for a licence's code.
  var codeFault: CodeFault?
  var challenge: Challenge?
  /// The colours of the light in this try.
  var colours: [ColourSequence.Interval] = []
  /// Why the last picture was rejected, and why the part must be retried.
  var rejections: [DocumentImageCheck.Reason] = []
  var retryReason: RetryReason?
  /// The number of frames in this try, and when the first arrived.
  var frames = 0
  var firstFrame = 0.0
}

/// An accepted picture of a side and its reading; nil for documents that are not judged.
struct TakenPage {
  let photo: Photo
  let page: DocumentPage?
}

extension JourneyMachine {
  /// Minimum frame rate, in frames per second, and the seconds before it is enforced. Below it, challenges cannot be
  /// verified: a blink, 0.1 to 0.4 s (Bentivoglio et al. 1997), may show in no frame.
  private static let slowSeconds = 3.0
  private static let slowRate = 5.0

  func modes(of part: JourneyPart) -> [ScanMode] {
    switch part {
    case .face: configuration.faceModes
    case .chip: [.chipFiles]
    case .document: configuration.documentModes.filter { $0 != .docFinder && $0 != .barcode }
    case .front, .back, .multipart:
      configuration.documentModes.filter { $0 != (hasCode(part) ? .docFinder : .barcode) }
    case .digital: []
    }
  }

  // MARK: Starting, retrying, ending

  func startPart(_ part: JourneyPart, _ mode: ScanMode?, _ camera: CameraFacts?) throws {
    guard let active else { throw LogicalError.deadCredential }
    if part == .digital || mode == .web { throw LogicalError.notYetImplemented }
    guard credentials[active].parts.contains(part) else { throw LogicalError.unknownScanPart }
    guard credentials[active].outcomes[part] == nil else { throw LogicalError.deadScanPart }
    guard let mode = mode ?? modes(of: part).first, modes(of: part).contains(mode) else {
      throw LogicalError.unknownScanPart
    }
    let tries = credentials[active].tries[part, default: 0] + 1
    guard tries <= configuration.maximumTries else { return fail(JourneyError(.imagesMissing)) }
    credentials[active].tries[part] = tries
    self.part = ActivePart(
      part: part, mode: mode, side: part == .multipart ? .front : part, camera: camera, began: now, tries: tries)
    if part != .chip && part != .document { step(.prepare(part)) }
    step(.started(part, mode: mode))
    try openSession()
    step(.scanView(part))
    state = .scanning
  }

  /// Opens a new session for each try, with new challenges.
  private func openSession() throws {
    guard let part, let policy = configuration.livenessPolicy(of: part.mode) else { return }
    var options = LivenessSession.Configuration()
    options.policy = policy
    options.isMirrored = configuration.isMirrored
    options.rotation = configuration.rotation
    options.camera = part.camera ?? configuration.camera
    if let template = configuration.portrait?.template, configuration.comparesFace { options.portrait = template }
    let isAsked = part.mode == .liveness || part.mode == .strict
    let tryNumber = UInt32(part.tries)
    let first = configuration.nonce ?? []
    let nonce = tryNumber == 1 ? first : sha256Bytes(first + withUnsafeBytes(of: tryNumber.bigEndian) { Array($0) })
    let hasDeclined = active.map { credentials[$0].hasDeclined } ?? false
    let script = isAsked ? try configuration.script(nonce: nonce, hasDeclined: hasDeclined) : nil
    self.part?.colours = (try? ColourSequence(nonce: nonce, count: ColourSequence.longest).intervals) ?? []
    self.part?.session = try LivenessSession(engine: engine, script: script, nonce: nonce, configuration: options)
    self.part?.challenge = nil
    self.part?.feedback = nil
  }

  /// Restarts the try's clock: time without scanning does not count.
  func restartClock() {
    part?.began = now
    part?.frames = 0
  }

  func retry() {
    guard part != nil else { return }
    part?.candidate = nil
    part?.codeFault = nil
    countTry()
    restartClock()
    do {
      try openSession()
      state = .scanning
    } catch {
      // Cannot fail for these arguments: they opened the first session.
      fail(JourneyError(.resources, "\(error)"))
    }
  }

  private func countTry() {
    part?.tries += 1
    if let active, let part { credentials[active].tries[part.part] = part.tries }
  }

  func retryLater(_ reason: RetryReason) {
    guard let part else { return }
    guard part.tries < configuration.maximumTries else {
      return fail(JourneyError(.imagesMissing, "\(part.tries) tries produced no usable picture: start a new journey."))
    }
    self.part?.retryReason = reason
    step(.retry(part.part, reason))
    state = .retrying
  }

  var fallback: ScanMode? {
    guard let part else { return nil }
    let modes = modes(of: part.part)
    return modes.firstIndex(of: part.mode).flatMap { modes.dropFirst($0 + 1).first }
  }

  func fallBack(_ reason: JourneyUpdate.FallbackReason) throws {
    guard let mode = fallback else { throw LogicalError.noFallbackAvailable }
    part?.mode = mode
    part?.session = nil
    part?.lastFrame = nil
    part?.candidate = nil
    part?.codeFault = nil
    countTry()
    restartClock()
    update(.fallback(reason, mode: mode))
    try openSession()
    state = .scanning
  }

  func decline() throws {
    guard let active, let part, part.mode == .liveness || part.mode == .strict else {
      throw LogicalError.unknownScanPart
    }
    credentials[active].hasDeclined = true
  }

  /// Also ends an incomplete session, which is decided on the frames received.
  func finishPart() throws {
    if state == .scanning {
      guard part?.session != nil, part?.mode != .faceManual else { throw LogicalError.scanPartNotCompleted }
      try decide()
    }
    guard let active, let part, state == .captured else { return }
    credentials[active].modes[part.part] = part.mode
    credentials[active].hasZone = credentials[active].hasZone || part.hasZone
    credentials[active].licence = part.licence ?? credentials[active].licence
    credentials[active].outcomes[part.part] =
      part.decision.map { .liveness($0, part.mode) } ?? part.chip.map { .chip($0) } ?? .pages(part.pages)
    self.part = nil
    state = .choosing
  }

  func imageTaken() {
    guard let part, !part.hasTakenImage else { return }
    self.part?.hasTakenImage = true
    step(.imageTaken(part.part))
  }

  func captured() {
    guard let part else { return }
    step(.canFinish(part.part))
    state = .captured
  }

  // MARK: Frames

  func take(_ frame: JourneyFrame) throws {
    guard state == .scanning else {
      part?.dropped += 1
      return log.dropLast()
    }
    guard let mode = part?.mode else { return }
    switch mode {
    case .liveness, .strict, .passive: try watch(frame)
    case .docFinder: try find(frame)
    case .barcode: try findCode(frame)
    case .manual, .faceManual:
      // Not analysed until it is taken: ``takePicture``.
      log.dropLast()
      part?.lastFrame = frame
    default: throw LogicalError.unknownScanPart
    }
  }

  private func watch(_ frame: JourneyFrame) throws {
    guard let session = part?.session else { return }
    let count = session.frameCount
    defer { log.frame(frame, digest: session.frameCount > count ? session.lastFrameDigest : nil) }
    let feedback = try session.add(
      frame.picture, at: frame.time, received: frame.received, screenColour: frame.screenColour, budget: budget)
    part?.feedback = feedback
    if feedback.hint != part?.faceHint {
      part?.faceHint = feedback.hint
      update(.face(feedback.hint))
    }
    if let challenge = feedback.challenge, challenge != part?.challenge {
      part?.challenge = challenge
      update(.nextPosition(challenge))
    }
    if session.isComplete { return try decide() }
    try fallBackIfSlow()
  }

  private func fallBackIfSlow() throws {
    if part?.frames == 0 { part?.firstFrame = now }
    part?.frames += 1
    guard let part, part.mode != .passive, now - part.firstFrame >= Self.slowSeconds,
      Double(part.frames) < Self.slowRate * (now - part.firstFrame), fallback != nil
    else { return }
    try fallBack(.lowPerformance)
  }

  /// Ends the active session, and proceeds by its decision.
  func decide() throws {
    guard let part, let session = part.session else { return }
    step(.processing(part.part))
    let decision = try session.finish()
    if decision.result == .undecided, let reason = decision.retry, part.tries < configuration.maximumTries,
      part.mode != .passive
    {
      return retryLater(reason)
    }
    imageTaken()
    self.part?.decision = decision
    captured()
  }

  private func find(_ frame: JourneyFrame) throws {
    if hasCode(part?.side) { return try findCode(frame) }
    let photo = upright(frame)
    log.frame(frame, digest: nil)
    let (page, hint) = try look(at: photo)
    if hint != part?.documentHint {
      part?.documentHint = hint
      update(.document(hint))
      if hint == .holdStraight, page.isAskew, let askew = page.askew { update(.tilt(current: askew, target: 0)) }
    }
    guard hint == nil else { return }
    isOther(page) ? reject([.unsupportedDocument]) : take(photo, expectation == .neither ? nil : page)
  }

  func takePicture() throws {
    guard let part, part.mode == .manual || part.mode == .faceManual, let frame = part.lastFrame else {
      throw LogicalError.takePictureNotAllowed
    }
    if part.mode == .faceManual { return try takeFace(frame) }
    log.frame(frame, digest: nil)
    self.part?.lastFrame = nil
    try judge(upright(frame))
  }

  private func takeFace(_ frame: JourneyFrame) throws {
    guard let session = part?.session else { return }
    log.frame(frame, digest: nil)
    part?.lastFrame = nil
    try session.add(frame.picture, at: frame.time, budget: budget)
    try decide()
  }
}
