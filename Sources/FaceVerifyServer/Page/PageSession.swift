internal import FaceVerifyBase
internal import FaceVerifyJourney

/// The session of one page: its journey, and the transport to it. Thread-safe.
///
/// Requests that change the journey take ``turns``: one at a time, in order of arrival. They decode and analyse without a
/// lock, and change ``page`` in short steps. Everything else uses ``page`` alone, and waits for no analysis.
final class PageSession: Sendable {
  /// The services of ``FaceServer`` that a session uses. None is called with a lock of the session held.
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
    var clock: any Clock = SystemClock()
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
  let turns = Turns()
  let page: Lock<PageState>
  /// Seconds since 1970 when the monotonic clock was 0.
  private let epoch: Double

  /// The time of the journey, of the session's end and of offers: a date that advances with the monotonic clock, in
  /// milliseconds.
  var now: Double { Self.time(epoch, server.clock) }

  private static func time(_ epoch: Double, _ clock: any Clock) -> Double {
    ((epoch + clock.monotonic) * 1000).rounded() / 1000
  }

  init(
    id: String, tenant: String, account: String, request: SessionRequest, expires: Double, _ server: Surroundings
  ) throws {
    (self.id, self.tenant, self.request, self.server) = (id, tenant, request, server)
    epoch = server.clock.wall - server.clock.monotonic
    var configuration = request.journey
    configuration.accountID = account
    configuration.sessionID = id
    configuration.keepsPictures = request.imageSeconds > 0
    // The server may extend a session; the journey's own timeout therefore covers the extension.
    configuration.timeout = min(JourneyConfiguration.timeouts.upperBound, max(30, 2 * request.lifetime))
    configuration.startBy = JourneyConfiguration.startTimes.upperBound
    journey = try JourneyController(
      engine: server.engine, configuration: configuration, at: Self.time(epoch, server.clock))
    page = Lock(PageState(journey.snapshot, expires: expires, at: server.clock.monotonic))
  }

  /// Returns the hash by which an operator verifies the nonce of the result.
  static func commitment(_ nonce: [UInt8]) -> String { "sha256:" + sha256(Array("faceverify request v1".utf8) + nonce) }

  var snapshot: JourneySnapshot { page.read(\.snapshot) }
  var state: JourneyState { snapshot.state }
  var isFinished: Bool { state == .finished }

  // MARK: Calls

  /// - Throws: ``Problem``, with the current view.
  func perform(_ calls: [JSONValue]) throws -> JSONValue {
    guard (1...16).contains(calls.count) else {
      throw Problem(400, "A request makes 1 to 16 calls, not \(calls.count).")
    }
    guard calls.count(where: { $0["call"]?.string == "consent" }) <= 1 else {
      throw Problem(400, "A request may contain one consent only.")
    }
    // A call on this device voids the offer.
    page.withLock { $0.offer = nil }
    return try answer { for call in calls { try perform(call) } }
  }

  /// Makes a change, and returns the view that follows it.
  ///
  /// - Throws: ``Problem``, with the current view.
  func answer(_ change: () throws -> Void) throws -> JSONValue {
    do { try change() } catch { throw problem(error) }
    return view()
  }

  /// The response to an error, with the current view.
  func problem(_ error: any Error) -> Problem {
    var problem = Problem.of(error)
    problem.members["view"] = view()
    return problem
  }

  private func perform(_ json: JSONValue) throws {
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
    if kind == .consent { return try consent(json) }
    if kind == .startPart { return try startPart(json) }
    let call = try JourneyCall(kind, json)
    if [.resume, .retryPart, .retry, .fallback].contains(kind), snapshot.part?.part == .face { try enter(for: kind) }
    try make(call)
    if declined != .null {
      try make(.decline)
      decline("movement")
    }
  }

  private func decline(_ what: String) {
    page.withLock { $0.transport.declined.append(what) }
    server.audit("declined", ["what": .string(what)])
  }

  /// Minimum reading time in seconds: an earlier consent is rejected.
  private static let leastReading = 1.0

  private func consent(_ json: JSONValue) throws {
    let (call, now) = (try JourneyCall(.consent, json), now)
    guard let shown = page.read(\.consentShown), now - shown >= Self.leastReading else {
      throw LogicalError.needToConsentFirst
    }
    let given: JSONValue = ["item": json["item"] ?? .null, "isGiven": json["isGiven"] ?? .null]
    // Appended first, because the call may end the session and its result lists this decision; removed if the journey
    // rejects it.
    page.withLock { $0.decisions.append(given.with("at", .string(timestamp(now)))) }
    do {
      try make(call) { server.audit("consent", given) }
    } catch {
      page.withLock { _ = $0.decisions.removeLast() }
      throw error
    }
  }

  private func startPart(_ json: JSONValue) throws {
    let isFace = json["part"]?.string == JourneyPart.face.rawValue
    let camera = json["camera"] ?? .null
    let label = String((camera["label"]?.string ?? "").prefix(200))
    let isListed = camera["isListed"]?.bool
    let isUnknown = !isFace || label.isEmpty && isListed == nil
    let facts = isUnknown || server.trustsCameraLabels ? nil : CameraFacts(browserLabel: label, isListed: isListed)
    let call = try JourneyCall(.startPart, json.with("camera", facts?.jsonValue ?? .null))
    guard isFace else { return try make(call) }
    try enter(for: .startPart)
    try make(call) {
      let isLit = request.isLit && json["light"]?.bool ?? true
      page.withLock { page in
        page.isLit = isLit
        page.transport.attempts += 1
        page.transport.camera = [
          "label": .string(label), "facingMode": short(camera["facingMode"]), "width": whole(camera["width"]),
          "height": whole(camera["height"]), "frameRate": whole(camera["frameRate"]),
          "devices": whole(camera["devices"]), "isListed": isListed.map(JSONValue.bool) ?? .null,
          "clock": short(json["clock"]),
        ]
      }
      if request.isLit && !isLit { decline("light") }
    }
  }

  private func short(_ value: JSONValue?) -> JSONValue { value?.string.map { .string(String($0.prefix(32))) } ?? .null }
  private func whole(_ value: JSONValue?) -> JSONValue { value?.double.map { .number($0.rounded()) } ?? .null }

  /// Takes one of the server's places for attempts, or keeps the one that this page has.
  ///
  /// - Throws: ``LogicalError`` if the journey would refuse the call; a ``Problem`` if all places are taken.
  func enter(for call: JourneyCall.Kind) throws {
    if let error = JourneyTable.error(call, in: state) { throw error }
    if let before = server.enter(id) {
      throw Problem(
        503, "All places for attempts are taken: try again.", code: .transport, retryAfter: 4,
        members: ["position": .integer(before)])
    }
    page.withLock { $0.hasPlace = true }
  }

  /// Performs a call of the journey, and does what is due then.
  ///
  /// - Parameter taken: called if the journey accepted the call, before the rest.
  func make(_ call: JourneyCall, taken: () -> Void = {}) throws {
    guard !page.read(\.isOver) else { throw Problem.ended }
    defer { follow() }
    try journey.perform(call, at: now)
    taken()
  }

  private func follow() {
    for due in page.withLock({ $0.follow(journey) }) {
      switch due {
      case .began: server.began()
      case .leave: server.leave(id)
      case .stop(let reading): reading.stop()
      case .count: countAttempt()
      case .end(let result): end(result)
      }
    }
  }

  /// Counts the attempt before its first prompt is shown. Beyond the person's limit, the session ends instead.
  private func countAttempt() {
    if server.attempt() { return page.withLock { $0.prompt = .counted } }
    endRefused()
  }

  private func endRefused() {
    try? make(.report(JourneyError.Code(rawValue: "C000429")))
    try? make(.cancel)
  }

  /// Ends the session when its turn comes: the person's attempts of the day are used up.
  func refuse() {
    turns.take { [self] in
      endRefused()
      turns.give()
    }
  }

  private func end(_ result: JourneyResult) {
    server.metrics.count(
      "fv_attempts_total", "result=\"\(result.error == nil ? result.result.rawValue : "not-finished")\"")
    server.ended(self, result, page.read { $0.transport.jsonValue($0.attempt.clock) })
    page.withLock { $0.isReported = true }
  }

  var nonce: [UInt8] { journey.configuration.nonce ?? [] }
  var selfie: PixelBuffer? { journey.result?.credentials.lazy.compactMap { $0.face?.liveness.selfie?.picture }.first }

  /// Each consent decision, with the hash of the text that was shown.
  var consents: JSONValue {
    .array(
      page.read(\.decisions).map { decision in
        let items = journey.configuration.consents
        let item = decision["item"]?.integer ?? -1
        return decision.with(
          "textHash", items.indices.contains(item) ? .string("sha256:" + sha256(items[item].text.utf8)) : .null)
      })
  }

  /// Wipes the personal data of a session whose result was handed over. The page can still be shown.
  func clear() {
    let isDue = page.withLock { page in
      guard page.isReported, let result = page.snapshot.result else { return false }
      (page.result, page.snapshot) = (shown(result), page.snapshot.cleared)
      return true
    }
    if isDue { try? journey.clear() }
  }

  // MARK: Time

  /// Ends what has timed out. During a change of the journey, the next tick is early enough.
  func tick() {
    guard turns.tryTake() else { return }
    defer { turns.give() }
    let page = page.read(\.self)
    guard !page.isOver else { return }
    if now > page.expires {
      try? make(.report(.sessionOver))
      try? make(.cancel)
      return
    }
    if page.isSilent(at: server.clock.monotonic) { interruptPart(.gap) }
    try? make(.tick)
  }

  /// Extends the session once by its lifetime (WCAG 2.2, 2.2.1).
  func extend() throws -> (view: JSONValue, expires: Double) {
    let expires = try page.withLock { page in
      guard !page.isExtended, !page.isOver else { throw Problem(409, "The session was already extended.") }
      page.isExtended = true
      page.expires += request.lifetime
      return page.expires
    }
    return (view(), expires)
  }

  /// - Parameter isElsewhere: for a device that the session was handed off from.
  func show(isElsewhere: Bool = false) -> JSONValue { isElsewhere ? watched() : view() }
}
