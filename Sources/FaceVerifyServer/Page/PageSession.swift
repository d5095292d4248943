internal import FaceVerifyBase
internal import FaceVerifyJourney

/// The session of one page: its journey, and the statistics of its frames. Thread-safe: requests are serialised.
final class PageSession: @unchecked Sendable {
  // Sendable: all mutable state is protected by `lock`.

  /// The services of ``FaceServer`` that a session uses.
  struct Surroundings: Sendable {
    let engine: FaceEngine
    /// Admits an attempt: nil if it may start, otherwise its position in the queue.
    let enter: @Sendable (String) -> Int?
    let leave: @Sendable (String) -> Void
    let pace: @Sendable () -> Int
    let metrics: Metrics
    /// The server's reader, if it has one.
    let terminal: ChipTerminal?
    let trustsCameraLabels: Bool
    /// Origins of the pages that may embed this one and exchange messages with it.
    let embedding: [String]
    /// Where the page leads at the end; nil for nowhere.
    var returnURL: String?
    /// Whether another device can reach the server.
    var mayHandOff = false
    let audit: @Sendable (_ kind: String, _ detail: JSONValue) -> Void
    let began: @Sendable () -> Void
    /// Receives the result and the transport statistics.
    let ended: @Sendable (PageSession, JourneyResult, JSONValue) -> Void
    /// Counts the person's attempt; false if those of the day are used up.
    var attempt: @Sendable () -> Bool = { true }
  }

  let id: String
  let tenant: String
  let request: SessionRequest
  let server: Surroundings
  let journey: JourneyController
  let lock = Lock(())
  /// Requests that have arrived and are not answered yet.
  let arrivals = Lock(Arrivals())

  // Protected by `lock`, like everything below.
  var expires: Double
  private var latest: Double
  var isExtended = false
  /// Sequence number of the next frame.
  var expected = 1
  var lastBatch: (sequence: Int, answer: JSONValue)?
  /// The current attempt at a face, and its identity: each start, retry and fallback begins another one.
  var attempt = Attempt()
  private var attemptName: String?
  /// Whether this page holds one of the server's places for attempts.
  private var hasPlace = false
  /// Frames that may be analysed now, and when that was counted.
  var allowance = (frames: PageSession.burst, at: steadyClock())
  var transport = FrameTransport()
  var frameSize = (width: 1.0, height: 1.0)
  var consentShown: Double?
  var events: [JSONValue] = []
  private var decisions: [JSONValue] = []
  var advice: String?
  var rejections: [String] = []
  var retryReason: String?
  var shownError: JourneyError?
  var chip = ChipStep()
  /// The link by which another device may take this session over.
  var offer: (digest: String, until: Double)?
  var offers = 0
  /// Whether the screen lights the face; the person may decline.
  var isLit = false
  /// Whether a view shows a challenge, or the face is recorded without one: the attempt counts from then on.
  var isPrompted = false
  private var isCounted = false
  private(set) var isOver = false

  struct Arrivals {
    /// Time at which the last batch of frames arrived.
    var last = -Double.infinity
    var batches = 0
    var checks = 0
  }

  /// The stream and the light of one attempt at a face.
  struct Attempt {
    var clock = StreamClock()
    /// When the last batch was answered, on ``steadyClock()``, and when its last frame was captured, on the stream's clock.
    var lastAnswer: (at: Double, seconds: Double)?
    var lastFrame: Double?
    /// When the first frame was processed: the first colour is due from then on.
    var lightBegin: Double?
    var colours = ShownColours()
  }

  init(
    id: String, tenant: String, account: String, request: SessionRequest, expires: Double, at now: Double,
    _ server: Surroundings
  ) throws {
    (self.id, self.tenant, self.request, self.server) = (id, tenant, request, server)
    (self.expires, latest) = (expires, now)
    var configuration = request.journey
    configuration.accountID = account
    configuration.sessionID = id
    configuration.keepsPictures = request.imageSeconds > 0
    // The server may extend a session; the journey's own timeout therefore covers the extension.
    configuration.timeout = min(JourneyConfiguration.timeouts.upperBound, max(30, 2 * request.lifetime))
    configuration.startBy = JourneyConfiguration.startTimes.upperBound
    journey = try JourneyController(engine: server.engine, configuration: configuration, at: now)
  }

  /// Returns the hash by which an operator verifies the nonce of the result.
  static func commitment(_ nonce: [UInt8]) -> String { "sha256:" + sha256(Array("faceverify request v1".utf8) + nonce) }

  var isFinished: Bool { journey.state == .finished }
  var state: JourneyState { journey.state }

  // MARK: Calls

  /// - Throws: ``Problem``, with the current view.
  func perform(_ calls: [JSONValue], at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      guard (1...16).contains(calls.count) else {
        throw Problem(400, "A request makes 1 to 16 calls, not \(calls.count).")
      }
      guard calls.count(where: { $0["call"]?.string == "consent" }) <= 1 else {
        throw Problem(400, "A request may contain one consent only.")
      }
      // A call on this device voids the offer.
      offer = nil
      do {
        for call in calls { try perform(call, at: now) }
      } catch {
        throw problem(error, at: now)
      }
      return view(at: now)
    }
  }

  /// The response to an error, with the current view.
  func problem(_ error: any Error, at now: Double) -> Problem {
    var problem = Problem.of(error)
    problem.members["view"] = view(at: now)
    return problem
  }

  private func perform(_ json: JSONValue, at now: Double) throws {
    let name = json["call"]?.string ?? ""
    guard let kind = JourneyCall.Kind(rawValue: name) else {
      throw Problem(400, "Unknown call \"\(name.prefix(32))\".")
    }
    guard ![.frame, .attach, .attachChip, .attachCode].contains(kind) else {
      throw Problem(400, "Frames, photos and chip files have their own endpoints.")
    }
    guard json["code"]?.string?.utf8.count ?? 0 <= 200 else { throw Problem(400, "\"code\" has at most 200 bytes.") }
    let declined = json["declined"] ?? .null
    guard declined == .null || declined.string == "movement" && (kind == .finishPart || kind == .fallback) else {
      throw Problem(400, "\"declined\" must be \"movement\", in finish-part or fallback.")
    }
    if kind == .consent { return try consent(json, at: now) }
    if kind == .startPart { return try startPart(json, at: now) }
    let call = try JourneyCall(kind, json)
    if [.resume, .retryPart, .retry, .fallback].contains(kind), journey.progress.part?.part == .face {
      try enter(for: kind)
    }
    try make(call, at: now)
    if declined != .null {
      try make(.decline, at: now)
      decline("movement")
    }
  }

  private func decline(_ what: String) {
    transport.declined.append(what)
    server.audit("declined", ["what": .string(what)])
  }

  /// Minimum reading time in seconds: an earlier consent is rejected.
  private static let leastReading = 1.0

  private func consent(_ json: JSONValue, at now: Double) throws {
    let call = try JourneyCall(.consent, json)
    guard let consentShown, now - consentShown >= Self.leastReading else { throw LogicalError.needToConsentFirst }
    let given: JSONValue = ["item": json["item"] ?? .null, "isGiven": json["isGiven"] ?? .null]
    // Appended first, because the call may end the session and its result lists this decision; removed if the journey
    // rejects it.
    decisions.append(PhotoRecord.with("at", .string(timestamp(now)), in: given))
    do {
      try make(call, at: now) { server.audit("consent", given) }
    } catch {
      decisions.removeLast()
      throw error
    }
  }

  private func startPart(_ json: JSONValue, at now: Double) throws {
    let isFace = json["part"]?.string == JourneyPart.face.rawValue
    let camera = json["camera"] ?? .null
    let label = String((camera["label"]?.string ?? "").prefix(200))
    let isListed = camera["isListed"]?.bool
    let isUnknown = !isFace || label.isEmpty && isListed == nil
    let facts = isUnknown || server.trustsCameraLabels ? nil : CameraFacts(browserLabel: label, isListed: isListed)
    let call = try JourneyCall(.startPart, PhotoRecord.with("camera", facts?.jsonValue ?? .null, in: json))
    guard isFace else { return try make(call, at: now) }
    try enter(for: .startPart)
    try make(call, at: now) {
      transport.attempts += 1
      isLit = request.isLit && json["light"]?.bool ?? true
      if request.isLit && !isLit { decline("light") }
      transport.camera = [
        "label": .string(label), "facingMode": short(camera["facingMode"]), "width": whole(camera["width"]),
        "height": whole(camera["height"]), "frameRate": whole(camera["frameRate"]), "devices": whole(camera["devices"]),
        "isListed": isListed.map(JSONValue.bool) ?? .null, "clock": short(json["clock"]),
      ]
    }
  }

  /// Takes one of the server's places for attempts, or keeps the one that this page has.
  ///
  /// - Throws: ``LogicalError`` if the journey would refuse the call; a ``Problem`` if all places are taken.
  func enter(for call: JourneyCall.Kind) throws {
    if let error = JourneyTable.error(call, in: journey.state) { throw error }
    if let before = server.enter(id) {
      throw Problem(
        503, "All places for attempts are taken: try again.", code: .transport, retryAfter: 4,
        members: ["position": .integer(before)])
    }
    hasPlace = true
  }

  private func leave() {
    guard hasPlace else { return }
    hasPlace = false
    server.leave(id)
  }

  private func short(_ value: JSONValue?) -> JSONValue { value?.string.map { .string(String($0.prefix(32))) } ?? .null }
  private func whole(_ value: JSONValue?) -> JSONValue { value?.double.map { .number($0.rounded()) } ?? .null }

  /// Performs a call of the journey and handles its events.
  ///
  /// - Parameter taken: called after the journey accepted the call and before its events are handled.
  func make(_ call: JourneyCall, at now: Double, taken: () -> Void = {}) throws {
    guard !isOver || call.kind == .tick else { throw Problem.ended }
    let before = journey.state
    defer { follow(from: before, at: now) }
    // Requests and ticks read the clock before they wait for the lock, and wall clocks may be set back: times must not
    // decrease.
    latest = max(latest, now)
    try journey.perform(call, at: latest)
    taken()
  }

  private func follow(from before: JourneyState, at now: Double) {
    while let event = journey.nextEvent() {
      switch event.kind {
      case .legalAdvice(_, let text): advice = text
      case .step(.rejectView(_, let reasons)): rejections = reasons.map(\.rawValue)
      case .step(.retry(_, let reason)): retryReason = reason.rawValue
      case .update(.nextPosition): isPrompted = true
      case .error(let error): shownError = error
      case .logicalError: continue
      default: break
      }
      events.append(event.jsonValue)
    }
    // Bounds the events kept for a page that sends no requests.
    if events.count > 200 { events.removeFirst(events.count - 200) }
    let state = journey.state
    if before == .created && state != .created { server.began() }
    if state != .failed && state != .halted && state != .finished { shownError = nil }
    followAttempt()
    followChip()
    if state == .finished && !isOver, let result = journey.result { end(result, at: now) }
  }

  /// Begins a new attempt with each try at a face, and keeps a place only while scanning one. A try that continues after
  /// a pause or an error keeps its clock: its challenges are the same.
  private func followAttempt() {
    let progress = journey.progress
    let part = progress.part.flatMap { $0.part == .face ? $0 : nil }
    if part == nil || journey.state != .scanning { leave() }
    let name = part.map { "\(progress.active ?? -1) \($0.mode.rawValue) \($0.tries)" }
    guard name != attemptName else { return }
    attemptName = name
    transport.add(attempt.clock)
    // The clock rate of an ended try remains.
    if name != nil { attempt = Attempt() }
  }

  /// Counts the attempt before its first prompt is shown. Beyond the person's limit, the session ends instead.
  func countAttempt(at now: Double) {
    guard isPrompted, !isCounted else { return }
    isCounted = true
    guard !server.attempt() else { return }
    try? make(.report(JourneyError.Code(rawValue: "C000429")), at: now)
    try? make(.cancel, at: now)
  }

  private func end(_ result: JourneyResult, at now: Double) {
    isOver = true
    leave()
    server.metrics.count(
      "fv_attempts_total", "result=\"\(result.error == nil ? result.result.rawValue : "not-finished")\"")
    server.ended(self, result, transport.jsonValue(attempt.clock))
  }

  var nonce: [UInt8] { journey.configuration.nonce ?? [] }
  var selfie: PixelBuffer? { journey.result?.credentials.lazy.compactMap { $0.face?.liveness.selfie?.picture }.first }

  /// Each consent decision, with the hash of the text that was shown.
  var consents: JSONValue {
    .array(
      decisions.map { decision in
        let items = journey.configuration.consents
        let item = decision["item"]?.integer ?? -1
        return PhotoRecord.with(
          "textHash", items.indices.contains(item) ? .string("sha256:" + sha256(items[item].text.utf8)) : .null,
          in: decision)
      })
  }

  func clear() { try? journey.clear() }

  // MARK: Time

  func tick(at now: Double) {
    lock.withLock { _ in
      guard !isOver else { return }
      if now > expires {
        try? make(.report(.sessionOver), at: now)
        try? make(.cancel, at: now)
        return
      }
      if journey.state == .scanning, journey.progress.part?.part == .face, let lastFrame = attempt.lastFrame {
        // Frames that wait for a thread are delayed by the server.
        let arrivals = self.arrivals.withLock { $0 }
        if arrivals.batches == 0, now - max(lastFrame, arrivals.last) > Admission.patience {
          interruptPart(.gap, at: now)
        }
      }
      try? make(.tick, at: now)
    }
  }

  /// Extends the session once by its lifetime (WCAG 2.2, 2.2.1).
  func extend(at now: Double) throws -> (view: JSONValue, expires: Double) {
    try lock.withLock { _ in
      guard !isExtended, !isOver else { throw Problem(409, "The session was already extended.") }
      isExtended = true
      expires += request.lifetime
      return (view(at: now), expires)
    }
  }

  /// - Parameter isElsewhere: for a device that the session was handed off from.
  func show(at now: Double, isElsewhere: Bool = false) -> JSONValue {
    lock.withLock { _ in isElsewhere ? watched(at: now) : view(at: now) }
  }
}
