internal import FaceVerify
internal import FaceVerifyBase

/// The session of one page: its journey and statistics of its frame transport. Thread-safe; requests are serialised.
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
    let trustsCameraLabels: Bool
    /// Origins of the pages that may embed this one and exchange messages with it.
    let embedding: [String]
    let audit: @Sendable (_ kind: String, _ detail: JSONValue) -> Void
    let began: @Sendable () -> Void
    /// Receives the result and the transport statistics.
    let ended: @Sendable (PageSession, JourneyResult, JSONValue) -> Void
  }

  let id: String
  let tenant: String
  let request: SessionRequest
  private let server: Surroundings
  private let journey: JourneyController
  private let lock = Lock(())
  /// What has arrived and is not answered yet, and when a batch of frames last arrived.
  private let arrivals = Lock(Arrivals())

  // Protected by `lock`, like everything below.
  private var expires: Double
  private var latest: Double
  private var isExtended = false
  private var expected = 1
  private var taken = 0
  private var refused = 0
  private var last: (sequence: Int, answer: JSONValue)?
  /// The current try at a face, and what identifies it: each start, retry and fallback begins another one.
  private var attempt = Attempt()
  private var attemptName: String?
  /// Whether this page holds one of the server's places for attempts.
  private var hasPlace = false
  /// Frames that may be analysed now, and when that was counted.
  private var allowance = (frames: PageSession.burst, at: steadyClock())
  private var transport = Transport()
  /// Pixels of the last frame.
  private var frameSize = (width: 1.0, height: 1.0)
  private var consentShown: Double?
  private var events: [JSONValue] = []
  private var decisions: [JSONValue] = []
  private var advice: String?
  private var rejections: [String] = []
  private var retryReason: String?
  private var shownError: JourneyError?
  /// Whether the screen lights the face; the person may decline.
  private var isLit = false
  private var isOver = false

  private struct Arrivals {
    var last = -Double.infinity
    var batches = 0
    var checks = 0
  }

  /// Its own tenant's others wait for its checks: a person makes one at a time.
  private static let maximumChecks = 4

  /// The stream and the light of one try at a face.
  private struct Attempt {
    var clock = StreamClock()
    /// When the last batch was answered, on ``steadyClock()``, and the last frame in it was taken, on the stream's.
    var lastAnswer: (at: Double, seconds: Double)?
    var lastFrame: Double?
    /// When the first frame was taken: the first colour is due from then on.
    var lightBegin: Double?
    var colours = ShownColours()
  }

  /// What an operator is told of the frames' way.
  private struct Transport {
    var frames = 0
    var bytes = 0
    var batches = 0
    var hidden = 0
    var gaps = 0
    var attempts = 0
    var faults: [String] = []
    /// What the person declined: `light`, `movement`.
    var declined: [String] = []
    var camera: JSONValue = .null
    var clock: JSONValue = .null
    var answerSeconds: [Double] = []
    /// The worst of the tries before the current one, in seconds.
    var worstLag = 0.0
    var longestGap = 0.0
    var serverDelay = 0.0
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
  static func commitment(_ nonce: [UInt8]) -> String {
    "sha256:" + sha256(Array("faceverify request v1".utf8) + nonce)
  }

  var isFinished: Bool { journey.state == .finished }
  var state: JourneyState { journey.state }

  // MARK: Calls

  /// - Throws: ``Problem``, with the current view.
  func perform(_ calls: [JSONValue], at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      guard (1...16).contains(calls.count) else {
        throw Problem(400, "a request makes 1 to 16 calls, not \(calls.count)")
      }
      guard calls.count(where: { $0["call"]?.string == "consent" }) <= 1 else {
        throw Problem(400, "each item is consented to by a request of its own")
      }
      do {
        for call in calls { try perform(call, at: now) }
      } catch {
        throw problem(error, at: now)
      }
      return view(at: now)
    }
  }

  private func problem(_ error: any Error, at now: Double) -> Problem {
    var problem =
      switch error {
      case let error as Problem: error
      case let error as LogicalError: Problem(error)
      case let error as VerifyError: Problem(error)
      default: Problem(500, "The server could not do it; its log has the reason.", code: .resources)
      }
    problem.members["view"] = view(at: now)
    return problem
  }

  private func perform(_ json: JSONValue, at now: Double) throws {
    guard let name = json["call"]?.string, let kind = JourneyCall.Kind(rawValue: name) else {
      throw Problem(400, "there is no call \"\((json["call"]?.string ?? "").prefix(32))\"")
    }
    if kind == .consent { return try consent(json, at: now) }
    if kind == .startPart { return try startPart(json, at: now) }
    let call: JourneyCall? =
      switch kind {
      case .consent, .startPart: nil
      case .startCredential: .startCredential(try integer("credential", of: json))
      case .configure: .configure(try choice(json))
      case .report: .report(JourneyError.Code(rawValue: try text("code", of: json)))
      default: JourneyCall(plain: kind)
      }
    guard let call else { throw Problem(400, "frames, photos and chips have addresses of their own") }
    let declined = json["declined"] ?? .null
    guard declined == .null || declined.string == "movement" && (kind == .finishPart || kind == .fallback) else {
      throw Problem(400, "\"declined\" is \"movement\", with finish-part or fallback")
    }
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

  private func text(_ name: String, of json: JSONValue) throws -> String {
    guard let text = json[name]?.string, text.utf8.count <= 200 else {
      throw Problem(400, "the call needs \"\(name)\", a text")
    }
    return text
  }

  private func integer(_ name: String, of json: JSONValue) throws -> Int {
    guard let number = json[name]?.integer else { throw Problem(400, "the call needs \"\(name)\", a whole number") }
    return number
  }

  private func choice(_ json: JSONValue) throws -> DocumentChoice {
    guard let variant = DocumentVariant(rawValue: try text("variant", of: json)) else {
      throw Problem(400, "this is none of the choices: the view has all of them")
    }
    return DocumentChoice(
      country: try text("country", of: json), type: DocumentType(rawValue: try text("type", of: json)), variant: variant
    )
  }

  /// Minimum reading time in seconds: an earlier consent is rejected.
  private static let leastReading = 1.0

  private func consent(_ json: JSONValue, at now: Double) throws {
    guard let isGiven = json["isGiven"]?.bool else { throw Problem(400, "the call needs \"isGiven\", true or false") }
    guard let consentShown, now - consentShown >= Self.leastReading else { throw LogicalError.needToConsentFirst }
    let item = try integer("item", of: json)
    // Appended first, because the call may end the session and its result lists this decision; removed if the journey
    // rejects it.
    decisions.append(["item": .integer(item), "isGiven": .bool(isGiven), "at": .string(timestamp(now))])
    do {
      try make(.consent(item: item, isGiven: isGiven), at: now) {
        server.audit("consent", ["item": .integer(item), "isGiven": .bool(isGiven)])
      }
    } catch {
      decisions.removeLast()
      throw error
    }
  }

  private func startPart(_ json: JSONValue, at now: Double) throws {
    guard let part = JourneyPart(rawValue: try text("part", of: json)) else {
      throw Problem(400, "there is no such part")
    }
    var mode: ScanMode?
    if let name = json["mode"]?.string {
      guard let known = ScanMode(rawValue: name) else { throw Problem(400, "there is no mode \"\(name.prefix(32))\"") }
      mode = known
    }
    guard part == .face else { return try make(.startPart(part, mode: mode), at: now) }
    try enter(for: .startPart)
    let camera = json["camera"] ?? .null
    let label = String((camera["label"]?.string ?? "").prefix(200))
    let facts = label.isEmpty || server.trustsCameraLabels ? nil : CameraFacts(browserLabel: label)
    try make(.startPart(part, mode: mode, camera: facts), at: now) {
      transport.attempts += 1
      isLit = request.isLit && json["light"]?.bool ?? true
      if request.isLit && !isLit { decline("light") }
      transport.camera = [
        "label": .string(label), "facingMode": short(camera["facingMode"]), "width": whole(camera["width"]),
        "height": whole(camera["height"]), "frameRate": whole(camera["frameRate"]), "devices": whole(camera["devices"]),
        "clock": short(json["clock"]),
      ]
    }
  }

  /// Takes one of the server's places for attempts, or keeps the one that this page has.
  ///
  /// - Throws: ``LogicalError`` if the journey would refuse the call; a ``Problem`` if all places are taken.
  private func enter(for call: JourneyCall.Kind) throws {
    if let error = JourneyTable.error(call, in: journey.state) { throw error }
    if let before = server.enter(id) {
      var problem = Problem(503, "All places are taken: try again in a moment.", code: .transport, retryAfter: 4)
      problem.members["position"] = .integer(before)
      throw problem
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
  private func make(_ call: JourneyCall, at now: Double, taken: () -> Void = {}) throws {
    guard !isOver || call.kind == .tick else { throw Problem.over("This session is over: ask for a new one.") }
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
    if state == .finished && !isOver, let result = journey.result { end(result, at: now) }
  }

  /// Begins anew with each try at a face, and keeps a place only while one is scanned. A try that goes on after a pause or
  /// an error keeps its clock: its challenges are the same.
  private func followAttempt() {
    let progress = journey.progress
    let part = progress.part.flatMap { $0.part == .face ? $0 : nil }
    if part == nil || journey.state != .scanning { leave() }
    let name = part.map { "\(progress.active ?? -1) \($0.mode.rawValue) \($0.tries)" }
    guard name != attemptName else { return }
    attemptName = name
    transport.worstLag = max(transport.worstLag, attempt.clock.worstLag)
    transport.longestGap = max(transport.longestGap, attempt.clock.longestSeenGap)
    transport.serverDelay = max(transport.serverDelay, attempt.clock.worstBacklog)
    // The rate of the last try stays when it has ended.
    if name != nil { attempt = Attempt() }
  }

  private func end(_ result: JourneyResult, at now: Double) {
    isOver = true
    leave()
    server.metrics.count(
      "fv_attempts_total", "result=\"\(result.error == nil ? result.result.rawValue : "not-finished")\"")
    server.ended(self, result, transportValue)
  }

  /// Returns the record's body; must be called before the session is cleared.
  func recordBody() throws -> JSONValue { try journey.recordBody() }
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

  private var transportValue: JSONValue {
    let times = transport.answerSeconds.sorted()
    func at(_ share: Double) -> JSONValue {
      times.isEmpty ? .null : .rounded(times[min(times.count - 1, Int(share * Double(times.count)))], 3)
    }
    return [
      "frames": .integer(transport.frames), "bytes": .integer(transport.bytes), "batches": .integer(transport.batches),
      "refused": .integer(refused), "hidden": .integer(transport.hidden), "dropped": .integer(transport.gaps),
      "attempts": .integer(transport.attempts), "faults": .array(transport.faults.map(JSONValue.string)),
      "declined": .array(transport.declined.map(JSONValue.string)),
      "camera": transport.camera, "worstLag": .rounded(max(transport.worstLag, attempt.clock.worstLag), 2),
      "longestGap": .rounded(max(transport.longestGap, attempt.clock.longestSeenGap), 2),
      "serverDelay": .rounded(max(transport.serverDelay, attempt.clock.worstBacklog), 2),
      "clockRate": .rounded(attempt.clock.rate, 4),
      "answerSeconds": ["median": at(0.5), "p95": at(0.95)],
    ]
  }

  // MARK: Frames, photos, chips

  private var limits: FrameBatch.Limits? {
    guard journey.state == .scanning || journey.state == .paused, let part = journey.progress.part else { return nil }
    switch part.mode {
    case .liveness, .strict, .passive, .faceManual: return .face
    case .docFinder, .manual, .barcode: return .document
    default: return nil
    }
  }

  /// Maximum allowance in frames: a page's queue while the server does not respond, and one batch.
  private static let burst = 32.0

  /// Consumes one frame of the page's allowance, which bounds its CPU use: cameras send 12 frames per second, or 3.
  ///
  /// - Returns: whether the frame may be analysed.
  private func mayAnalyse(_ limits: FrameBatch.Limits) -> Bool {
    let now = steadyClock()
    let frames = min(Self.burst, allowance.frames + (now - allowance.at) * 2.5 * Double(limits.framesPerSecond))
    allowance = (max(0, frames - 1), now)
    return frames >= 1
  }

  /// A request arrived, and may wait for its turn; to be followed by ``answered(isBatch:isCheck:)``.
  ///
  /// - Returns: whether it may wait.
  func arrived(isBatch: Bool, isCheck: Bool, at now: Double) -> Bool {
    arrivals.withLock { arrivals in
      if isBatch {
        arrivals.last = now
        arrivals.batches += 1
      }
      if isCheck { arrivals.checks += 1 }
      return !isCheck || arrivals.checks <= Self.maximumChecks
    }
  }

  func answered(isBatch: Bool, isCheck: Bool) {
    arrivals.withLock { arrivals in
      if isBatch { arrivals.batches -= 1 }
      if isCheck { arrivals.checks -= 1 }
    }
  }

  /// Whether it takes frames of something other than a face: they are read like photos, and cost as much.
  var takesDocuments: Bool { journey.progress.part.map { $0.part != .face } ?? false }

  /// - Parameter received: arrival time of the batch on ``steadyClock()``.
  func add(_ bytes: [UInt8], received: Double, at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      // Frames that were already processed are skipped, even if the part has ended since.
      let limits = limits
      let batch = try FrameBatch(bytes, limits: limits ?? .face)
      guard let first = batch.frames.first, let final = batch.frames.last else { return view(at: now) }
      if let last, final.sequence <= last.sequence { return last.answer }
      guard first.sequence <= expected else {
        var problem = Problem(409, "Frames are missing before frame \(first.sequence): go on with frame \(expected).")
        problem.members["expectedSeq"] = .integer(expected)
        throw problem
      }
      guard let limits else {
        expected = final.sequence + 1
        throw problem(LogicalError.deadScanPart, at: now)
      }
      let fresh = batch.frames.filter { $0.sequence >= expected }
      let photos = try fresh.map { try photo($0, limits) }
      if journey.state == .scanning, journey.progress.part?.part == .face, photos.contains(where: { $0 != nil }) {
        // Its place may be another page's if no frames came for a while.
        do { try enter(for: .frame) } catch { throw problem(error, at: now) }
      }
      let begin = steadyClock()
      transport.batches += 1
      transport.bytes += bytes.count
      for (frame, photo) in zip(fresh, photos) {
        expected = frame.sequence + 1
        guard journey.state == .scanning else { continue }
        do {
          guard let photo, mayAnalyse(limits) else { throw VerifyError(.damaged, "not analysed") }
          try add(frame, photo, received: received, at: now)
        } catch let error as VerifyError where [.badArgument, .damaged, .unknownFormat, .tooLarge].contains(error.code)
        {
          refused += 1
          server.metrics.count("fv_frames_total", "outcome=\"refused\"")
        } catch {
          throw problem(error, at: now)
        }
      }
      let end = steadyClock()
      attempt.clock.answered(
        after: end - max(received, attempt.lastAnswer?.at ?? received),
        span: max(0, final.seconds - (attempt.lastAnswer?.seconds ?? first.seconds)))
      attempt.lastAnswer = (end, final.seconds)
      transport.answerSeconds.append(end - begin)
      if transport.answerSeconds.count > 2000 { transport.answerSeconds.removeFirst(1000) }
      let answer = view(at: now)
      last = (final.sequence, answer)
      return answer
    }
  }

  /// Parses a frame's header; nil if it is unreadable.
  ///
  /// - Throws: a ``Problem`` if the frame has more pixels than allowed: its cost would affect all sessions.
  private func photo(_ frame: FrameBatch.Frame, _ limits: FrameBatch.Limits) throws -> Photo? {
    do {
      return try Photo(bytes: Array(frame.picture), limits: ImageLimits(maximumPixels: limits.maximumPixels))
    } catch let error as VerifyError where error.code == .tooLarge {
      throw Problem(
        413,
        "Frame \(frame.sequence) has more than \(limits.maximumPixels) pixels: send frames as frames.shortSide says.")
    } catch {
      return nil
    }
  }

  private func add(_ frame: FrameBatch.Frame, _ photo: Photo, received: Double, at now: Double) throws {
    let begin = steadyClock()
    let isFace = journey.progress.part?.part == .face
    if frame.wasHidden { transport.hidden += 1 }
    if frame.hasGap { transport.gaps += 1 }
    if isFace {
      if let fault = frame.wasHidden ? .hidden : attempt.clock.add(frame.seconds, received: received) {
        return interruptPart(fault, at: now)
      }
    }
    let picture = try photo.pixels()
    frameSize = (Double(picture.width), Double(picture.height))
    let colour = frame.light.flatMap { self.colour($0, arrived: now - max(0, begin - received)) }
    taken += 1
    transport.frames += 1
    attempt.lastFrame = now
    if isFace && attempt.lightBegin == nil { attempt.lightBegin = now }
    try make(
      .frame(
        JourneyFrame(
          picture, time: frame.seconds, received: isFace ? attempt.clock.received : nil,
          screenColour: isLit && isFace ? colour : nil)), at: now)
    server.metrics.count("fv_frames_total", "outcome=\"taken\"")
    server.metrics.observe("fv_frame_seconds", "", steadyClock() - begin)
  }

  /// The colour that a frame claims; nil if it cannot have been lit by it.
  private func colour(_ index: Int, arrived: Double) -> SIMD3<Double>? {
    let colours = journey.colours
    guard colours.indices.contains(index), attempt.colours.mayLight(index, arrived, backlog: attempt.clock.backlog)
    else { return nil }
    return colours[index].colour
  }

  /// Ends the try: what came cannot be believed to be live. The next one has other challenges.
  private func interruptPart(_ fault: StreamClock.Fault, at now: Double) {
    transport.faults.append(fault.rawValue)
    server.audit("attempt-interrupted", ["reason": .string(fault.rawValue)])
    server.metrics.count("fv_attempts_total", "result=\"interrupted\"")
    try? make(.cancelPart, at: now)
    events.append(["event": "interrupted", "reason": .string(fault.rawValue), "at": .number(now)])
  }

  func attach(_ bytes: [UInt8], at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      do {
        let photo = try Photo(bytes: bytes, limits: .upload)
        try FaceServer.working(on: [photo]) { try make(.attach(photo), at: now) }
      } catch {
        throw problem(error, at: now)
      }
      return view(at: now)
    }
  }

  func attachChip(_ form: Multipart, at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      do {
        try make(.attachChip(form.chip(form.parts)), at: now)
      } catch {
        throw problem(error, at: now)
      }
      return view(at: now)
    }
  }

  /// Returns the picture that the person is asked to confirm.
  func picture() throws -> PixelBuffer {
    guard let photo = journey.picture else { throw Problem.unknown }
    return try FaceServer.working(on: [photo]) {
      try photo.pixels(reduction: [1, 2, 4].first { max(photo.width, photo.height) / $0 <= 1280 } ?? 8)
    }
  }

  // MARK: Time

  /// Advances the time.
  func tick(at now: Double) {
    lock.withLock { _ in
      guard !isOver else { return }
      if now > expires { return halt(at: now) }
      if journey.state == .scanning, journey.progress.part?.part == .face, let lastFrame = attempt.lastFrame {
        // Frames that wait for a thread are the server's delay.
        let arrivals = self.arrivals.withLock { $0 }
        if arrivals.batches == 0, now - max(lastFrame, arrivals.last) > Admission.patience {
          interruptPart(.gap, at: now)
        }
      }
      try? make(.tick, at: now)
    }
  }

  private func halt(at now: Double) {
    try? make(.report(.sessionOver), at: now)
    try? make(.cancel, at: now)
  }

  func cancel(at now: Double) {
    lock.withLock { _ in if !isOver { try? make(.cancel, at: now) } }
  }

  /// Extends the session once by its lifetime (WCAG 2.2, 2.2.1).
  func extend(at now: Double) throws -> (view: JSONValue, expires: Double) {
    try lock.withLock { _ in
      guard !isExtended, !isOver else { throw Problem(409, "The time was extended already.") }
      isExtended = true
      expires += request.lifetime
      return (view(at: now), expires)
    }
  }

  func show(at now: Double) -> JSONValue { lock.withLock { _ in view(at: now) } }
}

// MARK: What the page shows

extension PageSession {
  /// Everything that a page needs to render the journey's state; no scores, no checks, and only those reasons that help
  /// the person.
  private func view(at now: Double) -> JSONValue {
    let progress = journey.progress
    let state = journey.state
    if state == .consenting, consentShown == nil { consentShown = now }
    defer { events = [] }
    return [
      "state": .string(state.rawValue),
      "session": [
        "workflowExecutionId": .string(id), "expires": .string(timestamp(expires)),
        "secondsLeft": .rounded(max(0, expires - now), 1), "mayExtend": .bool(!isExtended && !isOver),
      ],
      "ui": PhotoRecord.with("light", .bool(request.isLit), in: request.ui),
      "consents": .array(
        journey.configuration.consents.enumerated().map { index, item in
          [
            "text": .string(item.text), "url": item.url.map(JSONValue.string) ?? .null,
            "link": item.link.map(JSONValue.string) ?? .null, "isActive": .bool(item.isActive),
            "decision": progress.decisions[index].map(JSONValue.bool) ?? .null,
          ]
        }),
      "credentials": .array(zip(journey.configuration.requests, progress.credentials).map(credential)),
      "credential": progress.active.map(JSONValue.integer) ?? .null,
      "choices": state == .configuring
        ? .array(progress.active.map { journey.choices($0).map(\.jsonValue) } ?? []) : .null,
      "part": part(progress, at: now),
      "frames": frames, "taken": .integer(taken), "refused": .integer(refused), "expectedSeq": .integer(expected),
      "feedback": feedback, "light": light(at: now),
      "events": .array(events),
      "advice": state == .advising ? .string(advice ?? "") : .null,
      "rejections": .array(state == .rejected ? rejections.map(JSONValue.string) : []),
      "codeFault": progress.part?.codeFault.map { .string($0.rawValue) } ?? .null,
      "retry": state == .retrying ? retryReason.map(JSONValue.string) ?? .null : .null,
      "hasPicture": .bool(state == .confirming),
      "error": (shownError ?? journey.result?.error)?.jsonValue ?? .null,
      "result": journey.result.map(shown) ?? .null,
      "embedding": .array(server.embedding.map(JSONValue.string)),
    ]
  }

  private func credential(_ request: JourneyConfiguration.Request, _ progress: JourneyProgress.Credential) -> JSONValue
  {
    guard case .object(var members) = request.jsonValue else { return .null }
    func names(_ parts: [JourneyPart]) -> JSONValue { .array(parts.map { .string($0.rawValue) }) }
    members["isDone"] = .bool(progress.isDone)
    members["choice"] = progress.choice?.jsonValue ?? .null
    members["parts"] = names(progress.parts)
    members["open"] = names(progress.open)
    members["optional"] = names(progress.optional)
    let modes = request.category == .face ? journey.configuration.faceModes : journey.configuration.documentModes
    members["modes"] = .array(modes.map { .string($0.rawValue) })
    return .object(members)
  }

  private func part(_ progress: JourneyProgress, at now: Double) -> JSONValue {
    guard let part = progress.part else { return .null }
    return [
      "part": .string(part.part.rawValue), "side": .string(part.side.rawValue), "mode": .string(part.mode.rawValue),
      "try": .integer(part.tries), "tries": .integer(journey.configuration.maximumTries),
      "fallback": journey.fallback.map { .string($0.rawValue) } ?? .null,
      "isShutterDue": .bool(journey.isShutterEnabled),
      "secondsLeft": part.deadline.map { .rounded(max(0, $0 - now), 1) } ?? .null,
    ]
  }

  private var frames: JSONValue {
    guard let limits else { return .null }
    let isFace = limits.maximumFrames > 1
    return [
      "fps": .integer(isFace ? server.pace() : limits.framesPerSecond), "quality": .number(limits.quality),
      "shortSide": .integer(limits.shortSide), "maxBytes": .integer(limits.maximumFrameBytes),
      "maxBatch": .integer(limits.maximumFrames),
    ]
  }

  private var feedback: JSONValue {
    guard let feedback = journey.feedback, journey.progress.part?.part == .face else { return .null }
    return [
      "hint": feedback.hint.map { .string($0.rawValue) } ?? .null,
      "text": feedback.hint.map { .string($0.text) } ?? .null,
      "secondsLeft": .rounded(feedback.secondsLeft, 1),
      "challenge": feedback.challenge.map { .string($0.rawValue) } ?? .null,
      "phase": feedback.phase.map { .string($0.rawValue) } ?? .null,
      "progress": .rounded(feedback.progress, 2),
      "answers": .array(feedback.answers.map { .string($0.challenge.rawValue) }),
      "face": feedback.face.map(place) ?? .null,
    ]
  }

  /// The extent of a face (forehead, cheeks, chin) as fractions of the frame; its bounding box if there is no mesh.
  private func place(_ face: Face) -> JSONValue {
    let points = face.landmarks.mesh?.points ?? []
    let xs = points.isEmpty ? [face.box.x, face.box.x + face.box.width] : points.map(\.x)
    let ys = points.isEmpty ? [face.box.y, face.box.y + face.box.height] : points.map(\.y)
    let (left, right) = ((xs.min() ?? 0) / frameSize.width, (xs.max() ?? 0) / frameSize.width)
    let (top, bottom) = ((ys.min() ?? 0) / frameSize.height, (ys.max() ?? 0) / frameSize.height)
    return [
      "x": .rounded(left, 3), "y": .rounded(top, 3), "width": .rounded(right - left, 3),
      "height": .rounded(bottom - top, 3),
    ]
  }

  /// The colour that is due now; the page never receives the whole sequence.
  private func light(at now: Double) -> JSONValue {
    guard isLit, journey.state == .scanning, journey.progress.part?.part == .face, let begin = attempt.lightBegin else {
      return .null
    }
    let colours = journey.colours
    guard let index = colours.lastIndex(where: { $0.begin <= now - begin }),
      now - begin < colours[index].begin + colours[index].seconds
    else { return .null }
    let colour = colours[index].colour
    attempt.colours.show(index, at: now)
    return [
      "index": .integer(index), "rgb": [.number(colour.x), .number(colour.y), .number(colour.z)],
      "seconds": .rounded(colours[index].begin + colours[index].seconds - (now - begin), 1),
    ]
  }

  private func shown(_ result: JourneyResult) -> JSONValue {
    [
      "isComplete": .bool(result.isComplete),
      "result": request.showsResult && result.isComplete ? .string(result.result.rawValue) : .null,
      "assurance": request.showsResult ? result.assurance.jsonValue : .null,
      "error": result.error?.jsonValue ?? .null,
      "reasons": request.showsResult ? .array(result.reasons.map { .string($0.text) }) : .null,
    ]
  }
}
