internal import FaceVerifyBase
package import FaceVerifyJourney
internal import Glibc

/// Sessions, keys, limits and responses, independent of HTTP. Thread-safe. A `JourneyController` alone determines the
/// steps and the result of an identity check; this class stores it and authorises access to it.
package final class FaceServer: Sendable {
  package let configuration: ServerConfiguration
  package let clock: any Clock
  package let log = ServerLog()
  let store: ServerStore
  let engine: FaceEngine
  let signingKey: SigningKey
  let metrics = Metrics()
  let assets: Assets
  let terminal: ChipTerminal?
  let journal: StoreQueue
  let secrets: ServerSecrets
  /// Number of open webhook deliveries, by receiver.
  let deliveries = Lock<[String: Int]>([:])
  private let live = Lock(Live())
  private let admission: Lock<Admission>
  let limits = Lock(RateLimits())
  let bodies = Lock(FaceServer.allBytes.mapValues { ByteBudget(total: $0) })
  /// When the server's own certificate expires, in seconds since 1970; nil without one.
  package let certificateExpiry = Lock<Double?>(nil)
  /// Set when the port is known.
  private let address = Lock("")

  /// State that exists only in this process.
  private struct Live {
    var sessions: [String: PageSession] = [:]
    /// Session by the digest of its page's token.
    var tokens: [String: String] = [:]
    /// Session by the digest of a link for another device, and of the token of a device that was left.
    var offers: [String: String] = [:]
    var watchers: [String: String] = [:]
    /// Time at which a finished session is removed from memory.
    var ends: [String: Double] = [:]
    var selfies: [String: (picture: PixelBuffer, until: Double)] = [:]
    var isDraining = false
    var isStopping = false
  }

  /// Maximum bytes of bodies in memory per page or key: a photo, or a batch of frames and a call.
  static let photoBytes = 33 << 20
  static let frameBytes = FrameBatch.maximumBytes + (64 << 10)
  /// Bytes of all bodies in memory, for each kind of work. A photo is copied once while it is processed.
  private static let allBytes: [Route.Work: Int] = [
    .memory: 1 << 20, .question: 32 << 20, .attempt: 128 << 20, .check: 96 << 20,
  ]

  /// Seconds after a node's last heartbeat at which other nodes consider it dead.
  private static let heartbeat = 15.0
  /// Seconds for which a page can still query its finished session.
  private static let remembrance = 60.0
  /// Maximum number of attempts per person and day that did not pass.
  static let attemptsADay = 10

  /// Opens the database and measures the cost of an attempt. Starts no threads; reading a chip uses one.
  ///
  /// - Parameter face: a picture of a face, used for the measurement.
  /// - Throws: ``VerifyError``, also if the configuration's reader is not connected.
  package init(
    _ configuration: ServerConfiguration, engine: FaceEngine, face: PixelBuffer, clock: any Clock = SystemClock()
  ) throws {
    try configuration.check()
    (self.configuration, self.engine, self.clock) = (configuration, engine, clock)
    terminal = try configuration.reader.map(ChipTerminal.init(reader:))
    try RegularFile.makeFolder(configuration.dataFolder)
    chmod(configuration.dataFolder, 0o700)
    store = try ServerStore(configuration.database ?? configuration.dataFolder + "/server.sqlite")
    secrets = try Self.secrets(configuration.dataFolder, store)
    // First: sessions with a result that the last run could not store were not interrupted.
    journal = try StoreQueue(
      store, folder: configuration.dataFolder, attempts: configuration.hasRateLimits ? Self.attemptsADay : .max,
      clock: clock, log: log, metrics: metrics)
    signingKey = try Self.signingKey(configuration.dataFolder)
    assets = try Assets(folder: configuration.pageFolder)
    admission = Lock(
      Admission(
        cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
        cost: configuration.capacity == nil ? try Self.cost(of: engine, face) : 1, capacity: configuration.capacity))
    try StoreFailure.unwrapped { try store.interruptAll(of: configuration.node, at: clock.wall) }
  }

  /// Whether demonstration sessions are allowed. In automatic mode, adding a key ends this without a restart.
  var allowsDemonstration: Bool {
    get throws {
      switch configuration.demonstration {
      case .on: true
      case .off: false
      case .automatic:
        // Behind a proxy, all clients appear to be on loopback.
        try configuration.isLocal && !hasKey
      }
    }
  }

  package var hasKey: Bool { get throws { try !store.keys().isEmpty } }

  /// Returns the secrets of the data folder after checking that they belong to the database.
  static func secrets(_ folder: String, _ store: ServerStore) throws -> ServerSecrets {
    let path = folder + "/secrets.key"
    let secrets = try ServerSecrets(path: path)
    try StoreFailure.unwrapped { try store.check(secrets, named: path) }
    return secrets
  }

  func person(_ request: SessionRequest, of tenant: String) -> String? {
    request.journey.userReference.map { secrets.person($0, of: tenant) }
  }

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
    let begin = seconds(on: CLOCK_PROCESS_CPUTIME_ID)
    for index in 1...2 * rate { try session.add(picture, at: Double(index) / Double(rate)) }
    return max(0.001, (seconds(on: CLOCK_PROCESS_CPUTIME_ID) - begin) / 2 * 1.25)
  }

  /// Sets the public address; called when the server is listening.
  package func listens(on port: Int) {
    let scheme = configuration.isSecure ? "https" : "http"
    address.withLock { $0 = configuration.publicURL ?? "\(scheme)://\(configuration.host):\(port)" }
    log(
      .info, "ready to serve",
      [
        "models": engine.modelVersion.set.rawValue, "version": FaceVerifyVersion.string,
        "capacity": "\(admission.withLock(\.capacity))",
        "costOfAttempt": "\((admission.withLock(\.cost) * 1000).rounded() / 1000)", "node": configuration.node,
        "signingKey": signingKey.publicKey.fingerprint, "address": publicAddress,
      ])
  }

  package var publicAddress: String { address.withLock { $0 } }

  // MARK: Limits

  /// Reserves memory for a request body; the caller must release it with ``leave(_:)``.
  ///
  /// - Throws: a ``Problem`` if there is none.
  func takeRoom(_ bytes: Int, for work: Route.Work, of shares: [ByteBudget.Share]) throws {
    guard let isOwnShare = bodies.withLock({ $0[work]?.take(bytes, of: shares) ?? nil }) else { return }
    guard isOwnShare else {
      throw Problem(503, "The server has no memory for the body: try again.", code: .transport, retryAfter: 2)
    }
    throw Problem(
      429, "Your other requests are still being processed: wait for them.", retryAfter: 1,
      headers: [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "1")])
  }

  /// Held while a photo above ``ImageLimits/portrait`` is processed: decoded, it takes up to 150 MB.
  private static let largePhotos = Lock(())

  /// Runs `body`; at most one at a time if any of the photos is large.
  static func working<Result>(on photos: [Photo], _ body: () throws -> Result) rethrows -> Result {
    guard photos.contains(where: { $0.width * $0.height > ImageLimits.portrait.maximumPixels }) else {
      return try body()
    }
    return try largePhotos.withLock { _ in try body() }
  }

  package var isDraining: Bool { live.withLock(\.isDraining) }
  package var runningAttempts: Int { admission.withLock { $0.count(at: clock.monotonic) } }

  /// Seconds from the arrival of a page's frames to their answer: admission follows them.
  func answered(after seconds: Double) { admission.withLock { $0.answered(after: seconds, at: clock.monotonic) } }

  // MARK: Sessions

  func session(token digest: String) -> PageSession? {
    live.withLock { live in live.tokens[digest].flatMap { live.sessions[$0] } }
  }
  func offered(by digest: String) -> PageSession? {
    live.withLock { live in live.offers[digest].flatMap { live.sessions[$0] } }
  }
  /// The session that was handed off by the device with this token.
  func session(watchedBy digest: String) -> PageSession? {
    live.withLock { live in live.watchers[digest].flatMap { live.sessions[$0] } }
  }

  func offer(_ session: PageSession, digest: String) { live.withLock { $0.offers[digest] = session.id } }

  /// Transfers a session to another device; the previous device becomes read-only.
  func give(_ session: PageSession, to digest: String) {
    live.withLock { live in
      for (other, id) in live.tokens where id == session.id {
        live.tokens[other] = nil
        live.watchers[other] = id
      }
      live.tokens[digest] = session.id
    }
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
  /// - Returns: the page's new token and its view.
  func lead(
    _ row: ServerStore.Session, expires: Double, _ claim: (_ digest: String) throws -> Bool
  ) throws -> JSONValue {
    guard !TestTenant.contains(row.tenant) else { throw Problem.testSession }
    var request = try read(row.request, of: row.tenant)
    request.journey.nonce = row.nonce
    let made = try PageSession(
      id: row.id, tenant: row.tenant, account: row.account, request: request, expires: expires,
      surroundings(row, request))
    let token = Token.make(.session)
    let digest = Token.digest(token)
    guard try claim(digest) else { throw Problem(409, "The page is already open: create a new session.") }
    live.withLock {
      $0.sessions[row.id] = made
      $0.tokens[digest] = row.id
      $0.ends[row.id] = nil
    }
    return ["sessionToken": .string(token), "view": made.show()]
  }

  func read(_ json: JSONValue, of tenant: String) throws -> SessionRequest {
    try SessionRequest(
      json, trust: configuration.trust, hasReader: terminal != nil, allowsScripts: configuration.allowsScripts,
      isTest: TestTenant.contains(tenant))
  }

  private func surroundings(_ row: ServerStore.Session, _ request: SessionRequest) -> PageSession.Surroundings {
    let (id, tenant) = (row.id, row.tenant)
    return PageSession.Surroundings(
      engine: engine, enter: { [self] id in admission.withLock { $0.enter(id, at: clock.monotonic) } },
      leave: { [self] id in admission.withLock { $0.leave(id) } },
      pace: { [self] in admission.withLock { $0.pace(at: clock.monotonic) } }, metrics: metrics,
      terminal: terminal, trustsCameraLabels: configuration.trustsCameraLabels, embedding: configuration.embedding,
      returnURL: allowedReturn(request), mayHandOff: !configuration.isLocal, clock: clock,
      audit: { [self] kind, detail in audit(kind, tenant: tenant, session: id, detail) },
      began: { [self] in change(.begin, id) },
      ended: { [self] session, result, transport in end(session, result, transport) },
      attempt: { [self] in request.journey.userReference == nil || countAttempt(id, tenant) })
  }

  /// Counts an attempt, if need be once the database is available; false if the person's attempts of the day are used up.
  /// If the database takes longer, ``tick()`` ends the session.
  private func countAttempt(_ id: String, _ tenant: String) -> Bool {
    audit(ServerStore.attempt, tenant: tenant, session: id)
    journal.settle(within: 0.1)
    return !journal.takeRefusal(of: id)
  }

  /// Changes the row of a session, once the database is available.
  func change(_ change: ServerStore.Change, _ session: String, _ detail: JSONValue = .null) {
    journal.add(.init(kind: change.rawValue, tenant: "", session: session, detail: detail, at: clock.wall))
  }

  /// Adds an audit entry. If it cannot be stored now, it is stored later; the session continues.
  func audit(_ kind: String, tenant: String, session: String = "", _ detail: JSONValue = [:]) {
    journal.add(ServerStore.Entry(kind: kind, tenant: tenant, session: session, detail: detail, at: clock.wall))
  }

  func audit(_ kind: String, _ row: ServerStore.Session, _ detail: JSONValue = [:]) {
    audit(kind, tenant: row.tenant, session: row.id, detail)
  }

  /// Signs a session's result, stores it for the operator, and schedules the session's removal from memory.
  private func end(_ session: PageSession, _ result: JourneyResult, _ transport: JSONValue) {
    let now = clock.wall
    do {
      let outcome = result.result.rawValue
      let record = try DecisionRecord(body: session.journey.recordBody(), signedBy: signingKey)
      let answer: JSONValue = [
        "workflowExecutionId": .string(session.id), "accountId": .string(result.accountID),
        "mode": .string(TestTenant.mode(of: session.tenant)), "isComplete": .bool(result.isComplete),
        "result": .string(outcome),
        "assurance": result.assurance.jsonValue, "error": result.error?.jsonValue ?? .null,
        "consents": session.consents, "transport": transport,
        "commitment": .string(PageSession.commitment(session.nonce)), "nonce": .string(hexadecimal(session.nonce)),
        "record": record.json,
      ]
      if session.request.imageSeconds > 0, let selfie = session.selfie {
        live.withLock { $0.selfies[session.id] = (selfie, now + session.request.imageSeconds) }
      }
      journal.add(
        ServerStore.Entry(
          kind: "finished", tenant: session.tenant, session: session.id,
          detail: [
            "result": .string(outcome), "error": result.error.map { .string($0.code.rawValue) } ?? .null,
            "record": .string("sha256:" + sha256(record.bytes)),
          ], at: now,
          end: .init(
            node: configuration.node, outcome: outcome, answer: answer,
            request: session.request.json.with("portrait", .null),
            resultSeconds: session.request.resultSeconds)))
      log(.info, "session finished", ["session": session.id])
    } catch {
      log(.error, "cannot sign a result: \(error)", ["session": session.id])
    }
    live.withLock { $0.ends[session.id] = now + Self.remembrance }
  }

  // MARK: Time

  /// Advances the time of the sessions; must be called every second.
  package func tick() {
    let now = clock.wall
    let sessions = live.withLock { live in
      for (id, end) in live.ends where end < now {
        live.sessions[id] = nil
        live.ends[id] = nil
      }
      for tokens in [\Live.tokens, \.offers, \.watchers] {
        live[keyPath: tokens] = live[keyPath: tokens].filter { live.sessions[$0.value] != nil }
      }
      live.selfies = live.selfies.filter { $0.value.until > now }
      return Array(live.sessions.values)
    }
    for session in sessions {
      if journal.takeRefusal(of: session.id) { session.refuse() }
      session.tick()
      session.clear()
    }
  }

  /// Stores pending entries; must be called every second.
  package func storePending() { journal.retry() }

  /// Expires and wipes rows of the database; must be called every five seconds.
  package func sweep() {
    var (isMore, isWiped) = (true, false)
    do {
      // A draining server still sends its heartbeat.
      while isMore {
        let done = try store.sweep(at: clock.wall, node: configuration.node, heartbeat: Self.heartbeat)
        (isMore, isWiped) = (done.isMore && !isDraining, isWiped || done.isWiped)
        // Lets waiting threads use the database.
        if isMore { usleep(20_000) }
      }
      if isWiped { try store.checkpoint(store.keeper) }
    } catch {
      metrics.count("fv_store_failures_total", "")
      log(.error, "cannot sweep the database: \(error)")
    }
  }

  /// Handles a termination signal: the first one starts draining, the second one stops the server immediately.
  package func signal() {
    let isFirst = live.withLock { live in
      if live.isDraining { live.isStopping = true }
      defer { live.isDraining = true }
      return !live.isDraining
    }
    log(.info, isFirst ? "draining: running attempts may finish" : "stopping immediately")
  }

  package var isStopping: Bool { live.withLock(\.isStopping) }

  /// Stores pending results and interrupts open sessions.
  ///
  /// - Throws: ``VerifyError/Code/unwritable`` if results are lost.
  package func close() throws {
    try journal.close { isStopping }
    do { try store.interruptAll(of: configuration.node, at: clock.wall) } catch {
      log(.error, "cannot mark open sessions as interrupted: \(error)")
    }
  }

  // MARK: Health

  package func metricsText() -> String {
    let states = live.withLock { $0.sessions.values.map(\.state.rawValue) }
    return metrics.text(gauges: [
      "fv_sessions": Dictionary(states.map { ("state=\"\($0)\"", 1.0) }, uniquingKeysWith: +),
      "fv_attempts_running": ["": Double(runningAttempts)],
      "fv_capacity": ["": Double(admission.withLock(\.places))],
      "fv_results_waiting": ["": Double(journal.results)],
      "fv_certificate_expires": certificateExpiry.withLock(\.self).map { ["": $0] } ?? [:],
    ])
  }

  /// nil if the server is ready for requests, otherwise the reason why it is not.
  package var unreadiness: String? {
    if isDraining { return "draining" }
    if journal.hasFailed { return "\(journal.results) results wait for the database" }
    do {
      try store.beat(configuration.node, at: clock.wall)
    } catch {
      log(.error, "cannot write to the database: \(error)")
      return "cannot write to the database"
    }
    do {
      // A database with free pages in its files accepts a few more rows on a full disk.
      let path = configuration.dataFolder + "/probe"
      defer { unlink(path) }
      try RegularFile.write([UInt8](repeating: 0, count: 1 << 16), to: path, permissions: 0o600)
    } catch {
      log(.error, "cannot write to the data folder: \(error)")
      return "cannot write to the data folder: its disk is full or not writable"
    }
    return nil
  }
}
