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
  // Sendable: only the call that set `isBusy` uses `machine`; everything else is locked or constant.
  /// Warnings about the configuration: suspected personal data in identifiers, and settings that no result can pass.
  public let warnings: [String]

  private let machine: JourneyMachine
  private let evidence: (@Sendable (JourneyInput, JourneyInput.Content) throws -> Void)?
  private let shown: Lock<Shown>

  /// What any thread may read during a call.
  private struct Shown {
    var configuration: JourneyConfiguration
    var snapshot: JourneySnapshot
    var unread: [JourneyEvent] = []
    var stream: AsyncStream<JourneyEvent>.Continuation?
    var isBusy = false
    /// The time of the first cancel; the running call performs it at its end.
    var cancelled: Double?

    /// - Returns: whether the call may begin; false for a cancel during another call.
    mutating func begin(_ call: JourneyCall.Kind, at now: Double) throws -> Bool {
      if call == .cancel { cancelled = cancelled ?? now }
      guard !isBusy else {
        if call == .cancel { return false }
        if snapshot.state == .finishing { throw LogicalError.isBeingFinished }
        throw VerifyError(.busy, "another thread is in a call of this journey")
      }
      isBusy = true
      if call == .finish && JourneyTable.error(.finish, in: snapshot.state) == nil { snapshot.state = .finishing }
      return true
    }

    mutating func end(_ snapshot: JourneySnapshot, _ events: [JourneyEvent]) {
      (self.snapshot, isBusy) = (snapshot, false)
      unread += events
      for event in events { stream?.yield(event) }
      if snapshot.state == .finished { stream?.finish() }
    }
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
    shown = Lock(Shown(configuration: configuration, snapshot: JourneySnapshot(machine)))
  }

  /// The present state of the journey; unchanged during a call.
  public var snapshot: JourneySnapshot { shown.read(\.snapshot) }
  /// Without the portrait once it is cleared.
  public var configuration: JourneyConfiguration { shown.read(\.configuration) }
  public var state: JourneyState { snapshot.state }
  /// nil until the end.
  public var result: JourneyResult? { snapshot.result }

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
    let isCancel = call.kind == .cancel
    if isCancel { machine.cancellation.cancel() }
    guard try shown.withLock({ try $0.begin(call.kind, at: now) }) else { return }
    // The clocks of two threads may differ; a cancel must not be rejected as too early.
    let performed = Result { try machine.perform(call, at: isCancel ? max(now, machine.now) : now) }
    do {
      // Also for a refused call: its inputs hold pixels, and the next call may be refused as well.
      for (input, content) in machine.log.takePending() { try evidence?(input, content) }
    } catch {
      machine.fail(JourneyError(.resources, "The evidence could not be kept: \(error)"))
    }
    let (snapshot, events) = (JourneySnapshot(machine), machine.events)
    let cancelled = shown.withLock {
      $0.end(snapshot, events)
      return snapshot.state == .finished ? nil : $0.cancelled
    }
    if let cancelled { try? perform(.cancel, at: cancelled) }
    try performed.get()
  }

  /// Returns the next unread event; nil if there is none.
  public func nextEvent() -> JourneyEvent? { shown.withLock { $0.unread.isEmpty ? nil : $0.unread.removeFirst() } }

  /// Returns a stream of all future events, for one reader.
  public func events() -> AsyncStream<JourneyEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: JourneyEvent.self)
    shown.withLock { shown in
      shown.stream = continuation
      if shown.snapshot.state == .finished { continuation.finish() }
    }
    return stream
  }

  /// Removes all personal data, including the configuration's portrait, and overwrites pictures and templates in
  /// memory; only at the end. Does not affect the caller's copies.
  ///
  /// - Throws: ``LogicalError/controllerNotCompleted``.
  public func clear() throws {
    try shown.withLock { shown in
      guard shown.snapshot.state == .finished, !shown.isBusy else { throw LogicalError.controllerNotCompleted }
      shown.isBusy = true
    }
    wipingWhatIsFreed {
      shown.withLock { ($0.configuration.portrait, $0.snapshot) = (nil, $0.snapshot.cleared) }
      machine.clear()
      shown.withLock { $0.end(JourneySnapshot(machine), []) }
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
