package import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Sessions, keys, limits and answers, without HTTP: a framework hands requests over on any thread. What is asked of a person and
/// what comes of it is a `JourneyController`'s alone; this keeps it, and lets in who may.
package final class FaceServer: Sendable {
  package let configuration: ServerConfiguration
  package let log = ServerLog()
  let store: ServerStore
  let engine: FaceEngine
  let signingKey: SigningKey
  let metrics = Metrics()
  let assets: Assets
  let capacity: Int

  private let live = Lock(Live())
  private let admission: Lock<Admission>
  private let limits: Lock<Limits>
  /// Set once the port is known.
  private let address = Lock("")

  /// What this process alone knows.
  private struct Live {
    var sessions: [String: PageSession] = [:]
    /// By the digest of the page's token.
    var tokens: [String: String] = [:]
    /// When a finished session is forgotten.
    var ends: [String: Double] = [:]
    var selfies: [String: (picture: PixelBuffer, until: Double)] = [:]
    var isDraining = false
    var isStopping = false
    var lastSweep = 0.0
  }

  struct Limits {
    /// Sessions that one key makes.
    var key = RateLimit(burst: 20, perSecond: 10)
    /// Sessions and pages that one address opens, and what it gets wrong.
    var address = RateLimit(burst: 30, perSecond: 0.5)
    /// Requests of one page: two for each batch of frames that a camera of 12 a second gives.
    var session = RateLimit(burst: 60, perSecond: 20)
  }

  /// Seconds from one sign of life of a node to where others take it for dead.
  private static let heartbeat = 15.0
  /// A page may ask for the end of its session so long.
  private static let remembrance = 60.0
  /// Sessions of one person that may fail in a day.
  static let failuresADay = 10

  /// Opens the database, measures what an attempt costs, and leaves nothing running.
  ///
  /// - Parameter face: a picture of some face, to measure with.
  package init(_ configuration: ServerConfiguration, engine: FaceEngine, face: PixelBuffer) throws {
    try configuration.check()
    (self.configuration, self.engine) = (configuration, engine)
    try RegularFile.makeFolder(configuration.dataFolder)
    chmod(configuration.dataFolder, 0o700)
    store = try ServerStore(configuration.database ?? configuration.dataFolder + "/server.sqlite")
    signingKey = try Self.signingKey(configuration.dataFolder)
    assets = try Assets(folder: configuration.pageFolder)
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let cost = configuration.capacity == nil ? try Self.cost(of: engine, face) : 1
    let admission = Admission(cores: cores, cost: cost, capacity: configuration.capacity)
    capacity = admission.capacity
    self.admission = Lock(admission)
    limits = Lock(Limits())
    for lost in try store.interruptAll(of: configuration.node, at: wallClock()) { try tell(lost, at: wallClock()) }
    log(
      .info, "ready to serve",
      [
        "models": engine.modelVersion.set.rawValue, "version": FaceVerifyVersion.string, "capacity": "\(capacity)",
        "costOfAttempt": "\((cost * 1000).rounded() / 1000)", "node": configuration.node,
        "signingKey": signingKey.publicKey.fingerprint,
      ])
  }

  /// Whether anybody may try it out: a key that is made while it runs ends that.
  var allowsDemonstration: Bool {
    get throws {
      switch configuration.demonstration {
      case .on: true
      case .off: false
      case .automatic: try configuration.isLoopback && store.keys().isEmpty
      }
    }
  }

  /// The key in the data folder; made there the first time.
  package static func signingKey(_ folder: String) throws -> SigningKey {
    let path = folder + "/signing.pem"
    if !RegularFile.exists(path) {
      let key = try PrivateKey(for: .signing)
      try key.write(to: path)
      try RegularFile.write(Array(key.publicKey.pem.utf8), to: folder + "/signing.pub.pem")
    }
    return try SigningKey(PrivateKey(path: path))
  }

  /// Seconds of a core for one second of an attempt, over two seconds of one face, with a quarter more for decoding and
  /// challenges.
  private static func cost(of engine: FaceEngine, _ picture: PixelBuffer) throws -> Double {
    let rate = FrameBatch.Limits.face.framesPerSecond
    let session = try LivenessSession(engine: engine)
    // The first frame loads what the others use.
    try session.add(picture, at: 0)
    var begin = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin)
    for index in 1...2 * rate { try session.add(picture, at: Double(index) / Double(rate)) }
    var end = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
    return max(0.001, (Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9) / 2 * 1.25)
  }

  /// Where people reach it: known once it listens.
  package func listens(on port: Int) {
    let scheme = configuration.isSecure ? "https" : "http"
    address.withLock { $0 = configuration.publicURL ?? "\(scheme)://\(configuration.host):\(port)" }
  }

  package var publicAddress: String { address.withLock { $0 } }

  // MARK: Limits

  func take(_ limit: WritableKeyPath<Limits, RateLimit>, _ name: String) -> (left: Int, reset: Int, isAllowed: Bool) {
    limits.withLock { $0[keyPath: limit].take(name, at: steadyClock()) }
  }

  package var isDraining: Bool { live.withLock(\.isDraining) }
  package var runningAttempts: Int { admission.withLock { $0.count(at: steadyClock()) } }

  // MARK: Sessions

  func session(_ id: String) -> PageSession? { live.withLock { $0.sessions[id] } }
  func session(token digest: String) -> PageSession? {
    live.withLock { live in live.tokens[digest].flatMap { live.sessions[$0] } }
  }
  func selfie(_ id: String) -> PixelBuffer? { live.withLock { $0.selfies[id]?.picture } }

  func forget(_ id: String) {
    live.withLock { live in
      live.sessions[id] = nil
      live.selfies[id] = nil
      live.ends[id] = nil
    }
  }

  /// Leads a session from now on.
  ///
  /// - Returns: the page, and the token that it goes on with.
  func lead(_ row: ServerStore.Session, at now: Double, _ claim: (_ digest: String) throws -> Bool) throws -> (
    session: PageSession, token: String
  ) {
    var request = try read(row.request)
    request.journey.nonce = row.nonce
    let made = try PageSession(
      id: row.id, tenant: row.tenant, account: row.account, request: request, expires: row.expires, at: now,
      surroundings(row.id, row.tenant))
    let token = Token.make(.session)
    let digest = Token.digest(token)
    guard try claim(digest) else { throw Problem(409, "The page was opened already: ask for a new session.") }
    live.withLock {
      $0.sessions[row.id] = made
      $0.tokens[digest] = row.id
      $0.ends[row.id] = nil
    }
    return (made, token)
  }

  func read(_ json: JSONValue) throws -> SessionRequest {
    try SessionRequest(json, trust: configuration.trust, allowsScripts: configuration.allowsScripts)
  }

  private func surroundings(_ id: String, _ tenant: String) -> PageSession.Surroundings {
    PageSession.Surroundings(
      engine: engine, enter: { [self] id in admission.withLock { $0.enter(id, at: steadyClock()) } },
      leave: { [self] id in admission.withLock { $0.leave(id) } },
      pace: { [self] in admission.withLock { $0.pace(at: steadyClock()) } }, metrics: metrics,
      trustsCameraLabels: configuration.trustsCameraLabels, embedding: configuration.embedding,
      audit: { [self] kind, detail in audit(kind, tenant: tenant, session: id, detail) },
      began: { [self] in
        do { try store.begin(id) } catch {
          log(.error, "a session's state cannot be written: \(error)", ["session": id])
        }
      },
      ended: { [self] session, result, transport in end(session, result, transport) })
  }

  /// What cannot be written down is told in the log, and stops nobody before the camera.
  func audit(_ kind: String, tenant: String, session: String = "", _ detail: JSONValue = [:]) {
    do {
      try store.audit(kind, tenant: tenant, session: session, detail, at: wallClock())
    } catch {
      log(.error, "the audit cannot be written: \(error)", ["session": session])
    }
  }

  /// Signs what came of a session, keeps it for its operator, and forgets the rest.
  private func end(_ session: PageSession, _ result: JourneyResult, _ transport: JSONValue) {
    let now = wallClock()
    do {
      let outcome = result.isSuccess ? result.result.rawValue : "not-checked"
      let record = try DecisionRecord(body: session.recordBody(), signedBy: signingKey)
      let audited = try store.audit(
        "finished", tenant: session.tenant, session: session.id,
        [
          "result": .string(outcome), "error": result.error.map { .string($0.code.rawValue) } ?? .null,
          "record": .string("sha256:" + sha256(record.bytes)),
        ], at: now)
      let answer: JSONValue = [
        "workflowExecutionId": .string(session.id), "accountId": .string(result.accountID),
        "isSuccess": .bool(result.isSuccess), "result": .string(outcome), "error": result.error?.jsonValue ?? .null,
        "consents": session.consents, "transport": transport,
        "commitment": .string(PageSession.commitment(session.nonce)), "nonce": .string(hexadecimal(session.nonce)),
        "audit": ["sequence": .integer(audited.sequence), "head": .string("sha256:" + audited.hash)],
        "record": record.json,
      ]
      try store.end(
        session.id, of: configuration.node, outcome: outcome, result: answer,
        request: PhotoRecord.with("portrait", .null, in: session.request.json), at: now,
        wipeAt: now + session.request.resultSeconds)
      if session.request.imageSeconds > 0, let selfie = session.selfie {
        live.withLock { $0.selfies[session.id] = (selfie, now + session.request.imageSeconds) }
      }
      try announce(
        "session.finished", id: session.id, tenant: session.tenant, state: "finished",
        callback: session.request.callback, at: now)
      log(.info, "a session finished", ["session": session.id])
    } catch {
      log(.error, "a result could not be kept: \(error)", ["session": session.id])
    }
    live.withLock { $0.ends[session.id] = now + Self.remembrance }
  }

  /// Puts a webhook into the outbox, signed with every secret that the tenant has for that address.
  private func announce(_ event: String, id: String, tenant: String, state: String, callback: String?, at now: Double)
    throws
  {
    guard let callback else { return }
    let secrets = try store.keys().filter { key in
      key.tenant == tenant && key.revoked == nil && key.callbacks.contains { Self.allows($0, callback) }
    }.map(\.secret)
    guard !secrets.isEmpty else { return }
    let delivery = Self.identifier()
    let body: JSONValue = [
      "event": .string(event), "workflowExecutionId": .string(id), "state": .string(state),
      "at": .string(timestamp(now)),
      "id": .string(delivery),
    ]
    try store.enqueue(
      delivery, url: callback, body: String(decoding: body.canonical, as: UTF8.self),
      secret: secrets.joined(separator: " "),
      due: now)
  }

  /// Whether an address is the allowed one, or below it.
  static func allows(_ allowed: String, _ url: String) -> Bool {
    url == allowed || url.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
      || url.hasPrefix(allowed + "?")
  }

  /// A UUID (RFC 9562, 5.4).
  static func identifier() -> String { UUIDText.random() }

  // MARK: Time

  /// Lets time pass: to be called each second.
  package func sweep() {
    let now = wallClock()
    let (sessions, isDue) = live.withLock { live in
      for (id, end) in live.ends where end < now {
        live.sessions[id] = nil
        live.ends[id] = nil
      }
      live.tokens = live.tokens.filter { live.sessions[$0.value] != nil }
      live.selfies = live.selfies.filter { $0.value.until > now }
      let isDue = now - live.lastSweep >= 5
      if isDue { live.lastSweep = now }
      return (Array(live.sessions.values), isDue)
    }
    for session in sessions { session.tick(at: now) }
    for session in sessions where session.isFinished { session.clear() }
    guard isDue else { return }
    do {
      for lost in try store.sweep(at: now, node: configuration.node, heartbeat: Self.heartbeat) {
        try tell(lost, at: now)
      }
    } catch {
      log(.error, "the database cannot be swept: \(error)")
    }
  }

  private func tell(_ lost: ServerStore.Session, at now: Double) throws {
    audit(lost.state.rawValue, tenant: lost.tenant, session: lost.id)
    try announce(
      "session.\(lost.state.rawValue)", id: lost.id, tenant: lost.tenant, state: lost.state.rawValue,
      callback: lost.request["callbackUrl"]?.string, at: now)
  }

  /// What is to be sent now. Each is to be followed by ``delivered(_:)``.
  package func dueWebhooks() -> [Webhook] {
    let now = wallClock()
    do {
      return try store.takeDue(at: now, again: now + 120).map { Webhook($0, at: now) }
    } catch {
      log(.error, "the outbox cannot be read: \(error)")
      return []
    }
  }

  /// - Parameter isTaken: the receiver answered with 2xx.
  package func delivered(_ webhook: Webhook, isTaken: Bool) {
    metrics.count("fv_webhook_total", "outcome=\"\(isTaken ? "taken" : webhook.isLast ? "given-up" : "put-off")\"")
    do {
      if isTaken || webhook.isLast {
        try store.removeDelivery(webhook.id)
      } else {
        try store.putOff(webhook.id, to: wallClock() + webhook.patience)
      }
    } catch {
      log(.error, "the outbox cannot be written: \(error)")
    }
  }

  /// The operator wants it to stop: the first time no session begins from then on, the second time all end.
  package func signal() {
    let isFirst = live.withLock { live in
      if live.isDraining { live.isStopping = true }
      defer { live.isDraining = true }
      return !live.isDraining
    }
    log(.info, isFirst ? "draining: running attempts may finish" : "stopping at once")
  }

  package var isStopping: Bool { live.withLock(\.isStopping) }

  /// Ends what is still open.
  package func close() {
    let now = wallClock()
    do {
      for lost in try store.interruptAll(of: configuration.node, at: now) { try tell(lost, at: now) }
    } catch {
      log(.error, "open sessions could not be ended: \(error)")
    }
  }

  // MARK: Health

  package func metricsText() -> String {
    let states = live.withLock { $0.sessions.values.map(\.state.rawValue) }
    return metrics.text(gauges: [
      "fv_sessions": Dictionary(states.map { ("state=\"\($0)\"", 1.0) }, uniquingKeysWith: +),
      "fv_attempts_running": ["": Double(runningAttempts)],
      "fv_capacity": ["": Double(capacity)],
    ])
  }

  /// nil if it may be given work, else why not.
  package var unreadiness: String? {
    if isDraining { return "draining" }
    do {
      try store.check()
      return nil
    } catch {
      return "the database does not answer"
    }
  }
}

/// What a receiver is sent, and how long it is tried: 8 times over a day.
package struct Webhook: Sendable {
  package let id: String
  package let url: String
  package let body: String
  /// The header FV-Signature.
  package let signature: String
  private let tries: Int

  private static let pauses: [Double] = [60, 300, 900, 3600, 7200, 21600, 43200]

  init(_ delivery: ServerStore.Delivery, at now: Double) {
    (id, url, body, tries) = (delivery.id, delivery.url, delivery.body, delivery.tries)
    let time = Int(now)
    signature =
      "t=\(time)"
      + delivery.secret.split(separator: " ").map {
        ",v1=" + hexadecimal(hmacSHA256(key: Array($0.utf8), Array("\(time).\(delivery.body)".utf8)))
      }.joined()
  }

  var isLast: Bool { tries > Self.pauses.count }
  var patience: Double { Self.pauses[min(max(tries - 1, 0), Self.pauses.count - 1)] }
}

/// HMAC with SHA-256 (RFC 2104).
func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
  var block = key.count > 64 ? sha256Bytes(key) : key
  block += [UInt8](repeating: 0, count: 64 - block.count)
  return sha256Bytes(block.map { $0 ^ 0x5C } + sha256Bytes(block.map { $0 ^ 0x36 } + message))
}
