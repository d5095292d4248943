internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyStore

extension ServerStore {
  /// The state of a session that all nodes share.
  struct Session: TenantRow {
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

    /// The hash by which an operator verifies the nonce of the result.
    var commitment: JSONValue { .string(PageSession.commitment(nonce)) }

    /// The members of all descriptions of the session.
    var members: [String: JSONValue] {
      [
        "accountId": .string(account), "workflowExecutionId": .string(id), "state": .string(state.rawValue),
        "mode": .string(TestTenant.mode(of: tenant)),
        "startBy": .string(timestamp(startBy)), "expires": .string(timestamp(expires)), "commitment": commitment,
      ]
    }
  }

  /// Rows changed per transaction of the sweep, which blocks other writers.
  static let batch = 200
  static let maximumEntities = 32
  /// Seconds for which the request of a session without a result is kept, because it may be restarted.
  private static let remembrance = 86400.0
  /// The changes that wipe the content of a session.
  private static let wipe = """
    state = 'cleared', result = NULL, request = '{}', nonce = '', wipe_at = NULL, person = NULL
    """
  private static let columns =
    "id, tenant, account, node, state, created, start_by, expires, finished, runs, request, result, wipe_at, nonce"

  private static func session(_ row: [SQLValue]) -> Session {
    Session(
      id: row.text(0), tenant: row.text(1), account: row.text(2), node: row.text(3),
      state: row[4].text.flatMap(Session.State.init) ?? .interrupted, created: row.number(5), startBy: row.number(6),
      expires: row.number(7), finished: row[8].number, runs: row[9].integer ?? 1, request: row.json(10),
      nonce: decodedHexadecimal(row.text(13)) ?? [], result: row.json(11), wipeAt: row[12].number)
  }

  /// The Idempotency-Key of a request, and the hash of its body.
  struct IdempotencyKey {
    let name: String
    let digest: String
  }

  /// Adds a session together with its idempotency key: whatever fails, the key leads to the session, or neither exists.
  ///
  /// - Parameter person: the pseudonym of the person (``ServerSecrets/person(_:of:)``); nil if unknown.
  /// - Returns: nil, or the id of the session that the same request created meanwhile.
  /// - Throws: a ``Problem`` if the key was used for a different request.
  @discardableResult
  func add(
    _ session: Session, pageDigest: String? = nil, person: String? = nil, key: IdempotencyKey? = nil
  ) throws -> String? {
    try transaction(on: connection) { connection in
      if let key {
        let isFirst = try !connection.rows(
          """
          INSERT INTO idempotency (tenant, name, digest, session, at) VALUES ($1,$2,$3,$4,$5) ON CONFLICT (tenant, name) \
          DO UPDATE SET digest = excluded.digest, session = excluded.session, at = excluded.at \
          WHERE idempotency.session IS NULL RETURNING name
          """,
          [
            .text(session.tenant), .text(key.name), .text(key.digest), .text(session.id), .number(session.created),
          ]
        ).isEmpty
        guard isFirst else { return try Self.session(of: key, tenant: session.tenant, connection) }
      }
      try connection.rows(
        """
        INSERT INTO sessions (id, tenant, account, node, state, created, start_by, expires, runs, page_digest, request, \
        nonce, person) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)
        """,
        [
          .text(session.id), .text(session.tenant), .text(session.account), .text(session.node),
          .text(session.state.rawValue), .number(session.created), .number(session.startBy), .number(session.expires),
          SQLValue(session.runs), SQLValue(pageDigest), .text(session.request.text),
          .text(hexadecimal(session.nonce)), SQLValue(person),
        ])
      return nil
    }
  }

  /// Returns the id of the session that a request with this key created; nil if there is none.
  ///
  /// - Throws: a ``Problem`` if the key was used for a different request.
  func session(of key: IdempotencyKey, tenant: String) throws -> String? {
    try use(connection) { try Self.session(of: key, tenant: tenant, $0) }
  }

  private static func session(of key: IdempotencyKey, tenant: String, _ connection: any SQLConnection) throws
    -> String?
  {
    let row = try connection.rows(
      "SELECT digest, session FROM idempotency WHERE tenant = $1 AND name = $2", [.text(tenant), .text(key.name)]
    ).first
    guard let row, let session = row[1].text else { return nil }
    guard row[0].text == key.digest else {
      throw Problem(422, "This Idempotency-Key was used for a different request: use a new key.")
    }
    return session
  }

  func session(_ id: String) throws -> Session? { try session("id", id) }
  func session(pageDigest: String) throws -> Session? { try session("page_digest", pageDigest) }
  func session(sessionDigest: String) throws -> Session? { try session("session_digest", sessionDigest) }

  private func session(_ column: String, _ value: String) throws -> Session? {
    try rows("SELECT \(Self.columns) FROM sessions WHERE \(column) = $1", .text(value)).first.map(Self.session)
  }

  /// Returns a tenant's sessions, the last created first.
  ///
  /// - Parameters:
  ///   - person: as in ``add(_:pageDigest:sessionDigest:person:)``; nil for any.
  ///   - before: the cursor, the last session of the previous page; nil for the first page.
  func sessions(
    tenant: String, state: Session.State?, person: String?, before: Session?, limit: Int
  ) throws -> [Session] {
    var conditions = SQLConditions("tenant = $", .text(tenant))
    if let state { conditions.add("state = $", .text(state.rawValue)) }
    if let person { conditions.add("person = $", .text(person)) }
    if let before { conditions.add(before: before.created, before.id, "created", "id") }
    return try use(connection) {
      try $0.rows(
        """
        SELECT \(Self.columns) FROM sessions WHERE \(conditions.sql) ORDER BY created DESC, id DESC LIMIT \(limit)
        """, conditions.values)
    }.map(Self.session)
  }

  /// Assigns a created session to the page that has its token; false if another request was faster.
  func claim(_ id: String, sessionDigest: String, node: String, expires: Double) throws -> Bool {
    try !rows(
      """
      UPDATE sessions SET state = 'claimed', session_digest = $1, node = $2, expires = $3 WHERE id = $4 AND \
      state = 'created' RETURNING id
      """, .text(sessionDigest), .text(node), .number(expires), .text(id)
    ).isEmpty
  }

  /// Restarts an interrupted session on this node; false if another request was faster.
  func adopt(_ id: String, sessionDigest: String, node: String, nonce: [UInt8]) throws -> Bool {
    try !rows(
      """
      UPDATE sessions SET state = 'claimed', session_digest = $1, node = $2, runs = runs + 1, finished = NULL, nonce = $3 \
      WHERE id = $4 AND state = 'interrupted' RETURNING id
      """, .text(sessionDigest), .text(node), .text(hexadecimal(nonce)), .text(id)
    ).isEmpty
  }

  /// Makes an interrupted or expired session claimable again; false if another request was faster.
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

  /// A change of a session's row, in the journal like the audit's entries.
  enum Change: String {
    /// The person has begun.
    case begin
    /// Of its time; the detail is the new end.
    case extend
    /// To another device; the detail is the digest of its token.
    case handOver = "hand-over"
    /// Without a result, as the sweep does; the detail is the state.
    case end
  }

  static func make(_ change: Change, _ entry: Entry, _ connection: any SQLConnection) throws {
    let id = SQLValue.text(entry.session)
    switch change {
    case .begin:
      try connection.rows("UPDATE sessions SET state = 'active' WHERE id = $1 AND state = 'claimed'", [id])
    case .extend:
      try connection.rows("UPDATE sessions SET expires = $1 WHERE id = $2", [SQLValue(entry.detail.double), id])
    case .handOver:
      try connection.rows(
        "UPDATE sessions SET session_digest = $1 WHERE id = $2 AND state IN ('claimed', 'active')",
        [SQLValue(entry.detail.string), id])
    case .end:
      let state = entry.detail.string ?? ""
      let wipeAt = state == Session.State.expired.rawValue ? entry.at + remembrance : nil
      let rows = try connection.rows(
        "UPDATE sessions SET state = $1, finished = $2, wipe_at = $3 WHERE id = $4 RETURNING \(columns)",
        [.text(state), .number(entry.at), SQLValue(wipeAt), id])
      for row in rows { try announce(connection, session(row), at: entry.at) }
    }
  }

  func clear(_ id: String) throws { try remove("UPDATE sessions SET \(Self.wipe)", id) }
  func delete(_ id: String) throws { try remove("DELETE FROM sessions", id) }

  private func remove(_ change: String, _ id: String) throws {
    try rows("\(change) WHERE id = $1", .text(id))
    try rows("DELETE FROM entities WHERE session = $1", .text(id))
    try checkpoint(connection)
  }

  /// The kind of the entry that counts an attempt.
  static let attempt = "attempt"
  /// Seconds for which an attempt counts.
  private static let day = 86400.0

  /// Returns the number of a person's attempts within a day, without those that passed or that the server ended.
  func attempts(tenant: String, person: String, at now: Double) throws -> Int {
    try rows(
      "SELECT COUNT(*) FROM attempts WHERE tenant = $1 AND person = $2 AND at > $3", .text(tenant), .text(person),
      .number(now - Self.day)
    ).first?[0].integer ?? 0
  }

  /// Whether the session's person has more attempts within a day than a limit.
  static func hasTooMany(_ connection: any SQLConnection, _ entry: Entry, limit: Int) throws -> Bool {
    let count = try connection.rows(
      """
      SELECT COUNT(*) FROM attempts JOIN sessions ON attempts.tenant = sessions.tenant AND \
      attempts.person = sessions.person WHERE sessions.id = $1 AND attempts.at > $2
      """, [.text(entry.session), .number(entry.at - day)])
    return count.first?[0].integer ?? 0 > limit
  }

  /// Counts an attempt of the session's person. It outlives the session: wiping that frees no attempt.
  static func count(_ connection: any SQLConnection, _ entry: Entry) throws {
    try connection.rows(
      """
      INSERT INTO attempts (session, run, tenant, person, at) SELECT id, runs, tenant, person, \
      CAST($1 AS DOUBLE PRECISION) FROM sessions WHERE id = $2 AND person IS NOT NULL ON CONFLICT DO NOTHING
      """, [.number(entry.at), .text(entry.session)])
  }

  /// Removes the attempt of a session that passed or that the server ended. Of several open attempts, it is unknown
  /// which one an interruption ended, and which ones the person has left: all count.
  static func forgive(_ connection: any SQLConnection, _ session: String, isInterrupted: Bool = false) throws {
    let isOnly = """
      AND NOT EXISTS (SELECT 1 FROM attempts other JOIN sessions ON sessions.id = other.session WHERE \
      other.tenant = attempts.tenant AND other.person = attempts.person AND other.session <> attempts.session AND \
      sessions.state IN ('claimed', 'active', 'interrupted'))
      """
    try connection.rows(
      "DELETE FROM attempts WHERE session = $1 AND run = (SELECT runs FROM sessions WHERE id = $1) "
        + (isInterrupted ? isOnly : ""), [.text(session)])
  }

  /// Writes the heartbeat, expires and wipes one batch of rows, and interrupts the sessions of dead nodes.
  ///
  /// - Returns: whether there may be more rows, and whether some were wiped: the caller must then checkpoint ``keeper``.
  func sweep(at now: Double, node: String, heartbeat: Double) throws -> (isMore: Bool, isWiped: Bool) {
    try transaction(on: keeper) { connection in
      try Self.beat(connection, node, at: now)
      let limit = SQLValue(Self.batch)
      /// The condition is tested in both places, because another node may have been faster.
      func change(_ change: String, _ states: String, _ condition: String, _ values: SQLValue...) throws -> [[SQLValue]]
      {
        let rows = try connection.rows(
          """
          UPDATE sessions SET \(change) WHERE state IN (\(states)) AND id IN (SELECT id FROM sessions WHERE \
          state IN (\(states)) AND \(condition)) RETURNING \(Self.columns)
          """, values + [limit])
        for row in rows { try Self.announce(connection, Self.session(row), at: now) }
        return rows
      }
      let expire = "state = 'expired', finished = $1, wipe_at = $2"
      let wipeAt = SQLValue.number(now + Self.remembrance)
      let expired = try change(expire, "'created'", "start_by < $1 LIMIT $3", .number(now), wipeAt)
      let lost = try change(
        "state = 'interrupted', finished = $1", "'claimed', 'active'",
        "node IN (SELECT name FROM nodes WHERE at < $2) LIMIT $3", .number(now), .number(now - heartbeat))
      let late = try change(
        expire, "'claimed', 'active', 'interrupted'", "expires < $3 LIMIT $4", .number(now), wipeAt, .number(now - 60))
      let wiped = try connection.rows(
        """
        UPDATE sessions SET \(Self.wipe) WHERE id IN (SELECT id FROM sessions WHERE wipe_at < $1 LIMIT $2) RETURNING id
        """, [.number(now), limit])
      for row in wiped { try connection.rows("DELETE FROM entities WHERE session = $1", [row[0]]) }
      let names = try connection.rows(
        """
        DELETE FROM idempotency WHERE at < $1 AND (tenant, name) IN \
        (SELECT tenant, name FROM idempotency WHERE at < $1 LIMIT $2) RETURNING name
        """, [.number(now - 86400), limit])
      try connection.rows("DELETE FROM attempts WHERE at < $1", [.number(now - Self.day)])
      let events = try Self.sweepEvents(connection, at: now)
      let isMore = ([expired, lost, late, wiped, names].map(\.count) + [events]).contains(Self.batch)
      return (isMore, !wiped.isEmpty)
    }
  }

  /// Interrupts the sessions that this node was leading when it stopped.
  func interruptAll(of node: String, at now: Double) throws {
    try transaction(on: connection) { connection in
      let rows = try connection.rows(
        """
        UPDATE sessions SET state = 'interrupted', finished = $1 WHERE state IN ('claimed', 'active') AND node = $2 \
        RETURNING \(Self.columns)
        """, [.number(now), .text(node)])
      for row in rows { try Self.announce(connection, Self.session(row), at: now) }
    }
  }

  /// Adds an audit entry and a webhook for a session that ended without a result.
  private static func announce(_ connection: any SQLConnection, _ lost: Session, at now: Double) throws {
    let state = lost.state.rawValue
    if lost.state == .interrupted { try forgive(connection, lost.id, isInterrupted: true) }
    try chain(connection, Entry(kind: state, tenant: lost.tenant, session: lost.id, detail: [:], at: now))
    try enqueue(
      connection, state, id: lost.id, tenant: lost.tenant, callback: lost.request["callbackUrl"]?.string, at: now)
  }

  // MARK: Entities

  /// - Returns: false if the session already has ``maximumEntities``.
  func addEntity(_ id: String, session: String, payload: JSONValue, at now: Double) throws -> Bool {
    try !rows(
      """
      INSERT INTO entities (id, session, payload, created) SELECT $1, $2, $3, CAST($4 AS DOUBLE PRECISION) WHERE \
      (SELECT COUNT(*) FROM entities WHERE session = $2) < $5 RETURNING id
      """, .text(id), .text(session), .text(payload.text), .number(now), SQLValue(Self.maximumEntities)
    ).isEmpty
  }
}
