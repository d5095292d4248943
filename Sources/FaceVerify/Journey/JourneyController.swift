internal import Synchronization

/// Leads one person through a journey: credentials one after the other, their parts, and a result at the end.
///
///     let journey = try JourneyController(engine: engine, configuration: configuration, at: now)
///     try journey.perform(.start, at: now)
///     while let event = journey.nextEvent() { show(event) }
///
/// It has no clock: each call says when it is made, in seconds since 1970. Whatever ends a journey, ``result`` is there at
/// the end, once, and the last event is ``JourneyEvent/Kind/finished(isComplete:)``.
///
/// Any thread may call it, one at a time: a call while another one runs throws ``VerifyError/Code/busy``. But
/// ``JourneyCall/cancel`` may be called at any time: it ends the call that runs.
public final class JourneyController: @unchecked Sendable {
  // Sendable: `machine` is used by whom `isUsed` lets in; the rest is locked.
  /// Without the portrait once it is cleared.
  public var configuration: JourneyConfiguration { outlet.withLock(\.configuration) }
  /// What looks like personal data where none may be.
  public let warnings: [String]

  private let machine: JourneyMachine
  private let evidence: (@Sendable (JourneyInput, JourneyInput.Content) throws -> Void)?
  private let isUsed = Atomic(false)
  private let outlet: Lock<Outlet>

  /// What any thread may ask for while another one makes a call.
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
    /// Of the active part's session.
    var nonce: [UInt8]?
    var colours: [ColourSequence.Interval] = []
    var cancelled: Double?
    var stream: AsyncStream<JourneyEvent>.Continuation?
  }

  /// - Parameters:
  ///   - evidence: is given everything that the record names, as it comes: to keep it. What it throws halts the journey.
  /// - Throws: ``VerifyError/Code/badArgument``, ``LogicalError``; ``VerifyError/Code/incompatibleTemplate`` for a portrait
  ///   of other models.
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
    var random = SystemRandomNumberGenerator()
    configuration.nonce = configuration.nonce ?? (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    self.evidence = evidence
    warnings = configuration.warnings
    guard now.isFinite else {
      throw VerifyError(.badArgument, "a journey begins at a number of seconds, not at \(now)")
    }
    machine = JourneyMachine(engine: engine, configuration: configuration, at: now)
    outlet = Lock(Outlet(configuration: configuration, progress: machine.progress))
  }

  public var state: JourneyState { outlet.withLock(\.state) }
  /// nil before the end.
  public var result: JourneyResult? { outlet.withLock(\.result) }
  /// What ``JourneyCall/fallback`` would lead to; nil for nothing.
  public var fallback: ScanMode? { outlet.withLock(\.fallback) }
  /// ``JourneyCall/takePicture`` is due: frames are only looked at.
  public var isShutterEnabled: Bool { outlet.withLock(\.isPictureDue) }
  /// How far each credential and the active part have come.
  public var progress: JourneyProgress { outlet.withLock(\.progress) }
  /// What the screen shows in this try of a face to light it, one colour after the other; empty where there is none. Whoever is before
  /// the camera must not know of a colour before it is shown.
  package var colours: [ColourSequence.Interval] { outlet.withLock(\.colours) }
  /// What was said of the last frame of a face; nil without one.
  public var feedback: LivenessFeedback? { outlet.withLock(\.feedback) }
  /// What is to be confirmed; nil for nothing.
  public var picture: Photo? { outlet.withLock(\.picture) }

  /// The documents that a credential may be configured with.
  public func choices(_ credential: Int) -> [DocumentChoice] {
    guard configuration.requests.indices.contains(credential),
      configuration.requests[credential].category == .id
    else { return [] }
    return DocumentChoice.all(configuration.requests[credential], extractsOnly: configuration.extractsOnly)
  }

  /// Makes a call.
  ///
  /// - Parameter now: seconds since 1970, not before the last call's.
  /// - Throws: ``LogicalError`` for one that is not due, ``VerifyError`` for one that cannot be carried out: the journey
  ///   goes on as if it had not been made. What fails in a way that a person must know of is an event.
  public func perform(_ call: JourneyCall, at now: Double) throws {
    guard now.isFinite else { throw VerifyError(.badArgument, "a call is made at a number of seconds, not at \(now)") }
    if call.kind == .cancel {
      machine.cancellation.cancel()
      outlet.withLock { $0.cancelled = $0.cancelled ?? now }
    }
    guard !isUsed.exchange(true, ordering: .acquiring) else {
      if call.kind == .cancel { return }  // The call that runs sees to it.
      if state == .finishing { throw LogicalError.isBeingFinished }
      throw VerifyError(.busy, "another thread is just making a call of this journey")
    }
    // The clocks of two threads may differ: a cancel is never too early.
    let now = call.kind == .cancel ? max(now, machine.now) : now
    defer { leave() }
    if call.kind == .finish && JourneyTable.error(.finish, in: machine.state) == nil {
      outlet.withLock { $0.state = .finishing }
    }
    defer { publish() }
    // Also of a call that is refused: it holds pixels, and the next call may be refused, too.
    let performed = Result { try machine.perform(call, at: now) }
    do {
      for (input, content) in machine.log.takePending() { try evidence?(input, content) }
    } catch {
      machine.fail(JourneyError(.resources, "The evidence could not be kept: \(error)"))
    }
    try performed.get()
  }

  /// Lets others in; a cancel that came meanwhile is made up for.
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
      if machine.part?.nonce != outlet.nonce {
        outlet.nonce = machine.part?.nonce
        outlet.colours =
          outlet.nonce.flatMap { try? ColourSequence(nonce: $0, count: ColourSequence.longest).intervals } ?? []
      }
      for event in events { outlet.stream?.yield(event) }
      if machine.state == .finished { outlet.stream?.finish() }
    }
  }

  /// The next event that was not asked for yet; nil for none.
  public func nextEvent() -> JourneyEvent? {
    outlet.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }

  /// All events from now on, for one reader.
  public func events() -> AsyncStream<JourneyEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: JourneyEvent.self)
    outlet.withLock { outlet in
      outlet.stream = continuation
      if outlet.state == .finished { continuation.finish() }
    }
    return stream
  }

  /// Forgets everything that tells of the person, the portrait of the configuration included, and overwrites pictures and templates in
  /// memory; only at the end. Copies that the caller made stay.
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

  /// The unsigned record of what happened: see ``DecisionRecord``.
  ///
  /// - Throws: ``LogicalError/controllerNotCompleted`` before the end, ``LogicalError/deadController`` once it is cleared.
  public func recordBody() throws -> JSONValue {
    guard let result else { throw LogicalError.controllerNotCompleted }
    guard !result.isCleared else { throw LogicalError.deadController }
    return machine.recordBody(of: result)
  }
}
