internal import Synchronization

/// Guides one person through a journey: credentials in succession, each with its parts, and a result at the end.
///
///     let journey = try JourneyController(engine: engine, configuration: configuration, at: now)
///     try journey.perform(.start, at: now)
///     while let event = journey.nextEvent() { show(event) }
///
/// It has no clock: each call has its time, in seconds since 1970. However a journey ends, there is exactly one
/// ``result``, and the last event is ``JourneyEvent/Kind/finished(isComplete:)``.
///
/// Thread-safe, but calls must not overlap: a concurrent call throws ``VerifyError/Code/busy``. Only
/// ``JourneyCall/cancel`` may be made at any time; it ends the running call.
public final class JourneyController: @unchecked Sendable {
  // Sendable: `isUsed` guards `machine`; everything else is locked.
  /// Without the portrait once it is cleared.
  public var configuration: JourneyConfiguration { outlet.withLock(\.configuration) }
  /// Warnings about the configuration: suspected personal data in identifiers, and settings that no result can pass.
  public let warnings: [String]

  private let machine: JourneyMachine
  private let evidence: (@Sendable (JourneyInput, JourneyInput.Content) throws -> Void)?
  private let isUsed = Atomic(false)
  private let outlet: Lock<Outlet>

  /// State that any thread may read during a call.
  private struct Outlet {
    var configuration: JourneyConfiguration
    var state = JourneyState.created
    var events: [JourneyEvent] = []
    var result: JourneyResult?
    var fallback: ScanMode?
    var isPictureDue = false
    var picture: Photo?
    var feedback: LivenessFeedback?
    var progress: JourneyProgress
    var zone: MachineReadableZone?
    var nonce: [UInt8]?
    var colours: [ColourSequence.Interval] = []
    var cancelled: Double?
    var stream: AsyncStream<JourneyEvent>.Continuation?
  }

  /// - Parameters:
  ///   - evidence: receives everything that the record references as it is recorded, for storage. An error that it
  ///     throws halts the journey.
  /// - Throws: ``VerifyError/Code/badArgument``, ``LogicalError``; ``VerifyError/Code/incompatibleTemplate`` for a
  ///   portrait of other models.
  public init(
    engine: FaceEngine, configuration: JourneyConfiguration = .init(), at now: Double,
    evidence: (@Sendable (JourneyInput, JourneyInput.Content) throws -> Void)? = nil
  ) throws {
    try configuration.check()
    if let template = configuration.portrait?.template { try engine.check(template) }
    if let key = configuration.tokenKey {
      try JourneyToken.check(configuration.token, key: key, accountID: configuration.accountID, at: now)
    }
    var configuration = configuration
    configuration.id = configuration.id ?? UUIDText.random()
    configuration.accountID = configuration.accountID ?? UUIDText.random()
    configuration.nonce = configuration.nonce ?? randomBytes(32)
    self.evidence = evidence
    warnings = configuration.warnings
    guard now.isFinite else {
      throw VerifyError(.badArgument, "a journey's start must be a finite number of seconds, not \(now)")
    }
    machine = JourneyMachine(engine: engine, configuration: configuration, at: now)
    outlet = Lock(Outlet(configuration: configuration, progress: machine.progress))
  }

  public var state: JourneyState { outlet.withLock(\.state) }
  /// nil until the end.
  public var result: JourneyResult? { outlet.withLock(\.result) }
  /// The mode that ``JourneyCall/fallback`` would switch to; nil for none.
  public var fallback: ScanMode? { outlet.withLock(\.fallback) }
  /// Whether ``JourneyCall/takePicture`` is due: frames are previewed, but not analysed.
  public var isShutterEnabled: Bool { outlet.withLock(\.isPictureDue) }
  /// The progress of each credential and of the active part.
  public var progress: JourneyProgress { outlet.withLock(\.progress) }
  /// The machine-readable zone on the pages that the active credential has so far, which opens the chip; nil if there is
  /// none.
  package var zone: MachineReadableZone? { outlet.withLock(\.zone) }
  /// The sequence of screen colours that light the face in this try; empty without a session. The person must not learn
  /// a colour before it is shown.
  package var colours: [ColourSequence.Interval] { outlet.withLock(\.colours) }
  /// The feedback on the last frame of a face; nil without one.
  public var feedback: LivenessFeedback? { outlet.withLock(\.feedback) }
  /// The picture to be confirmed; nil for none.
  public var picture: Photo? { outlet.withLock(\.picture) }

  /// The documents that may be selected for a credential.
  public func choices(_ credential: Int) -> [DocumentChoice] {
    guard configuration.requests.indices.contains(credential),
      configuration.requests[credential].category == .id
    else { return [] }
    return DocumentChoice.all(configuration.requests[credential], extractsOnly: configuration.extractsOnly)
  }

  /// Makes a call.
  ///
  /// - Parameter now: seconds since 1970, not earlier than the previous call's.
  /// - Throws: ``LogicalError`` for a call that is not due, ``VerifyError`` for one that cannot be executed; the
  ///   journey is unchanged. Failures that concern the person are reported as events.
  public func perform(_ call: JourneyCall, at now: Double) throws {
    guard now.isFinite else {
      throw VerifyError(.badArgument, "a call's time must be a finite number of seconds, not \(now)")
    }
    if call.kind == .cancel {
      machine.cancellation.cancel()
      outlet.withLock { $0.cancelled = $0.cancelled ?? now }
    }
    guard !isUsed.exchange(true, ordering: .acquiring) else {
      if call.kind == .cancel { return }  // The running call performs it, in leave().
      if state == .finishing { throw LogicalError.isBeingFinished }
      throw VerifyError(.busy, "another thread is in a call of this journey")
    }
    // The clocks of two threads may differ; a cancel must not be rejected as too early.
    let now = call.kind == .cancel ? max(now, machine.now) : now
    defer { leave() }
    if call.kind == .finish && JourneyTable.error(.finish, in: machine.state) == nil {
      outlet.withLock { $0.state = .finishing }
    }
    defer { publish() }
    // Also for a refused call: its inputs hold pixels, and the next call may be refused as well.
    let performed = Result { try machine.perform(call, at: now) }
    do {
      for (input, content) in machine.log.takePending() { try evidence?(input, content) }
    } catch {
      machine.fail(JourneyError(.resources, "The evidence could not be kept: \(error)"))
    }
    try performed.get()
  }

  /// Releases the call, then runs a pending cancel.
  private func leave() {
    isUsed.store(false, ordering: .releasing)
    guard let time = outlet.withLock(\.cancelled), state != .finished else { return }
    try? perform(.cancel, at: time)
  }

  private func publish() {
    let events = machine.takeEvents()
    outlet.withLock { outlet in
      outlet.state = machine.state
      outlet.events += events
      outlet.result = machine.result
      outlet.fallback = machine.state.hasPart ? machine.fallback : nil
      outlet.isPictureDue =
        machine.state == .scanning && (machine.part?.mode == .manual || machine.part?.mode == .faceManual)
      outlet.picture = machine.part?.candidate?.photo
      outlet.feedback = machine.part?.feedback
      outlet.progress = machine.progress
      outlet.zone = machine.zone
      if machine.part?.nonce != outlet.nonce {
        outlet.nonce = machine.part?.nonce
        outlet.colours =
          outlet.nonce.flatMap { try? ColourSequence(nonce: $0, count: ColourSequence.longest).intervals } ?? []
      }
      for event in events { outlet.stream?.yield(event) }
      if machine.state == .finished { outlet.stream?.finish() }
    }
  }

  /// Returns the next unread event; nil if there is none.
  public func nextEvent() -> JourneyEvent? { outlet.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() } }

  /// Returns a stream of all future events, for one reader.
  public func events() -> AsyncStream<JourneyEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: JourneyEvent.self)
    outlet.withLock { outlet in
      outlet.stream = continuation
      if outlet.state == .finished { continuation.finish() }
    }
    return stream
  }

  /// Removes all personal data, including the configuration's portrait, and overwrites pictures and templates in
  /// memory; only at the end. Does not affect the caller's copies.
  ///
  /// - Throws: ``LogicalError/controllerNotCompleted``.
  public func clear() throws {
    guard state == .finished, !isUsed.exchange(true, ordering: .acquiring) else {
      throw LogicalError.controllerNotCompleted
    }
    defer { isUsed.store(false, ordering: .releasing) }
    wipingWhatIsFreed {
      outlet.withLock { ($0.configuration.portrait, $0.result, $0.picture) = (nil, nil, nil) }
      machine.clear()
      publish()
    }
  }

  /// Returns the unsigned record of the journey: see ``DecisionRecord``.
  ///
  /// - Throws: ``LogicalError/controllerNotCompleted`` before the end, ``LogicalError/deadController`` after clearing.
  public func recordBody() throws -> JSONValue {
    guard let result else { throw LogicalError.controllerNotCompleted }
    guard !result.isCleared else { throw LogicalError.deadController }
    return machine.recordBody(of: result)
  }
}
