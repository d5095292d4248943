public import CFaceVerify
internal import FaceVerify

final class JourneyObject: HandleObject, @unchecked Sendable {
  // Sendable: the controller is thread-safe; everything else is locked.
  override class var name: String { "journey" }
  let controller: JourneyController
  private let said: Lock<Said>

  private struct Said {
    /// The latest time of a call.
    var at: Double
    var refusal: LogicalError?
    /// Owns the texts of the last event.
    var event = HandleObject()
    /// Owns texts and objects borrowed from the result.
    var result = HandleObject()
  }

  init(_ controller: JourneyController, at now: Double) {
    self.controller = controller
    said = Lock(Said(at: now))
  }

  var refusal: LogicalError? { said.withLock(\.refusal) }

  func perform(_ call: JourneyCall, at now: Double) throws {
    if now.isFinite { said.withLock { $0.at = max($0.at, now) } }
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
    try? controller.perform(.cancel, at: said.withLock(\.at))
  }

  /// Returns the next event, and the owner of its texts; invalidates the previous event's texts.
  func nextEvent() throws -> (JourneyEvent, HandleObject) {
    guard let event = controller.nextEvent() else { throw VerifyError(.absent, "there is no event now") }
    let owner = HandleObject()
    said.withLock { $0.event = owner }
    return (event, owner)
  }

  /// Returns the result, and the owner of objects borrowed from it.
  func result() throws -> (JourneyResult, HandleObject) {
    guard let result = controller.result else { throw LogicalError.controllerNotCompleted }
    return (result, said.withLock(\.result))
  }

  func resultText(_ result: JourneyResult) -> String {
    guard !result.isCleared, case .object(let body)? = try? controller.recordBody() else { return "" }
    return JSONValue.object(body.filter { ["id", "account", "credentials", "result"].contains($0.key) }).text
  }

  /// Returns the result of a credential, and the owner of objects borrowed from it.
  func credential(_ index: Int) throws -> (JourneyResult.Credential, HandleObject) {
    (try (controller.result?.credentials ?? []).element(index), said.withLock(\.result))
  }

  func clear() throws {
    guard controller.state == .finished else { throw LogicalError.controllerNotCompleted }
    // Release these before the controller clears: it overwrites only unshared data.
    wipingWhatIsFreed { said.withLock { ($0.event, $0.result) = (HandleObject(), HandleObject()) } }
    try controller.clear()
  }
}

private func object(_ journey: OpaquePointer?) throws -> JourneyObject {
  try Handles.object(journey, JourneyObject.self)
}

private func find(_ journey: OpaquePointer?) -> JourneyObject? { Handles.find(journey, JourneyObject.self) }

/// Makes a call.
private func perform(
  _ journey: OpaquePointer?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int,
  _ call: () throws -> JourneyCall
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try object(journey)
    try object.perform(try call(), at: now)
  }
}

@c @implementation
public func fv_journey_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?,
  _ options: UnsafePointer<fv_journey_options>?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let configuration = try JourneyConfiguration(try Structs.read(options, defaults: fv_journey_options()))
    return JourneyObject(try JourneyController(engine: engine, configuration: configuration, at: now), at: now)
  }
}

@c @implementation
public func fv_journey_free(_ journey: OpaquePointer?) {
  let object = find(journey)
  Handles.free(journey, JourneyObject.self)
  object?.abandon()
}

@c @implementation
public func fv_journey_describe(_ out: UnsafeMutablePointer<fv_journey_info>?, _ journey: OpaquePointer?) -> fv_status {
  attempt {
    let object = try object(journey)
    try Structs.write(out) {
      let controller = object.controller
      var value = fv_journey_info()
      value.state = controller.state.number
      value.fallback = controller.fallback?.number ?? 0
      value.is_shutter_due = controller.isShutterEnabled ? 1 : 0
      value.refusal = object.refusal?.number ?? 0
      value.id = object.text(controller.configuration.id ?? "")
      value.account_id = object.text(controller.configuration.accountID ?? "")
      return value
    }
  }
}

@c @implementation
public func fv_journey_warning_count(_ journey: OpaquePointer?) -> Int { find(journey)?.controller.warnings.count ?? 0 }

@c @implementation
public func fv_journey_warning_at(_ journey: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  find(journey).flatMap { object in (try? object.controller.warnings.element(index)).map { object.text($0) } }
}

// MARK: Calls

@c @implementation
public func fv_journey_perform(
  _ journey: OpaquePointer?, _ call: fv_journey_call, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let call = JourneyCall(number: call) else {
      throw VerifyError(.badArgument, "\(call) is no call without content")
    }
    return call
  }
}

@c @implementation
public func fv_journey_consent(
  _ journey: OpaquePointer?, _ item: Int, _ isGiven: Int64, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    .consent(item: item, isGiven: try flag(isGiven, "is_given"))
  }
}

@c @implementation
public func fv_journey_start_credential(
  _ journey: OpaquePointer?, _ credential: Int, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .startCredential(credential) }
}

@c @implementation
public func fv_journey_choice_count(_ journey: OpaquePointer?, _ credential: Int) -> Int {
  find(journey)?.controller.choices(credential).count ?? 0
}

@c @implementation
public func fv_journey_choice_at(
  _ out: UnsafeMutablePointer<fv_document_choice>?, _ journey: OpaquePointer?, _ credential: Int, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(journey)
    let choice = try object.controller.choices(credential).element(index)
    try Structs.write(out) {
      var value = fv_document_choice()
      value.country = object.text(choice.country)
      value.type = choice.type.number
      value.variant = choice.variant.number
      return value
    }
  }
}

@c @implementation
public func fv_journey_configure(
  _ journey: OpaquePointer?, _ choice: UnsafePointer<fv_document_choice>?, _ now: Double,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    let choice = try Structs.require(choice, fv_document_choice(), "choice")
    guard let country = choice.country else { throw VerifyError(.badArgument, "the country is NULL") }
    guard let type = DocumentType(number: choice.type) else {
      throw VerifyError(.badArgument, "\(choice.type) is no type of a document")
    }
    guard let variant = DocumentVariant(number: choice.variant) else {
      throw VerifyError(.badArgument, "\(choice.variant) is no variant of a document: paper or plastic")
    }
    return .configure(DocumentChoice(country: try string(country, "country"), type: type, variant: variant))
  }
}

@c @implementation
public func fv_journey_start_part(
  _ journey: OpaquePointer?, _ part: fv_journey_part, _ mode: fv_scan_mode, _ now: Double,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let known = JourneyPart(number: part) else { throw VerifyError(.badArgument, "\(part) is no part") }
    let chosen = ScanMode(number: mode)
    guard mode == 0 || chosen != nil else { throw VerifyError(.badArgument, "\(mode) is no mode of a scan") }
    return .startPart(known, mode: chosen)
  }
}

@c @implementation
public func fv_journey_add_frame(
  _ out: UnsafeMutablePointer<fv_liveness_feedback>?, _ journey: OpaquePointer?,
  _ frame: UnsafePointer<fv_liveness_frame>?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try object(journey)
    let frame = try JourneyFrame(try Structs.require(frame, fv_liveness_frame(), "frame"))
    let make = {
      try object.perform(.frame(frame), at: now)
      return object.controller.feedback.map { fv_liveness_feedback($0) } ?? fv_liveness_feedback()
    }
    if out == nil { _ = try make() } else { try Structs.write(out, make) }
  }
}

@c @implementation
public func fv_journey_attach_image(
  _ journey: OpaquePointer?, _ image: OpaquePointer?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .attach(try Handles.object(image, ImageObject.self).photo) }
}

@c @implementation
public func fv_journey_attach_chip(
  _ journey: OpaquePointer?, _ chip: OpaquePointer?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let files = try ChipObject.files(chip) else { throw VerifyError(.badArgument, "the chip is NULL") }
    return .attachChip(files)
  }
}

@c @implementation
public func fv_journey_attach_code(
  _ journey: OpaquePointer?, _ start: UnsafeRawPointer?, _ byteCount: Int, _ now: Double,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) { .attachCode(Array(try bytes(start, byteCount, "code"))) }
}

@c @implementation
public func fv_journey_report(
  _ journey: OpaquePointer?, _ code: UnsafePointer<CChar>?, _ now: Double, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  perform(journey, now, message, messageBytes) {
    guard let code else { throw VerifyError(.badArgument, "the code is NULL") }
    return .report(JourneyError.Code(rawValue: try string(code, "code")))
  }
}

// MARK: Events

@c @implementation
public func fv_journey_next_event(
  _ out: UnsafeMutablePointer<fv_journey_event>?, _ journey: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try object(journey)
    _ = try place(out)
    try Structs.write(out) {
      let (event, owner) = try object.nextEvent()
      var value = fv_journey_event()
      value.at = event.at
      value.name = owner.text(event.name)
      value.json = owner.text(event.json)
      return value
    }
  }
}

@c @implementation
public func fv_journey_picture(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ journey: OpaquePointer?) -> fv_status {
  attempt {
    try put(into: out) {
      guard let picture = try object(journey).controller.picture else {
        throw VerifyError(.absent, "there is no picture to be confirmed")
      }
      return ImageObject(picture)
    }
  }
}

// MARK: Result

@c @implementation
public func fv_journey_result(
  _ out: UnsafeMutablePointer<fv_journey_outcome>?, _ journey: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try object(journey)
    _ = try place(out)
    let (result, owner) = try object.result()
    try Structs.write(out) {
      var value = fv_journey_outcome()
      value.is_complete = result.isComplete ? 1 : 0
      value.result = result.result.number
      value.error_code = result.error.map { owner.text($0.code.rawValue) }
      value.error_text = result.error.map { owner.text($0.message) }
      value.is_retryable = result.error?.isRetryable == true ? 1 : 0
      value.json = UnsafePointer(owner.text("json") { object.resultText(result) })
      value.presence = result.assurance.presence.number
      value.document = result.assurance.document.number
      value.binding = result.assurance.binding.number
      return value
    }
  }
}

@c @implementation
public func fv_journey_credential_count(_ journey: OpaquePointer?) -> Int {
  find(journey)?.controller.result?.credentials.count ?? 0
}

@c @implementation
public func fv_journey_credential_at(
  _ out: UnsafeMutablePointer<fv_credential>?, _ journey: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let (credential, owner) = try object(journey).credential(index)
    try Structs.write(out) {
      var value = fv_credential()
      value.category = credential.category.number
      value.result = credential.result?.number ?? 0
      value.document = credential.document.map { one in owner.handle("document \(index)") { DocumentObject(one) } }
      value.presence = credential.assurance?.presence.number ?? 0
      value.document_assurance = credential.assurance?.document.number ?? 0
      value.binding = credential.assurance?.binding.number ?? 0
      value.has_declined = credential.hasDeclined ? 1 : 0
      guard let face = credential.face else { return value }
      value.mode = face.mode.number
      value.liveness = owner.handle("liveness \(index)") { LivenessDecisionObject(face.liveness) }
      value.decision = face.match.map { match in owner.handle("decision \(index)") { DecisionObject(match) } }
      return value
    }
  }
}

@c @implementation
public func fv_journey_reason_count(_ journey: OpaquePointer?, _ credential: Int) -> Int {
  (try? find(journey)?.credential(credential))?.0.reasons.count ?? 0
}

@c @implementation
public func fv_journey_reason_at(
  _ out: UnsafeMutablePointer<fv_reason>?, _ journey: OpaquePointer?, _ credential: Int, _ index: Int
) -> fv_status {
  attempt {
    let (credential, owner) = try object(journey).credential(credential)
    let reason = try credential.reasons.element(index)
    try Structs.write(out) { fv_reason(reason.code, reason.text, of: owner) }
  }
}

@c @implementation
public func fv_journey_clear(
  _ journey: OpaquePointer?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) { try object(journey).clear() }
}

extension JourneyFrame {
  fileprivate init(_ frame: fv_liveness_frame) throws {
    self.init(
      try frame.pixelBuffer(), time: frame.time,
      received: try flag(frame.has_received, "has_received") ? frame.received : nil,
      screenColour: try frame.screenColour())
  }
}
