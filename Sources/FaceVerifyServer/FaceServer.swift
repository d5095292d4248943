package import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Sessions, keys, limits and responses, independent of HTTP. Thread-safe. A `JourneyController` alone determines the
/// steps and the result of an identity check; this class stores it and authorises access to it.
package final class FaceServer: Sendable {
  package let configuration: ServerConfiguration
  package let log = ServerLog()
  let store: ServerStore
  let engine: FaceEngine
  let signingKey: SigningKey
  let metrics = Metrics()
  let assets: Assets
  let capacity: Int
  private let cost: Double

  private let live = Lock(Live())
  private let admission: Lock<Admission>
  private let limits: Lock<Limits>
  private let secrets: ServerSecrets
  private let journal: Lock<Journal>
  /// Held while the journal is written to the database.
  private let writer = Lock(())
  /// Deliveries that are under way, by receiver.
  private let deliveries = Lock<[String: Int]>([:])
  private let bodies: Lock<[Route.Work: ByteBudget]>
  /// Set when the port is known.
  private let address = Lock("")

  /// State that exists only in this process.
  private struct Live {
    var sessions: [String: PageSession] = [:]
    /// Session by the digest of its page's token.
    var tokens: [String: String] = [:]
    /// Time at which a finished session is removed from memory.
    var ends: [String: Double] = [:]
    var selfies: [String: (picture: PixelBuffer, until: Double)] = [:]
    var isDraining = false
    var isStopping = false
  }

  struct Limits {
    /// Session creations per key.
    var key = RateLimit(burst: 20, perSecond: 10)
    /// Single checks per key: more than four cores can do.
    var check = RateLimit(burst: 80, perSecond: 40)
    /// All other requests per key.
    var question = RateLimit(burst: 200, perSecond: 100)
    /// File requests per address: one visit makes 16, and many people may share an address.
    var file = RateLimit(burst: 400, perSecond: 100)
    /// Sessions and pages opened, and failed authorisations, per address.
    var address = RateLimit(burst: 30, perSecond: 0.5)
    /// Requests per page: two for each batch of frames of a camera with 12 frames per second.
    var session = RateLimit(burst: 60, perSecond: 20)
  }

  /// Bytes of bodies in memory, of one page or key: a photo, or a batch of frames and a call.
  static let photoBytes = 33 << 20
  static let frameBytes = FrameBatch.maximumBytes + (64 << 10)
  /// Of all, for each kind of work. A photo is copied once while it is worked on.
  private static let allBytes: [Route.Work: Int] = [.question: 32 << 20, .attempt: 128 << 20, .check: 96 << 20]

  /// Seconds after a node's last heartbeat at which other nodes consider it dead.
  private static let heartbeat = 15.0
  /// Seconds for which a page can still query its finished session.
  private static let remembrance = 60.0
  /// Maximum number of failed sessions per person and day.
  static let failuresADay = 10

  /// Opens the database and measures the cost of an attempt. Starts no threads.
  ///
  /// - Parameter face: a picture of a face, used for the measurement.
  package init(_ configuration: ServerConfiguration, engine: FaceEngine, face: PixelBuffer) throws {
    try configuration.check()
    (self.configuration, self.engine) = (configuration, engine)
    try RegularFile.makeFolder(configuration.dataFolder)
    chmod(configuration.dataFolder, 0o700)
    store = try ServerStore(configuration.database ?? configuration.dataFolder + "/server.sqlite")
    secrets = try Self.secrets(configuration.dataFolder, store)
    // Results that the last run could not store are no interrupted sessions.
    journal = try Lock(Journal(spool: Spool(folder: configuration.dataFolder)))
    bodies = Lock(Self.allBytes.mapValues { ByteBudget(total: $0) })
    signingKey = try Self.signingKey(configuration.dataFolder)
    assets = try Assets(folder: configuration.pageFolder)
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let cost = configuration.capacity == nil ? try Self.cost(of: engine, face) : 1
    self.cost = cost
    let admission = Admission(cores: cores, cost: cost, capacity: configuration.capacity)
    capacity = admission.capacity
    self.admission = Lock(admission)
    limits = Lock(Limits())
    flush()
    do { try store.interruptAll(of: configuration.node, at: wallClock()) } catch let error as StoreFailure {
      throw error.cause
    }
  }

  /// Whether demonstration sessions are allowed. In automatic mode, adding a key ends this without a restart.
  var allowsDemonstration: Bool {
    get throws {
      switch configuration.demonstration {
      case .on: true
      case .off: false
      case .automatic:
        // Behind a proxy, all clients appear to be on loopback.
        try configuration.isLoopback && !configuration.isBehindProxy && configuration.publicURL == nil && !hasKey
      }
    }
  }

  package var hasKey: Bool { get throws { try !store.keys().isEmpty } }

  /// Returns the secrets of the data folder after checking that they belong to the database.
  static func secrets(_ folder: String, _ store: ServerStore) throws -> ServerSecrets {
    let path = folder + "/secrets.key"
    let secrets = try ServerSecrets(path: path)
    do { try store.unlock(with: secrets, named: path) } catch let error as StoreFailure { throw error.cause }
    return secrets
  }

  func person(_ request: SessionRequest, of tenant: String) -> String? {
    request.journey.userReference.map { secrets.person($0, of: tenant) }
  }

  func pageToken(_ row: ServerStore.Session) -> String { secrets.pageToken(row) }

  /// Returns the signing key of the data folder; creates it on first use.
  package static func signingKey(_ folder: String) throws -> SigningKey {
    let path = folder + "/signing.pem"
    if !RegularFile.exists(path) {
      let key = try PrivateKey(for: .signing)
      try key.write(to: path)
      try RegularFile.write(Array(key.publicKey.pem.utf8), to: folder + "/signing.pub.pem")
    }
    return try SigningKey(PrivateKey(path: path))
  }

  /// Returns the CPU seconds per second of an attempt: measured over two seconds with one face, plus 25% for decoding
  /// and challenges.
  private static func cost(of engine: FaceEngine, _ picture: PixelBuffer) throws -> Double {
    let rate = FrameBatch.Limits.face.framesPerSecond
    let session = try LivenessSession(engine: engine)
    // The first frame initialises what later frames reuse.
    try session.add(picture, at: 0)
    var begin = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin)
    for index in 1...2 * rate { try session.add(picture, at: Double(index) / Double(rate)) }
    var end = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
    return max(0.001, (Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9) / 2 * 1.25)
  }

  /// Sets the public address; called when the server is listening.
  package func listens(on port: Int) {
    let scheme = configuration.isSecure ? "https" : "http"
    address.withLock { $0 = configuration.publicURL ?? "\(scheme)://\(configuration.host):\(port)" }
    log(
      .info, "ready to serve",
      [
        "models": engine.modelVersion.set.rawValue, "version": FaceVerifyVersion.string, "capacity": "\(capacity)",
        "costOfAttempt": "\((cost * 1000).rounded() / 1000)", "node": configuration.node,
        "signingKey": signingKey.publicKey.fingerprint, "address": publicAddress,
      ])
  }

  package var publicAddress: String { address.withLock { $0 } }

  // MARK: Limits

  func take(_ limit: WritableKeyPath<Limits, RateLimit>, _ name: String) -> (left: Int, reset: Int, isAllowed: Bool) {
    limits.withLock { $0[keyPath: limit].take(name, at: steadyClock()) }
  }

  /// Reserves memory for a request body; the caller must release it with `giveRoom`.
  ///
  /// - Throws: a ``Problem`` if there is none now.
  func takeRoom(_ bytes: Int, for work: Route.Work, of shares: [ByteBudget.Share]) throws {
    switch bodies.withLock({ $0[work]?.take(bytes, of: shares) ?? nil }) {
    case nil: return
    case true?:
      var problem = Problem(
        429, "Other requests of yours are still being received or worked on: wait for them.", retryAfter: 1)
      problem.headers = [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "1")]
      throw problem
    case false?:
      throw Problem(503, "The server receives too much at a time: try again.", code: .transport, retryAfter: 2)
    }
  }

  func giveRoom(_ bytes: Int, for work: Route.Work, of shares: [ByteBudget.Share]) {
    bodies.withLock { $0[work]?.give(bytes, of: shares) }
  }

  /// Held while a large photo is worked on (above ``ImageLimits/portrait``): decoded, it takes up to 150 MB.
  private static let largePhotos = Lock(())

  /// Runs `body`, and only one of them at a time if one of the photos is large.
  static func working<Result>(on photos: [Photo], _ body: () throws -> Result) rethrows -> Result {
    guard photos.contains(where: { $0.width * $0.height > ImageLimits.portrait.maximumPixels }) else {
      return try body()
    }
    return try largePhotos.withLock { _ in try body() }
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

  /// Makes this node the leader of a session.
  ///
  /// - Returns: the session and the page's new token.
  func lead(
    _ row: ServerStore.Session, expires: Double, at now: Double, _ claim: (_ digest: String) throws -> Bool
  ) throws -> (session: PageSession, token: String) {
    var request = try read(row.request)
    request.journey.nonce = row.nonce
    let made = try PageSession(
      id: row.id, tenant: row.tenant, account: row.account, request: request, expires: expires, at: now,
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
        // A database that is away would be waited for; the result says as much.
        guard journal.withLock(\.reason.isEmpty) else { return }
        do { try store.begin(id) } catch {
          log(.error, "a session's state cannot be written: \(error)", ["session": id])
        }
      },
      ended: { [self] session, result, transport in end(session, result, transport) })
  }

  /// Adds an audit entry. If it cannot be written now, it is written later; the session continues.
  func audit(_ kind: String, tenant: String, session: String = "", _ detail: JSONValue = [:]) {
    keep(ServerStore.Entry(kind: kind, tenant: tenant, session: session, detail: detail, at: wallClock()))
  }

  private func keep(_ entry: ServerStore.Entry) {
    let isKept = journal.withLock { $0.add(entry) }
    guard isKept else { return log(.error, "the audit loses an entry: too many wait", ["session": entry.session]) }
    flush()
    do { try journal.withLock { try $0.persist() } } catch {
      log(.error, "pending entries cannot be written to disk: \(error)", ["session": entry.session])
    }
  }

  /// Which of the writers may write to a database that has failed.
  private enum Retry { case never, whenDue, always }

  private func flush(_ retry: Retry = .never) {
    let failures = journal.withLock { journal -> Int? in
      let isDue =
        switch retry {
        case .never: journal.reason.isEmpty
        case .whenDue: journal.mayTry(at: steadyClock())
        case .always: true
        }
      return isDue ? journal.failures : nil
    }
    guard let failures else { return }
    writer.withLock { _ in
      // Those that waited here do not wait once more for a database that has just failed.
      guard retry == .always || journal.withLock({ $0.failures <= failures }) else { return }
      let before = journal.withLock(\.reason)
      while let first = journal.withLock({ $0.entries.first }) {
        do {
          try store.write(first, at: wallClock())
        } catch {
          let waiting = journal.withLock { journal in
            journal.failed("\(error)", at: steadyClock())
            return journal.results
          }
          metrics.count("fv_store_failures_total", "")
          return log(.error, "results and the audit wait for the database: \(error)", ["results": "\(waiting)"])
        }
        do { try journal.withLock { try $0.stored() } } catch {
          log(.error, "the spool cannot be cleared: \(error)")
        }
      }
      if !before.isEmpty { log(.info, "the database has taken what waited for it") }
    }
  }

  /// Whether this session's result is not stored yet.
  func isWaiting(_ id: String) -> Bool {
    journal.withLock { $0.entries.contains { $0.session == id && $0.end != nil } }
  }

  var isFull: Bool { journal.withLock(\.isFull) }

  /// Signs a session's result, stores it for the operator, and schedules the session's removal from memory.
  private func end(_ session: PageSession, _ result: JourneyResult, _ transport: JSONValue) {
    let now = wallClock()
    do {
      let outcome = result.result.rawValue
      let record = try DecisionRecord(body: session.recordBody(), signedBy: signingKey)
      let answer: JSONValue = [
        "workflowExecutionId": .string(session.id), "accountId": .string(result.accountID),
        "isComplete": .bool(result.isComplete), "result": .string(outcome),
        "assurance": result.assurance.jsonValue, "error": result.error?.jsonValue ?? .null,
        "consents": session.consents, "transport": transport,
        "commitment": .string(PageSession.commitment(session.nonce)), "nonce": .string(hexadecimal(session.nonce)),
        "record": record.json,
      ]
      if session.request.imageSeconds > 0, let selfie = session.selfie {
        live.withLock { $0.selfies[session.id] = (selfie, now + session.request.imageSeconds) }
      }
      keep(
        ServerStore.Entry(
          kind: "finished", tenant: session.tenant, session: session.id,
          detail: [
            "result": .string(outcome), "error": result.error.map { .string($0.code.rawValue) } ?? .null,
            "record": .string("sha256:" + sha256(record.bytes)),
          ], at: now,
          end: .init(
            node: configuration.node, outcome: outcome, answer: answer,
            request: PhotoRecord.with("portrait", .null, in: session.request.json),
            resultSeconds: session.request.resultSeconds)))
      log(.info, "a session finished", ["session": session.id])
    } catch {
      log(.error, "a result could not be signed: \(error)", ["session": session.id])
    }
    live.withLock { $0.ends[session.id] = now + Self.remembrance }
  }

  /// Whether a URL equals the allowed one or is below it.
  static func allows(_ allowed: String, _ url: String) -> Bool {
    guard isPlainURL(url) else { return false }
    return url == allowed || url.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
      || url.hasPrefix(allowed + "?")
  }

  /// Whether an HTTP URL is unambiguous to all parsers: without user, fragment, dot segments (RFC 3986, 5.2.4) or
  /// characters that must be encoded.
  static func isPlainURL(_ url: String) -> Bool {
    guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= 2000,
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains(where: { "\\\"<>^`{|}#".contains($0) })
    else { return false }
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
    let segments = path.lowercased().split(separator: "/").map {
      $0.split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
    }
    return !authority.isEmpty && !authority.contains("@") && !segments.contains(".") && !segments.contains("..")
      && !path.lowercased().contains("%2f") && !path.lowercased().contains("%5c")
  }

  /// Returns a random UUID (RFC 9562, 5.4).
  static func identifier() -> String { UUIDText.random() }

  // MARK: Time

  /// Advances the time of the sessions; must be called every second.
  package func tick() {
    let now = wallClock()
    let sessions = live.withLock { live in
      for (id, end) in live.ends where end < now {
        live.sessions[id] = nil
        live.ends[id] = nil
      }
      live.tokens = live.tokens.filter { live.sessions[$0.value] != nil }
      live.selfies = live.selfies.filter { $0.value.until > now }
      return Array(live.sessions.values)
    }
    for session in sessions { session.tick(at: now) }
    for session in sessions where session.isFinished { session.clear() }
  }

  /// Stores what waits: to be called each second, by another thread than ``sweep()``.
  package func storeWaiting() { flush(.whenDue) }

  /// Expires and wipes rows of the database; must be called every five seconds.
  package func sweep() {
    var (isMore, isWiped) = (true, false)
    do {
      // A draining server still sends its heartbeat.
      while isMore {
        let done = try store.sweep(at: wallClock(), node: configuration.node, heartbeat: Self.heartbeat)
        (isMore, isWiped) = (done.isMore && !isDraining, isWiped || done.isWiped)
        // Lets waiting threads use the database.
        if isMore { usleep(20_000) }
      }
      if isWiped { try store.checkpointKeeper() }
    } catch {
      metrics.count("fv_store_failures_total", "")
      log(.error, "the database cannot be swept: \(error)")
    }
  }

  /// Maximum number of concurrent deliveries per receiver.
  private static let deliveriesEach = 4

  /// Returns the webhooks that are due. The caller must report each with ``delivered(_:isTaken:)``.
  package func dueWebhooks() -> [Webhook] {
    let now = wallClock()
    do {
      let due = try store.takeDue(
        at: now, again: now + 120, busy: deliveries.withLock { $0 }, each: Self.deliveriesEach)
      guard !due.isEmpty else { return [] }
      let keys = try store.keys().filter { $0.revoked == nil && $0.expires ?? .infinity > now }
      deliveries.withLock { open in for delivery in due { open[delivery.receiver, default: 0] += 1 } }
      return due.map { delivery in
        let secrets = keys.compactMap { key -> String? in
          guard key.tenant == delivery.tenant, key.callbacks.contains(where: { Self.allows($0, delivery.url) }) else {
            return nil
          }
          do { return try self.secrets.open(key.secret, for: key.id) } catch {
            log(.error, "\(error)")
            return nil
          }
        }
        return Webhook(delivery, secrets: secrets, at: now)
      }
    } catch {
      log(.error, "the outbox cannot be read: \(error)")
      return []
    }
  }

  /// - Parameter isTaken: whether the receiver responded with 2xx.
  package func delivered(_ webhook: Webhook, isTaken: Bool) {
    deliveries.withLock { open in
      let left = (open[webhook.receiver] ?? 1) - 1
      open[webhook.receiver] = left > 0 ? left : nil
    }
    do {
      if isTaken || webhook.isLast {
        try store.removeDelivery(webhook.id)
      } else {
        try store.putOff(webhook.id, to: wallClock() + webhook.patience)
      }
      metrics.count("fv_webhook_total", "outcome=\"\(isTaken ? "taken" : webhook.isLast ? "given-up" : "put-off")\"")
    } catch {
      log(.error, "the outbox cannot be written: \(error)")
    }
  }

  /// Handles a termination signal: the first one starts draining, the second one stops the server immediately.
  package func signal() {
    let isFirst = live.withLock { live in
      if live.isDraining { live.isStopping = true }
      defer { live.isDraining = true }
      return !live.isDraining
    }
    log(.info, isFirst ? "draining: running attempts may finish" : "stopping at once")
  }

  package var isStopping: Bool { live.withLock(\.isStopping) }

  /// Seconds for which a stopping server waits for its database, and then for a writable file.
  private static let lastPatience = (database: 3.0, file: 60.0)

  /// Interrupts open sessions and stores pending entries, in a file if the database is still unavailable.
  ///
  /// - Throws: ``VerifyError/Code/unwritable`` if results are lost.
  package func close() throws {
    let begin = steadyClock()
    while true {
      flush(.always)
      let (isEmpty, results) = journal.withLock { ($0.entries.isEmpty, "\($0.results)") }
      if isEmpty { break }
      if isStopping || steadyClock() > begin + Self.lastPatience.database {
        do {
          try journal.withLock { try $0.persist() }
          log(.warning, "results wait in a file for the next start", ["results": results])
          break
        } catch  where !isStopping && steadyClock() < begin + Self.lastPatience.file {
          log(.error, "results cannot be written anywhere: \(error)", ["results": results])
        } catch {
          log(.error, "results are lost: \(error)", ["results": results])
          throw error
        }
      }
      usleep(500_000)
    }
    do { try store.interruptAll(of: configuration.node, at: wallClock()) } catch {
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
      "fv_results_waiting": ["": Double(journal.withLock(\.results))],
    ])
  }

  /// nil if the server is ready for requests, otherwise the reason why it is not.
  package var unreadiness: String? {
    if isDraining { return "draining" }
    let waiting = journal.withLock(\.results)
    if waiting > 0 { return "\(waiting) results wait for the database" }
    do {
      try store.beat(configuration.node, at: wallClock())
    } catch {
      log(.error, "the database takes nothing: \(error)")
      return "the database takes nothing"
    }
    do {
      // A database with free pages in its files accepts a few more rows on a full disk.
      let path = configuration.dataFolder + "/probe"
      defer { unlink(path) }
      try RegularFile.write([UInt8](repeating: 0, count: 1 << 16), to: path, permissions: 0o600)
    } catch {
      log(.error, "the data folder takes nothing: \(error)")
      return "the disk of the data folder is full, or not writable"
    }
    return nil
  }
}

/// A request to a receiver. It is attempted up to 8 times within a day.
package struct Webhook: Sendable {
  package let id: String
  package let url: String
  package let body: String
  /// The header FV-Signature; nil if no valid key of the tenant allows this address any more.
  package let signature: String?
  let receiver: String
  private let tries: Int

  private static let pauses: [Double] = [60, 300, 900, 3600, 7200, 21600, 43200]

  /// - Parameter secrets: each produces one signature.
  init(_ delivery: ServerStore.Delivery, secrets: [String], at now: Double) {
    (id, url, body, tries) = (delivery.id, delivery.url, delivery.body, delivery.tries)
    receiver = delivery.receiver
    let time = Int(now)
    signature =
      secrets.isEmpty
      ? nil
      : "t=\(time)"
        + secrets.map {
          ",v1=" + hexadecimal(hmacSHA256(key: Array($0.utf8), Array("\(time).\(delivery.body)".utf8)))
        }.joined()
  }

  var isLast: Bool { signature == nil || tries > Self.pauses.count }
  var patience: Double { Self.pauses[min(max(tries - 1, 0), Self.pauses.count - 1)] }
}

/// HMAC with SHA-256 (RFC 2104).
func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
  var block = key.count > 64 ? sha256Bytes(key) : key
  block += [UInt8](repeating: 0, count: 64 - block.count)
  return sha256Bytes(block.map { $0 ^ 0x5C } + sha256Bytes(block.map { $0 ^ 0x36 } + message))
}
