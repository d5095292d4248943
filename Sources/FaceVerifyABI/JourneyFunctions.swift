public import CFaceVerify
internal import FaceVerifyJourney

final class JourneyObject: HandleObject, @unchecked Sendable {
  // Sendable: the controller is thread-safe; everything else is locked.
  let controller: JourneyController
  fileprivate let said = Lock(Said())

  fileprivate struct Said {
    var refusal: LogicalError?
    /// Owns the texts of the last event.
    var event = HandleObject()
    var result = HandleObject()
  }

  init(_ controller: JourneyController) { self.controller = controller }

  var refusal: LogicalError? { said.withLock(\.refusal) }
  var warnings: [String] { controller.warnings }
  var credentials: [JourneyResult.Credential] { controller.result?.credentials ?? [] }
  /// Owns texts and objects borrowed from the result.
  var resultOwner: HandleObject { said.withLock(\.result) }

  func reasons(_ credential: Int) throws -> [FaceDecision.Reason] { try credentials.element(credential).reasons }

  func choices(_ credential: Int) throws -> [DocumentChoice] { controller.choices(credential) }

  func perform(_ call: JourneyCall, at now: Double) throws {
    do {
      try controller.perform(call, at: now)
    } catch let error as LogicalError {
      said.withLock { $0.refusal = error }
      throw error
    }
  }

  /// Cancels a journey that is no longer accessible.
  func abandon() {
    guard controller.state != .finished else { return }
    // The controller corrects a cancel that is too early.
    try? controller.perform(.cancel, at: 0)
  }

  func resultText(_ result: JourneyResult) -> String {
    guard !result.isCleared, case .object(let body)? = try? controller.recordBody() else { return "" }
    return JSONValue.object(body.filter { ["id", "account", "credentials", "result"].contains($0.key) }).text
  }

  func clear() throws {
    guard controller.state == .finished else { throw LogicalError.controllerNotCompleted }
    // Release these before the controller clears: it overwrites only unshared data.
    wipingWhatIsFreed { said.withLock { ($0.event, $0.result) = (HandleObject(), HandleObject()) } }
    try controller.clear()
  }
}

private func perform(
  _ journey: Handle, _ now: Double, _ message: Message, _ messageBytes: Int, _ call: () throws -> JourneyCall
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try JourneyObject.of(journey)
    try object.perform(try call(), at: now)
  }
}

@c @implementation public func fv_journey_create(
  _ out: NewHandle, _ engine: Handle, _ options: In<fv_journey_options>, _ now: Double, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let configuration = try JourneyConfiguration(try Structs.read(options, defaults: fv_journey_options()))
    return JourneyObject(try JourneyController(engine: engine, configuration: configuration, at: now))
  }
}

@c @implementation public func fv_journey_free(_ journey: Handle) {
  let object = JourneyObject.find(journey)
  JourneyObject.free(journey)
  object?.abandon()
}

extension fv_journey_info {
  init(_ object: JourneyObject) {
    self.init()
    let (snapshot, configuration) = (object.controller.snapshot, object.controller.configuration)
    state = snapshot.state.number
    fallback = snapshot.fallback?.number ?? 0
    is_shutter_due = fv_bool(snapshot.isShutterEnabled)
    refusal = object.refusal?.number ?? 0
    id = object.text(configuration.id ?? "")
    account_id = object.text(configuration.accountID ?? "")
  }
}

extension fv_document_choice {
  init(_ choice: DocumentChoice, of owner: HandleObject) {
    self.init()
    country = owner.text(choice.country)
    type = choice.type.number
    variant = choice.variant.number
  }
}

// MARK: Calls

@c @implementation public func fv_journey_perform(
  _ journey: Handle, _ call: fv_journey_call, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let call = JourneyCall(plain: try value(call, "call")) else {
      throw VerifyError(.badArgument, "the call has arguments")
    }
    return call
  }
}

@c @implementation public func fv_journey_consent(
  _ journey: Handle, _ item: Int, _ isGiven: fv_bool, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .consent(item: item, isGiven: try flag(isGiven, "is_given")) }
}

@c @implementation public func fv_journey_start_credential(
  _ journey: Handle, _ credential: Int, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .startCredential(credential) }
}

@c @implementation public func fv_journey_configure(
  _ journey: Handle, _ choice: In<fv_document_choice>, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    let choice = try Structs.require(choice, fv_document_choice(), "choice")
    return .configure(
      DocumentChoice(
        country: try string(choice.country, "country"), type: try value(choice.type, "type"),
        variant: try value(choice.variant, "variant")))
  }
}

@c @implementation public func fv_journey_start_part(
  _ journey: Handle, _ part: fv_journey_part, _ mode: fv_scan_mode, _ now: Double, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    .startPart(try value(part, "part"), mode: mode == 0 ? nil : try value(mode, "mode"))
  }
}

@c @implementation public func fv_journey_add_frame(
  _ out: Out<fv_liveness_feedback>, _ journey: Handle, _ frame: In<fv_liveness_frame>, _ now: Double,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try JourneyObject.of(journey)
    let frame = try JourneyFrame(try Structs.require(frame, fv_liveness_frame(), "frame"))
    let make = {
      try object.perform(.frame(frame), at: now)
      return object.controller.snapshot.feedback.map { fv_liveness_feedback($0) } ?? fv_liveness_feedback()
    }
    if out == nil { _ = try make() } else { try Structs.write(out, make) }
  }
}

@c @implementation public func fv_journey_attach_image(
  _ journey: Handle, _ image: Handle, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .attach(try ImageObject.value(of: image)) }
}

@c @implementation public func fv_journey_attach_chip(
  _ journey: Handle, _ chip: Handle, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let files = try ChipObject.files(chip) else { throw VerifyError(.badArgument, "the chip is NULL") }
    return .attachChip(files)
  }
}

@c @implementation public func fv_journey_attach_code(
  _ journey: Handle, _ start: Bytes, _ byteCount: Int, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .attachCode(Array(try bytes(start, byteCount, "code"))) }
}

@c @implementation public func fv_journey_report(
  _ journey: Handle, _ code: Text, _ now: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .report(JourneyError.Code(rawValue: try string(code, "code"))) }
}

// MARK: Events

@c @implementation public func fv_journey_next_event(_ out: Out<fv_journey_event>, _ journey: Handle) -> fv_status {
  JourneyObject.describe(out, journey) { object in
    guard let event = object.controller.nextEvent() else { throw VerifyError(.absent, "there is no event now") }
    let owner = HandleObject()
    // Invalidates the previous event's texts.
    object.said.withLock { $0.event = owner }
    var value = fv_journey_event()
    value.at = event.at
    value.name = owner.text(event.name)
    value.json = owner.text(event.json)
    return value
  }
}

@c @implementation public func fv_journey_picture(_ out: NewHandle, _ journey: Handle) -> fv_status {
  create(out) {
    guard let picture = try JourneyObject.of(journey).controller.snapshot.picture else {
      throw VerifyError(.absent, "there is no picture to be confirmed")
    }
    return ImageObject(picture)
  }
}

// MARK: Result

@c @implementation public func fv_journey_result(_ out: Out<fv_journey_outcome>, _ journey: Handle) -> fv_status {
  JourneyObject.describe(out, journey) { object in
    guard let result = object.controller.result else { throw LogicalError.controllerNotCompleted }
    let owner = object.resultOwner
    var value = fv_journey_outcome()
    value.is_complete = fv_bool(result.isComplete)
    value.result = result.result.number
    value.error_code = owner.text(orNull: result.error?.code.rawValue)
    value.error_text = owner.text(orNull: result.error?.message)
    value.is_retryable = fv_bool(result.error?.isRetryable ?? false)
    value.json = UnsafePointer(owner.text("json") { object.resultText(result) })
    value.presence = result.assurance.presence.number
    value.document = result.assurance.document.number
    value.binding = result.assurance.binding.number
    return value
  }
}

@c @implementation
public func fv_journey_credential_at(_ out: Out<fv_credential>, _ journey: Handle, _ index: Int) -> fv_status {
  JourneyObject.describe(out, journey) { object in
    let (credential, owner) = (try object.credentials.element(index), object.resultOwner)
    var value = fv_credential()
    value.category = credential.category.number
    value.result = credential.result?.number ?? 0
    value.document = owner.handle("document \(index)") { credential.document.map(DocumentObject.init) }
    value.liveness = owner.handle("liveness \(index)") {
      (credential.face?.liveness).map(LivenessDecisionObject.init)
    }
    value.decision = owner.handle("decision \(index)") { (credential.face?.match).map(DecisionObject.init) }
    value.mode = credential.face?.mode.number ?? 0
    value.presence = credential.assurance?.presence.number ?? 0
    value.document_assurance = credential.assurance?.document.number ?? 0
    value.binding = credential.assurance?.binding.number ?? 0
    value.has_declined = fv_bool(credential.hasDeclined)
    return value
  }
}

@c @implementation public func fv_journey_reason_at(
  _ out: Out<fv_reason>, _ journey: Handle, _ credential: Int, _ index: Int
) -> fv_status {
  JourneyObject.describe(out, journey) { fv_reason(try $0.reasons(credential).element(index), of: $0.resultOwner) }
}

@c @implementation
public func fv_journey_clear(_ journey: Handle, _ message: Message, _ messageBytes: Int) -> fv_status {
  attempt(message, messageBytes) { try JourneyObject.of(journey).clear() }
}
