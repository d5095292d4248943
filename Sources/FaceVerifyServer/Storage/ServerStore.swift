internal import FaceVerify
internal import FaceVerifyBase

/// The persistent state, shared by the nodes of a cluster. Thread-safe. Never contains pictures.
final class ServerStore: Sendable {
  /// An operator's API key.
  struct Key: Sendable {
    let id: String
    let tenant: String
    let scopes: [String]
    /// Allowed webhook addresses, as prefixes.
    let callbacks: [String]
    /// The secret that signs webhooks, sealed by ``ServerSecrets``.
    let secret: String
    let created: Double
    let expires: Double?
    let revoked: Double?
  }

  /// The state of a session that all nodes share.
  struct Session: Sendable {
    enum State: String, Sendable {
      case created, claimed, active, finished, interrupted, expired, cleared

      var isFinal: Bool { [.finished, .interrupted, .expired, .cleared].contains(self) }
    }

    let id: String
    let tenant: String
    let account: String
    var node: String
    var state: State
    let created: Double
    var startBy: Double
    var expires: Double
    var finished: Double?
    var runs: Int
    /// The body of the request that created the session.
    var request: JSONValue
    /// The nonce that determines the challenges; a new one for each run.
    var nonce: [UInt8]
    /// The result for the operator; null before the end and after it was wiped.
    var result: JSONValue = .null
    /// Time at which the result is wiped.
    var wipeAt: Double?
  }

  struct AuditEntry: Sendable {
    let sequence: Int
    let at: Double
    let tenant: String
    let session: String
    let kind: String
    let detail: JSONValue
    let previous: String
    let hash: String
  }

  struct Delivery: Sendable {
    let id: String
    let tenant: String
    let url: String
    let body: String
    let tries: Int
    /// Tenant and origin: only deliveries to the same receiver wait for each other.
    let receiver: String
  }

  /// An event of a session: an audit entry and, at its end, the result.
  struct Entry: Sendable {
    var kind: String
    var tenant: String
    var session: String
    var detail: JSONValue
    var at: Double
    var end: End?

    struct End: Sendable {
      /// The node that led the session; another one may have adopted it since.
      let node: String
      /// "passed", "failed" or "not-checked".
      let outcome: String
      /// The result for the operator, without the audit's head.
      let answer: JSONValue
      /// The members of the request that are kept as long as the result.
      let request: JSONValue
      /// Seconds from storing the result to wiping it.
      let resultSeconds: Double
    }
  }

  private static let version = 2
  /// Rows changed per transaction of the sweep, which blocks other writers.
  static let batch = 200
  /// Maximum number of entities per session.
  static let maximumEntities = 32
  private let connection: Lock<any SQLConnection>
  /// A connection for the sweep, so that other calls wait for one batch at most.
  private let keeper: Lock<any SQLConnection>

  /// - Parameter address: "postgres://…" or the path of an SQLite file.
  init(_ address: String) throws {
    let isPostgreSQL = address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
    func connect() throws -> any SQLConnection {
      isPostgreSQL ? try PostgreSQLConnection(address: address) : try SQLiteConnection(path: address)
    }
    let made = try connect()
    try made.transaction {
      // Serialises nodes that start together.
      if isPostgreSQL { _ = try made.rows("SELECT pg_advisory_xact_lock(8202)", []) }
      try made.script(Self.tables)
      let known = try made.rows("SELECT value FROM meta WHERE name = 'version'", [])
      let found = known.first?[0].integer
      if found == nil {
        _ = try made.rows("INSERT INTO meta (name, value) VALUES ('version', $1)", [.text("\(Self.version)")])
        _ = try made.rows(
          "INSERT INTO audit_head (one, sequence, hash) VALUES (1, 0, $1)", [.text(Self.firstHash)])
      }
      if let found, found > Self.version {
        throw VerifyError(.wrongState, "the database was made by a later version of faceverify: upgrade this one")
      }
      if found ?? 1 < 2 { try Self.upgradeTo2(made) }
      try made.script(Self.indexes)
    }
    connection = Lock(made)
    keeper = Lock(try connect())
  }

  /// Adds the queues per receiver. Webhooks are signed with the keys' secrets when they are sent.
  private static func upgradeTo2(_ connection: any SQLConnection) throws {
    try connection.script(
      """
      ALTER TABLE outbox ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
      ALTER TABLE outbox ADD COLUMN receiver TEXT NOT NULL DEFAULT '';
      """)
    for row in try connection.rows("SELECT id, url, body FROM outbox", []) {
      let session = (try? JSONValue(parsing: Array((row[2].text ?? "").utf8)))?["workflowExecutionId"]?.string
      let tenant =
        try connection.rows("SELECT tenant FROM sessions WHERE id = $1", [SQLValue(session)]).first?[0].text ?? ""
      _ = try connection.rows(
        "UPDATE outbox SET tenant = $1, receiver = $2, secret = '' WHERE id = $3",
        [.text(tenant), .text(receiver(tenant, row[1].text ?? "")), row[0]])
    }
    _ = try connection.rows("UPDATE meta SET value = '2' WHERE name = 'version'", [])
  }

  private static let indexes = """
    CREATE INDEX IF NOT EXISTS sessions_state ON sessions (state, start_by);
    CREATE INDEX IF NOT EXISTS sessions_wipe ON sessions (wipe_at);
    CREATE INDEX IF NOT EXISTS idempotency_at ON idempotency (at);
    CREATE INDEX IF NOT EXISTS entities_session ON entities (session);
    CREATE INDEX IF NOT EXISTS outbox_receiver ON outbox (receiver, due);
    CREATE INDEX IF NOT EXISTS audit_tenant ON audit (tenant, sequence);
    """

  private static let tables = """
    CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS keys (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL,
      callbacks TEXT NOT NULL, secret TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION,
      revoked DOUBLE PRECISION);
    CREATE TABLE IF NOT EXISTS sessions (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, account TEXT NOT NULL, node TEXT NOT NULL, state TEXT NOT NULL,
      created DOUBLE PRECISION NOT NULL, start_by DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION NOT NULL,
      finished DOUBLE PRECISION, runs BIGINT NOT NULL, page_digest TEXT, session_digest TEXT, request TEXT NOT NULL,
      nonce TEXT NOT NULL, outcome TEXT, result TEXT, wipe_at DOUBLE PRECISION, person TEXT);
    CREATE INDEX IF NOT EXISTS sessions_page ON sessions (page_digest);
    CREATE INDEX IF NOT EXISTS sessions_session ON sessions (session_digest);
    CREATE INDEX IF NOT EXISTS sessions_person ON sessions (tenant, person, created);
    CREATE TABLE IF NOT EXISTS idempotency (
      tenant TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, session TEXT,
      at DOUBLE PRECISION NOT NULL, PRIMARY KEY (tenant, name));
    CREATE TABLE IF NOT EXISTS audit_head (one BIGINT PRIMARY KEY, sequence BIGINT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS audit (
      sequence BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, tenant TEXT NOT NULL, session TEXT NOT NULL,
      kind TEXT NOT NULL, detail TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS outbox (
      id TEXT PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL, secret TEXT NOT NULL, due DOUBLE PRECISION NOT NULL,
      tries BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS entities (
      id TEXT PRIMARY KEY, session TEXT NOT NULL, payload TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
    CREATE TABLE IF NOT EXISTS nodes (name TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL);
    """

  /// - Throws: ``StoreFailure`` for any error of the database.
  private func use<Result>(
    _ lock: Lock<any SQLConnection>, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    do { return try lock.withLock { try body($0) } } catch let error as VerifyError {
      throw StoreFailure(cause: error)
    }
  }

  @discardableResult
  private func rows(_ sql: String, _ values: SQLValue...) throws -> [[SQLValue]] {
    try use(connection) { try $0.rows(sql, values) }
  }

  /// Writes this node's heartbeat, which also tests whether the database accepts writes.
  func beat(_ node: String, at now: Double) throws {
    try use(keeper) { try Self.beat($0, node, at: now) }
  }

  private static func beat(_ connection: any SQLConnection, _ node: String, at now: Double) throws {
    _ = try connection.rows(
      "INSERT INTO nodes (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
      [.text(node), .number(now)])
  }

  /// Seals secrets that an earlier version stored in clear text.
  ///
  /// - Throws: ``VerifyError/Code/wrongState`` if the database belongs to another key.
  func unlock(with secrets: ServerSecrets, named path: String) throws {
    try use(connection) { connection in
      try connection.transaction {
        // Read first: if there is nothing to write, a full disk must not prevent the start.
        func known() throws -> String? {
          try connection.rows("SELECT value FROM meta WHERE name = 'secrets'", []).first?[0].text
        }
        if try known() == nil {
          _ = try connection.rows(
            "INSERT INTO meta (name, value) VALUES ('secrets', $1) ON CONFLICT (name) DO NOTHING",
            [.text(secrets.fingerprint)])
        }
        guard try known() == secrets.fingerprint else {
          throw VerifyError(
            .wrongState,
            "\(path) is not the key that this database was made with: copy that file from where it was made")
        }
        for row in try connection.rows(
          "SELECT id, secret FROM keys WHERE secret NOT LIKE '\(ServerSecrets.prefix)%'", [])
        {
          let sealed = try secrets.seal(row[1].text ?? "", for: row[0].text ?? "")
          _ = try connection.rows("UPDATE keys SET secret = $1 WHERE id = $2", [.text(sealed), row[0]])
        }
      }
    }
  }

  // MARK: Keys

  func add(_ key: Key, digest: String) throws {
    try rows(
      "INSERT INTO keys (id, tenant, digest, scopes, callbacks, secret, created, expires) VALUES ($1,$2,$3,$4,$5,$6,$7,$8)",
      .text(key.id), .text(key.tenant), .text(digest), .text(key.scopes.joined(separator: " ")),
      .text(key.callbacks.joined(separator: " ")), .text(key.secret), .number(key.created), SQLValue(key.expires))
  }

  private static let keyColumns = "id, tenant, scopes, callbacks, secret, created, expires, revoked"

  private static func key(_ row: [SQLValue]) -> Key {
    func words(_ value: SQLValue) -> [String] { (value.text ?? "").split(separator: " ").map(String.init) }
    return Key(
      id: row[0].text ?? "", tenant: row[1].text ?? "", scopes: words(row[2]), callbacks: words(row[3]),
      secret: row[4].text ?? "", created: row[5].number ?? 0, expires: row[6].number, revoked: row[7].number)
  }

  func key(digest: String) throws -> Key? {
    try rows("SELECT \(Self.keyColumns) FROM keys WHERE digest = $1", .text(digest)).first.map(Self.key)
  }

  func keys() throws -> [Key] { try rows("SELECT \(Self.keyColumns) FROM keys ORDER BY created").map(Self.key) }

  /// - Returns: whether the key existed and was not revoked yet.
  func revoke(_ id: String, at now: Double) throws -> Bool {
    try !rows("UPDATE keys SET revoked = $1 WHERE id = $2 AND revoked IS NULL RETURNING id", .number(now), .text(id))
      .isEmpty
  }

  // MARK: Sessions

  private static let sessionColumns =
    "id, tenant, account, node, state, created, start_by, expires, finished, runs, request, result, wipe_at, nonce"

  private static func session(_ row: [SQLValue]) -> Session {
    func json(_ value: SQLValue) -> JSONValue {
      value.text.flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .null
    }
    return Session(
      id: row[0].text ?? "", tenant: row[1].text ?? "", account: row[2].text ?? "", node: row[3].text ?? "",
      state: row[4].text.flatMap(Session.State.init) ?? .interrupted, created: row[5].number ?? 0,
      startBy: row[6].number ?? 0, expires: row[7].number ?? 0, finished: row[8].number, runs: row[9].integer ?? 1,
      request: json(row[10]), nonce: decodedHexadecimal(row[13].text ?? "") ?? [], result: json(row[11]),
      wipeAt: row[12].number)
  }

  /// - Parameter person: the pseudonym of the person (``ServerSecrets/person(_:of:)``); nil if unknown.
  func add(_ session: Session, pageDigest: String?, sessionDigest: String?, person: String?) throws {
    try rows(
      """
      INSERT INTO sessions (id, tenant, account, node, state, created, start_by, expires, runs, page_digest, \
      session_digest, request, nonce, person) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)
      """, .text(session.id), .text(session.tenant), .text(session.account), .text(session.node),
      .text(session.state.rawValue), .number(session.created), .number(session.startBy), .number(session.expires),
      .integer(session.runs), SQLValue(pageDigest), SQLValue(sessionDigest), .text(session.request.text),
      .text(hexadecimal(session.nonce)), SQLValue(person))
  }

  func session(_ id: String) throws -> Session? {
    try rows("SELECT \(Self.sessionColumns) FROM sessions WHERE id = $1", .text(id)).first.map(Self.session)
  }

  func session(pageDigest: String) throws -> Session? {
    try rows("SELECT \(Self.sessionColumns) FROM sessions WHERE page_digest = $1", .text(pageDigest)).first.map(
      Self.session)
  }

  func session(sessionDigest: String) throws -> Session? {
    try rows("SELECT \(Self.sessionColumns) FROM sessions WHERE session_digest = $1", .text(sessionDigest)).first.map(
      Self.session)
  }

  /// Assigns a created session to the page that has its token; succeeds once.
  ///
  /// - Returns: false if another request was faster.
  func claim(_ id: String, sessionDigest: String, node: String, expires: Double) throws -> Bool {
    try !rows(
      """
      UPDATE sessions SET state = 'claimed', session_digest = $1, node = $2, expires = $3 WHERE id = $4 AND \
      state = 'created' RETURNING id
      """, .text(sessionDigest), .text(node), .number(expires), .text(id)
    ).isEmpty
  }

  /// Restarts an interrupted session on this node.
  ///
  /// - Returns: false if another request was faster.
  func adopt(_ id: String, sessionDigest: String, node: String, nonce: [UInt8]) throws -> Bool {
    try !rows(
      """
      UPDATE sessions SET state = 'claimed', session_digest = $1, node = $2, runs = runs + 1, finished = NULL, nonce = $3 \
      WHERE id = $4 AND state = 'interrupted' RETURNING id
      """, .text(sessionDigest), .text(node), .text(hexadecimal(nonce)), .text(id)
    ).isEmpty
  }

  /// Makes an interrupted or expired session claimable again.
  ///
  /// - Returns: false if another request was faster.
  func renew(_ session: Session, pageDigest: String) throws -> Bool {
    try !rows(
      """
      UPDATE sessions SET state = 'created', node = $1, start_by = $2, expires = $3, runs = runs + 1, page_digest = $4, \
      session_digest = NULL, request = $5, nonce = $6, finished = NULL, wipe_at = NULL WHERE id = $7 AND state IN ('interrupted', 'expired') \
      RETURNING id
      """, .text(session.node), .number(session.startBy), .number(session.expires), .text(pageDigest),
      .text(session.request.text), .text(hexadecimal(session.nonce)), .text(session.id)
    ).isEmpty
  }

  /// Marks a session as active: the person has begun.
  func begin(_ id: String) throws {
    try rows("UPDATE sessions SET state = 'active' WHERE id = $1 AND state = 'claimed'", .text(id))
  }

  func extend(_ id: String, to expires: Double) throws {
    try rows("UPDATE sessions SET expires = $1 WHERE id = $2", .number(expires), .text(id))
  }

  /// Writes an event of a session. Idempotent for results: a retry after a failure of unknown extent stores nothing
  /// twice.
  func write(_ entry: Entry, at now: Double) throws {
    try use(connection) { connection in
      try connection.transaction {
        guard let end = entry.end else {
          _ = try Self.chain(connection, entry)
          return
        }
        let known = try connection.rows(
          "SELECT 1 FROM sessions WHERE id = $1 AND state = 'finished' AND finished = $2",
          [.text(entry.session), .number(entry.at)])
        guard known.isEmpty else { return }
        let row = try connection.rows("SELECT state, node FROM sessions WHERE id = $1", [.text(entry.session)]).first
        if row == nil {
          let deleted = try connection.rows(
            "SELECT 1 FROM audit WHERE tenant = $1 AND session = $2 AND kind = 'deleted'",
            [.text(entry.tenant), .text(entry.session)])
          // As of a database that was restored from an older copy: the result waits for the right one.
          guard !deleted.isEmpty else {
            throw VerifyError(.damaged, "the database does not have the session \(entry.session), which has a result")
          }
        }
        guard let row, row[0].text != Session.State.cleared.rawValue, row[1].text == end.node else {
          // It was wiped meanwhile, or begun again on another node.
          _ = try Self.chain(
            connection,
            Entry(
              kind: "result-superseded", tenant: entry.tenant, session: entry.session, detail: entry.detail,
              at: entry.at))
          return
        }
        let head = try Self.chain(connection, entry)
        let answer = PhotoRecord.with(
          "audit", ["sequence": .integer(head.sequence), "head": .string("sha256:" + head.hash)], in: end.answer)
        let written = try connection.rows(
          """
          UPDATE sessions SET state = 'finished', finished = $1, outcome = $2, result = $3, wipe_at = $4, request = $5 \
          WHERE id = $6 AND state <> 'cleared' AND node = $7 RETURNING id
          """,
          [
            .number(entry.at), .text(end.outcome), .text(answer.text), .number(now + end.resultSeconds),
            .text(end.request.text), .text(entry.session), .text(end.node),
          ])
        // Another node was faster: the next try sees it.
        guard !written.isEmpty else { throw VerifyError(.busy, "the session \(entry.session) was just changed") }
        try Self.enqueue(
          connection, "finished", id: entry.session, tenant: entry.tenant,
          callback: end.request["callbackUrl"]?.string, at: now)
      }
    }
  }

  func clear(_ id: String) throws {
    try rows(
      "UPDATE sessions SET state = 'cleared', result = NULL, request = '{}', nonce = '', wipe_at = NULL, person = NULL WHERE id = $1",
      .text(id))
    try rows("DELETE FROM entities WHERE session = $1", .text(id))
    try checkpoint()
  }

  func delete(_ id: String) throws {
    try rows("DELETE FROM sessions WHERE id = $1", .text(id))
    try rows("DELETE FROM entities WHERE session = $1", .text(id))
    try checkpoint()
  }

  private func checkpoint() throws {
    try use(connection) { try ($0 as? SQLiteConnection)?.checkpoint() }
  }

  /// Returns the number of a person's sessions since a time that ended without a pass.
  func failures(tenant: String, person: String, since: Double) throws -> Int {
    try rows(
      """
      SELECT COUNT(*) FROM sessions WHERE tenant = $1 AND person = $2 AND created > $3 AND finished IS NOT NULL \
      AND COALESCE(outcome, '') <> 'passed'
      """, .text(tenant), .text(person), .number(since)
    ).first?[0].integer ?? 0
  }

  /// Seconds for which the request of a session without a result is kept, because it may be restarted.
  private static let remembrance = 86400.0

  /// Writes the heartbeat, expires and wipes one batch of rows, and interrupts the sessions of dead nodes.
  ///
  /// - Returns: whether there may be more rows, and whether some were wiped: ``checkpointKeeper()`` is then due at the
  ///   end.
  func sweep(at now: Double, node: String, heartbeat: Double) throws -> (isMore: Bool, isWiped: Bool) {
    try use(keeper) { connection in
      try connection.transaction {
        try Self.beat(connection, node, at: now)
        let limit = SQLValue.integer(Self.batch)
        // The states are tested in both places, because another node may have been faster.
        let expired = try connection.rows(
          """
          UPDATE sessions SET state = 'expired', finished = $1, wipe_at = $2 WHERE state = 'created' AND id IN \
          (SELECT id FROM sessions WHERE state = 'created' AND start_by < $1 LIMIT $3) RETURNING \(Self.sessionColumns)
          """, [.number(now), .number(now + Self.remembrance), limit])
        let lost = try connection.rows(
          """
          UPDATE sessions SET state = 'interrupted', finished = $1 WHERE state IN ('claimed', 'active') AND id IN \
          (SELECT id FROM sessions WHERE state IN ('claimed', 'active') AND node IN \
          (SELECT name FROM nodes WHERE at < $2) LIMIT $3) RETURNING \(Self.sessionColumns)
          """, [.number(now), .number(now - heartbeat), limit])
        let late = try connection.rows(
          """
          UPDATE sessions SET state = 'expired', finished = $1, wipe_at = $2 WHERE state IN ('claimed', 'active', \
          'interrupted') AND id IN (SELECT id FROM sessions WHERE state IN ('claimed', 'active', 'interrupted') \
          AND expires < $3 LIMIT $4) RETURNING \(Self.sessionColumns)
          """, [.number(now), .number(now + Self.remembrance), .number(now - 60), limit])
        for row in expired + lost + late { try Self.tell(connection, Self.session(row), at: now) }
        let wiped = try connection.rows(
          """
          UPDATE sessions SET result = NULL, request = '{}', nonce = '', wipe_at = NULL, person = NULL, state = 'cleared' \
          WHERE id IN (SELECT id FROM sessions WHERE wipe_at < $1 LIMIT $2) RETURNING id
          """, [.number(now), limit])
        for row in wiped { _ = try connection.rows("DELETE FROM entities WHERE session = $1", [row[0]]) }
        let names = try connection.rows(
          """
          DELETE FROM idempotency WHERE at < $1 AND (tenant, name) IN \
          (SELECT tenant, name FROM idempotency WHERE at < $1 LIMIT $2) RETURNING name
          """, [.number(now - 86400), limit])
        let isMore = [expired, lost, late, wiped, names].contains { $0.count == Self.batch }
        return (isMore, !wiped.isEmpty)
      }
    }
  }

  /// Truncates the write-ahead log after the sweep wiped rows.
  func checkpointKeeper() throws { try use(keeper) { try ($0 as? SQLiteConnection)?.checkpoint() } }

  /// Interrupts the sessions that this node was leading when it stopped.
  func interruptAll(of node: String, at now: Double) throws {
    try use(connection) { connection in
      try connection.transaction {
        for row in try connection.rows(
          """
          UPDATE sessions SET state = 'interrupted', finished = $1 WHERE state IN ('claimed', 'active') AND node = $2 \
          RETURNING \(Self.sessionColumns)
          """, [.number(now), .text(node)])
        {
          try Self.tell(connection, Self.session(row), at: now)
        }
      }
    }
  }

  /// Adds an audit entry and a webhook for a session that ended without a result.
  private static func tell(_ connection: any SQLConnection, _ lost: Session, at now: Double) throws {
    let state = lost.state.rawValue
    _ = try chain(
      connection, Entry(kind: state, tenant: lost.tenant, session: lost.id, detail: [:], at: now))
    try enqueue(
      connection, state, id: lost.id, tenant: lost.tenant, callback: lost.request["callbackUrl"]?.string, at: now)
  }

  // MARK: Idempotency

  /// Reserves an idempotency key for a new request.
  ///
  /// - Returns: the session that the same request created before; nil for a first request.
  /// - Throws: a ``Problem`` if the key was used for a different request, or the first one is still being handled.
  func reserve(_ name: String, tenant: String, digest: String, at now: Double) throws -> String? {
    let isFirst = try !rows(
      """
      INSERT INTO idempotency (tenant, name, digest, at) VALUES ($1,$2,$3,$4) ON CONFLICT (tenant, name) DO UPDATE SET \
      at = excluded.at, digest = excluded.digest WHERE idempotency.session IS NULL AND idempotency.at < $5 RETURNING name
      """, .text(tenant), .text(name), .text(digest), .number(now), .number(now - 60)
    ).isEmpty
    if isFirst { return nil }
    let row = try rows(
      "SELECT digest, session FROM idempotency WHERE tenant = $1 AND name = $2", .text(tenant), .text(name)
    ).first
    guard row?[0].text == digest else {
      throw Problem(422, "This Idempotency-Key was used for another request: make a new one.")
    }
    guard let session = row?[1].text else {
      throw Problem(503, "The same request is just being answered.", retryAfter: 1)
    }
    return session
  }

  func keep(_ session: String, tenant: String, name: String) throws {
    try rows(
      "UPDATE idempotency SET session = $1 WHERE tenant = $2 AND name = $3", .text(session), .text(tenant), .text(name))
  }

  func release(_ name: String, tenant: String) throws {
    try rows(
      "DELETE FROM idempotency WHERE tenant = $1 AND name = $2 AND session IS NULL", .text(tenant), .text(name))
  }

  // MARK: Entities

  /// - Returns: false if the session already has ``maximumEntities``.
  func addEntity(_ id: String, session: String, payload: JSONValue, at now: Double) throws -> Bool {
    try !rows(
      """
      INSERT INTO entities (id, session, payload, created) SELECT $1, $2, $3, CAST($4 AS DOUBLE PRECISION) WHERE \
      (SELECT COUNT(*) FROM entities WHERE session = $2) < $5 RETURNING id
      """, .text(id), .text(session), .text(payload.text), .number(now), .integer(Self.maximumEntities)
    ).isEmpty
  }

  // MARK: Audit

  /// The hash before the first entry.
  static let firstHash = String(repeating: "0", count: 64)

  /// Appends an entry to the hash chain.
  func audit(_ kind: String, tenant: String, session: String = "", _ detail: JSONValue = [:], at now: Double) throws {
    try write(Entry(kind: kind, tenant: tenant, session: session, detail: detail, at: now), at: now)
  }

  /// Appends an entry; must be called in a transaction.
  private static func chain(_ connection: any SQLConnection, _ added: Entry) throws -> (sequence: Int, hash: String) {
    // Locks the head until the end of the transaction, which serialises the entries of several nodes.
    let head = try connection.rows(
      "UPDATE audit_head SET sequence = sequence + 1 WHERE one = 1 RETURNING sequence, hash", [])
    guard let sequence = head.first?[0].integer, let previous = head.first?[1].text else {
      throw VerifyError(.damaged, "the database has no head of the audit: restore it from a copy")
    }
    let entry = AuditEntry(
      sequence: sequence, at: added.at, tenant: added.tenant, session: added.session, kind: added.kind,
      detail: added.detail, previous: previous, hash: "")
    let hash = entry.computedHash
    _ = try connection.rows(
      "INSERT INTO audit (sequence, at, tenant, session, kind, detail, previous, hash) VALUES ($1,$2,$3,$4,$5,$6,$7,$8)",
      [
        .integer(sequence), .number(added.at), .text(added.tenant), .text(added.session), .text(added.kind),
        .text(String(decoding: added.detail.canonical, as: UTF8.self)), .text(previous), .text(hash),
      ])
    _ = try connection.rows("UPDATE audit_head SET hash = $1 WHERE one = 1", [.text(hash)])
    return (sequence, hash)
  }

  /// - Parameter tenant: nil for all.
  func auditEntries(after sequence: Int, limit: Int, tenant: String? = nil) throws -> [AuditEntry] {
    let columns = "SELECT sequence, at, tenant, session, kind, detail, previous, hash FROM audit"
    let found =
      if let tenant {
        try rows(
          "\(columns) WHERE tenant = $1 AND sequence > $2 ORDER BY sequence LIMIT $3", .text(tenant),
          .integer(sequence),
          .integer(limit))
      } else {
        try rows("\(columns) WHERE sequence > $1 ORDER BY sequence LIMIT $2", .integer(sequence), .integer(limit))
      }
    return found.map { row in
      AuditEntry(
        sequence: row[0].integer ?? 0, at: row[1].number ?? 0, tenant: row[2].text ?? "", session: row[3].text ?? "",
        kind: row[4].text ?? "", detail: (try? JSONValue(parsing: Array((row[5].text ?? "").utf8))) ?? .null,
        previous: row[6].text ?? "", hash: row[7].text ?? "")
    }
  }

  /// Returns the end of the hash chain.
  func auditHead() throws -> (sequence: Int, hash: String) {
    let row = try rows("SELECT sequence, hash FROM audit_head WHERE one = 1").first ?? []
    return (row.first?.integer ?? 0, row.last?.text ?? "")
  }

  // MARK: Webhooks

  /// Adds a webhook to the outbox; must be called in a transaction.
  private static func enqueue(
    _ connection: any SQLConnection, _ state: String, id: String, tenant: String, callback: String?, at now: Double
  ) throws {
    guard let callback else { return }
    let delivery = FaceServer.identifier()
    let body: JSONValue = [
      "event": .string("session.\(state)"), "workflowExecutionId": .string(id), "state": .string(state),
      "at": .string(timestamp(now)), "id": .string(delivery),
    ]
    _ = try connection.rows(
      "INSERT INTO outbox (id, url, body, secret, due, tries, tenant, receiver) VALUES ($1,$2,$3,'',$4,0,$5,$6)",
      [
        .text(delivery), .text(callback), .text(String(decoding: body.canonical, as: UTF8.self)), .number(now),
        .text(tenant), .text(receiver(tenant, callback)),
      ])
  }

  private static func receiver(_ tenant: String, _ url: String) -> String {
    // "https://host:port", the first three parts between slashes, without a query.
    "\(tenant) "
      + url.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }

  /// Returns due deliveries and postpones them until `again`, so that no other node sends them too.
  ///
  /// - Parameters:
  ///   - busy: number of open deliveries per receiver.
  ///   - each: maximum number of open deliveries per receiver.
  func takeDue(at now: Double, again: Double, busy: [String: Int], each: Int) throws -> [Delivery] {
    // Lists the distinct receivers with one index search each.
    let receivers = try rows(
      """
      WITH RECURSIVE found (receiver) AS (SELECT MIN(receiver) FROM outbox UNION ALL \
      SELECT (SELECT MIN(outbox.receiver) FROM outbox WHERE outbox.receiver > found.receiver) FROM found \
      WHERE found.receiver IS NOT NULL) SELECT receiver FROM found WHERE receiver IS NOT NULL
      """)
    return try receivers.compactMap { $0[0].text }.flatMap { receiver -> [Delivery] in
      let free = each - (busy[receiver] ?? 0)
      guard free > 0 else { return [] }
      return try rows(
        """
        UPDATE outbox SET due = $1, tries = tries + 1 WHERE due <= $2 AND id IN (SELECT id FROM outbox WHERE \
        receiver = $3 AND due <= $2 ORDER BY due LIMIT $4) RETURNING id, tenant, url, body, tries
        """, .number(again), .number(now), .text(receiver), .integer(free)
      ).map {
        Delivery(
          id: $0[0].text ?? "", tenant: $0[1].text ?? "", url: $0[2].text ?? "", body: $0[3].text ?? "",
          tries: $0[4].integer ?? 0, receiver: receiver)
      }
    }
  }

  func putOff(_ id: String, to due: Double) throws {
    try rows("UPDATE outbox SET due = $1 WHERE id = $2", .number(due), .text(id))
  }

  func removeDelivery(_ id: String) throws { try rows("DELETE FROM outbox WHERE id = $1", .text(id)) }
}

/// A failure of the database. Its message names files and is only for the log.
struct StoreFailure: Error, CustomStringConvertible {
  let cause: VerifyError
  var description: String { cause.message }
}

extension ServerStore.Entry {
  var jsonValue: JSONValue {
    [
      "kind": .string(kind), "tenant": .string(tenant), "session": .string(session), "detail": detail,
      "at": .number(at),
      "end": end.map { end in
        [
          "node": .string(end.node), "outcome": .string(end.outcome), "answer": end.answer, "request": end.request,
          "resultSeconds": .number(end.resultSeconds),
        ]
      } ?? .null,
    ]
  }

  /// - Throws: ``VerifyError/Code/damaged``.
  init(_ json: JSONValue) throws {
    guard let kind = json["kind"]?.string, let tenant = json["tenant"]?.string, let session = json["session"]?.string,
      let detail = json["detail"], let at = json["at"]?.double
    else { throw VerifyError(.damaged, "an entry that was to be stored lacks a member") }
    self.init(kind: kind, tenant: tenant, session: session, detail: detail, at: at)
    guard let end = json["end"], end != .null else { return }
    guard let node = end["node"]?.string, let outcome = end["outcome"]?.string, let answer = end["answer"],
      let request = end["request"], let seconds = end["resultSeconds"]?.double
    else { throw VerifyError(.damaged, "a result that was to be stored lacks a member") }
    self.end = End(node: node, outcome: outcome, answer: answer, request: request, resultSeconds: seconds)
  }
}

extension ServerStore.AuditEntry: JSONConvertible {
  private var members: [String: JSONValue] {
    [
      "sequence": .integer(sequence), "at": .number(at), "tenant": .string(tenant), "session": .string(session),
      "kind": .string(kind), "detail": detail, "previous": .string(previous),
    ]
  }

  /// SHA-256 of all other members of the entry, in canonical JSON (RFC 8785).
  var computedHash: String { sha256(JSONValue.object(members).canonical) }

  var jsonValue: JSONValue { .object(members.merging(["hash": .string(hash)]) { $1 }) }
}
