/// The logic of a journey, and its only state: each call changes it, and ``snapshot`` shows it. Not thread-safe.
/// Deterministic, without a clock or random numbers: equal configurations, models and calls give equal journeys.
final class JourneyMachine {
  let engine: FaceEngine
  private(set) var configuration: JourneyConfiguration
  let cancellation = Cancellation()

  var state = JourneyState.created
  /// Those of the last call.
  private(set) var events: [JourneyEvent] = []
  private(set) var result: JourneyResult?
  var log = JourneyLog()
  var credentials: [CredentialProgress]
  var active: Int?
  var part: ActivePart?

  let created: Double
  private(set) var now: Double
  private var started: Double?
  private(set) var decisions: [Int: Bool] = [:]
  private var declined: Bool { decisions.values.contains(false) }
  private(set) var error: JourneyError?
  /// The number of calls.
  private(set) var version = 0
  /// The state that ``JourneyCall/retry`` returns to.
  private var interrupted: JourneyState?

  /// - Parameter configuration: must have a nonce and identifiers.
  init(engine: FaceEngine, configuration: JourneyConfiguration, at now: Double) {
    (self.engine, self.configuration) = (engine, configuration)
    (created, self.now) = (now, now)
    credentials = configuration.requests.map { CredentialProgress($0, configuration) }
  }

  // MARK: Calls

  /// - Throws: ``LogicalError`` for a call that is not due; ``VerifyError`` for one that cannot be executed, which
  ///   leaves the state unchanged.
  func perform(_ call: JourneyCall, at time: Double) throws {
    (version, events) = (version + 1, [])
    guard time.isFinite, time >= now else {
      throw VerifyError(.badArgument, "a call at \(time) follows one at \(now): the caller's clock must not go back")
    }
    now = time
    meetDeadlines()
    if let error = JourneyTable.error(call.kind, in: state) { throw refusal(error) }
    let before = state
    let mark = log.mark
    log.add(call, at: time)
    do {
      try carryOut(call)
    } catch let error as LogicalError {
      log.forget(to: mark)
      throw refusal(error)
    } catch let error as VerifyError {
      try failed(call, error, mark)
    }
    assert(state == before || isExpected(from: before, by: call.kind), "\(call.kind) led from \(before) to \(state)")
  }

  private func isExpected(from before: JourneyState, by call: JourneyCall.Kind) -> Bool {
    [.failed, .halted].contains(state) || JourneyTable.moves(call, in: before)?.contains(state) == true
  }

  /// A refused call is a program error: reported as an event, and not recorded.
  private func refusal(_ error: LogicalError) -> LogicalError {
    events.append(JourneyEvent(at: now, kind: .logicalError(error)))
    return error
  }

  private func failed(_ call: JourneyCall, _ error: VerifyError, _ mark: JourneyLog.Mark) throws {
    switch error.code {
    case .modelMissing, .modelMismatch, .internalFailure:
      fail(JourneyError(.resources, error.message))
    case .timeout, .cancelled, .unwritable:
      log.forget(to: mark)
      throw error
    default:
      // A frame that the session refused is counted by the session; other failed calls have no effect.
      if call.kind != .frame || part?.session == nil { log.forget(to: mark) }
      throw error
    }
  }

  private func carryOut(_ call: JourneyCall) throws {
    switch call {
    case .start: try start()
    case .consent(let item, let isGiven): try consent(item, isGiven)
    case .startCredential(let index): try startCredential(index)
    case .configure(let choice): try configure(choice)
    case .acknowledge: state = .choosing
    case .startPart(let part, let mode, let camera): try startPart(part, mode, camera)
    case .frame(let frame): try take(frame)
    case .takePicture: try takePicture()
    case .attach(let photo): try attach(photo)
    case .attachChip(let files): try attach(files)
    case .attachCode(let payload): try attach(code: payload)
    case .pause: state = .paused
    case .resume:
      update(.droppedFrames(part?.dropped ?? 0))
      restartClock()
      state = .scanning
    case .fallback: try fallBack(.userAction)
    case .decline: try decline()
    case .confirm: keepPicture()
    case .retake, .retryPart: retry()
    case .finishPart: try finishPart()
    case .cancelPart:
      part = nil
      state = .choosing
    case .finishCredential: try finishCredential()
    case .cancelCredential: cancelCredential()
    case .report(let code): try report(code)
    case .retry:
      restartClock()
      let isAddressMissing = error?.code == .barcodeWithoutAddress
      error = nil
      state = interrupted ?? .ready
      if isAddressMissing { goOnWithoutAddress() }
    case .finish: try finish()
    case .cancel:
      cancellation.cancel()
      end(with: error ?? JourneyError(.cancelled, declined ? "The person did not consent." : nil))
    case .tick: break
    }
  }

  func emit(_ kind: JourneyEvent.Kind) {
    let event = JourneyEvent(at: now, kind: kind)
    events.append(event)
    log.add(event)
  }
  func step(_ step: JourneyStep) { emit(.step(step)) }
  func update(_ update: JourneyUpdate) { emit(.update(update)) }

  // MARK: Errors and deadlines

  /// - Throws: ``VerifyError/Code/badArgument`` for a code that only the library may raise.
  private func report(_ code: JourneyError.Code) throws {
    guard code.isReportable else {
      throw VerifyError(
        .badArgument,
        "\"\(code.rawValue)\" cannot be reported: A, B, C, E, H, I or J and six digits are for external failures")
    }
    fail(JourneyError(code))
  }

  func fail(_ error: JourneyError) {
    self.error = error
    interrupted = state
    state = error.isRetryable ? .failed : .halted
    emit(.error(error))
  }

  private func meetDeadlines() {
    guard !JourneyTable.deadlines(in: state).isEmpty else { return }
    if started.map({ now - $0 > configuration.timeout }) ?? (now - created > configuration.startBy) {
      return fail(JourneyError(.sessionOver))
    }
    if state == .scanning, let part, part.session == nil, now - part.began > configuration.partTimeout {
      retryLater(.userTimeout)
    }
  }

  // MARK: Consent

  private func start() throws {
    switch configuration.portrait {
    case .photo(let photo)?: try log.photo(photo)
    case .template(let template)?, .photoTemplate(let template)?: log.template(template)
    case .document?, nil: break
    }
    started = now
    emit(.initialized(requests: configuration.requests, consents: configuration.consents))
    state = configuration.consents.isEmpty ? .ready : .consenting
  }

  private func consent(_ item: Int, _ isGiven: Bool) throws {
    guard configuration.consents.indices.contains(item) else {
      throw VerifyError(.badArgument, "there is no item \(item) to consent to, of \(configuration.consents.count)")
    }
    guard credentials.allSatisfy({ !$0.wasStarted }) else { throw LogicalError.wrongOrder }
    decisions[item] = isGiven
    state = !declined && decisions.count == configuration.consents.count ? .ready : .consenting
  }

  // MARK: Credentials

  private func startCredential(_ index: Int) throws {
    guard credentials.indices.contains(index) else { throw LogicalError.unknownCredential }
    guard !credentials[index].isComplete else { throw LogicalError.deadCredential }
    guard credentials[index].request.category != .data else { throw LogicalError.notYetImplemented }
    active = index
    credentials[index].wasStarted = true
    if credentials[index].request.category == .id {
      if credentials[index].choices.count == 1 { return choose(credentials[index].choices[0]) }
      emit(.choiceNeeded(credential: index, countries: credentials[index].countries))
      state = .configuring
    } else {
      state = .choosing
    }
  }

  private func configure(_ choice: DocumentChoice) throws {
    guard let active, credentials[active].request.category == .id else { throw LogicalError.deadCredential }
    guard credentials[active].outcomes.isEmpty else { throw LogicalError.wrongOrder }
    let choice = DocumentChoice(
      country: DocumentChoice.icao(choice.country), type: choice.type, variant: choice.variant)
    guard credentials[active].choices.contains(choice) else {
      throw VerifyError(
        .badArgument,
        "the journey does not accept a \(choice.variant.rawValue) \(choice.type) of \(choice.country); see its choices")
    }
    choose(choice)
  }

  private func choose(_ choice: DocumentChoice) {
    guard let active else { return }
    credentials[active].choice = choice
    credentials[active].parts =
      configuration.readsPages ? choice.parts(isMultipart: configuration.isMultipart) : [.chip]
    guard let text = configuration.legalAdvice[choice.country] else {
      state = .choosing
      return
    }
    emit(.legalAdvice(credential: active, text: text))
    state = .advising
  }

  private func finishCredential() throws {
    guard let active else { throw LogicalError.deadCredential }
    guard credentials[active].isCaptured else { throw LogicalError.credentialNotCompleted }
    if credentials[active].offersChip(configuration) {
      credentials[active].parts.append(.chip)
      credentials[active].wasChipOffered = true
      return step(.addonPart(.chip, isRequired: configuration.requiresChip))
    }
    if configuration.requiresChip, credentials[active].parts.contains(.chip),
      credentials[active].outcomes[.chip] == nil
    {
      throw LogicalError.credentialNotCompleted
    }
    try credentials[active].complete(by: engine, configuration, at: now, budget: budget)
    emit(.credentialFinished(credential: active))
    if credentials.allSatisfy(\.isComplete) { emit(.allCaptured) }
    self.active = nil
    state = .ready
  }

  private func cancelCredential() {
    guard let active else { return }
    part = nil
    let (tries, hasDeclined) = (credentials[active].tries, credentials[active].hasDeclined)
    credentials[active] = CredentialProgress(configuration.requests[active], configuration)
    (credentials[active].wasStarted, credentials[active].tries) = (true, tries)
    credentials[active].hasDeclined = hasDeclined
    self.active = nil
    state = .ready
  }

  // MARK: The end

  var budget: Budget { Budget(cancellation: cancellation) }

  private func finish() throws {
    guard credentials.allSatisfy(\.isComplete) else { throw LogicalError.controllerNotCompleted }
    let document = credentials.compactMap(\.reading).first
    let portrait = configuration.portrait ?? document.map(FaceInput.document)
    let results = try credentials.map { credential in
      guard let (liveness, mode) = credential.liveness else {
        return JourneyResult.Credential(credential, face: nil, configuration)
      }
      var capture = configuration.capture
      capture.isMovementDeclined = credential.hasDeclined
      return JourneyResult.Credential(
        credential,
        face: try engine.credential(
          liveness, mode: mode, portrait: portrait,
          isCompared: configuration.comparesFace && !configuration.extractsOnly, policy: configuration.comparison,
          assurance: configuration.assurance, capture: capture, budget: budget), configuration)
    }
    end(results, error: nil)
  }

  private func end(with error: JourneyError) {
    self.error = error
    end([], error: error)
  }

  private func end(_ results: [JourneyResult.Credential], error: JourneyError?) {
    state = .finished
    (active, part) = (nil, nil)
    emit(.finished(isComplete: error == nil))
    result = JourneyResult(
      id: configuration.id ?? "", accountID: configuration.accountID ?? "", credentials: results,
      policy: configuration.assurance, error: error)
  }

  /// Removes the result's contents and the data behind them; only at the end.
  func clear() {
    // Release copies that share the result's pictures first: only unshared pictures are overwritten.
    (credentials, log) = ([], JourneyLog())
    result?.clear()
    if case .photo(var photo)? = configuration.portrait {
      configuration.portrait = nil
      photo.wipe()
    }
    configuration.portrait = nil
  }
}
