internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyStore

// The ends of sessions, and their webhooks: the outbox.

extension ServerStore {
  /// The end of a run of a session, and the state of its webhook.
  struct Event: TenantRow {
    /// The state of a webhook.
    enum Delivery: String, Sendable {
      case waiting, delivered
      case givenUp = "given-up"
    }

    let id: String
    let tenant: String
    let session: String
    /// The state with which the session ended.
    let state: String
    let at: Double
    /// The webhook's address; nil if the session has none.
    let url: String?
    /// When the webhook is sent next; nil if it is not.
    let due: Double?
    /// Number of attempts since the event, or since it was last redelivered.
    let tries: Int
    /// Time of the last attempt.
    let tried: Double?
    /// Status and fault of the last attempt.
    let status: Int?
    let fault: String?
    /// Time of the attempt that the receiver accepted.
    let delivered: Double?
    /// The session's result; null if it has none, and once it was wiped.
    let result: JSONValue

    var delivery: Delivery? {
      url == nil ? nil : due != nil ? .waiting : delivered != nil ? .delivered : .givenUp
    }

    /// As in ``ServerStore/receiver(_:_:)``.
    var receiver: String { ServerStore.receiver(tenant, url ?? "") }

    /// The body of the webhook.
    var members: [String: JSONValue] {
      [
        "id": .string(id), "event": .string("session.\(state)"), "workflowExecutionId": .string(session),
        "state": .string(state), "at": .string(timestamp(at)), "mode": .string(TestTenant.mode(of: tenant)),
        "result": result["result"] ?? .null,
        "assurance": result["assurance"] ?? .null,
      ]
    }
  }

  /// Seconds for which events are kept after the last delivery was due.
  private static let eventSeconds = 30 * 86400.0

  /// Adds an event, and its webhook if there is an address; must be called in a transaction.
  static func enqueue(
    _ connection: any SQLConnection, _ state: String, id: String, tenant: String, callback: String?, at now: Double
  ) throws {
    try connection.rows(
      """
      INSERT INTO events (id, tenant, session, state, at, url, receiver, due, tries) VALUES \
      ($1,$2,$3,$4,$5,$6,$7,$8,0)
      """,
      [
        .text(UUIDText.random()), .text(tenant), .text(id), .text(state), .number(now), SQLValue(callback),
        SQLValue(callback.map { receiver(tenant, $0) }), SQLValue(callback.map { _ in now }),
      ])
  }

  /// Tenant and origin: only deliveries to the same receiver wait for each other.
  static func receiver(_ tenant: String, _ url: String) -> String {
    // "https://host:port", the first three parts between slashes, without a query.
    "\(tenant) "
      + url.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }

  private static let eventQuery = """
    SELECT e.id, e.tenant, e.session, e.state, e.at, e.url, e.due, e.tries, e.tried, e.status, e.fault, e.delivered, \
    s.result FROM events e LEFT JOIN sessions s ON s.id = e.session AND e.state = 'finished'
    """

  private static func event(_ row: [SQLValue]) -> Event {
    Event(
      id: row.text(0), tenant: row.text(1), session: row.text(2), state: row.text(3), at: row.number(4),
      url: row[5].text, due: row[6].number, tries: row[7].integer ?? 0, tried: row[8].number, status: row[9].integer,
      fault: row[10].text, delivered: row[11].number, result: row.json(12))
  }

  func event(_ id: String) throws -> Event? {
    try rows("\(Self.eventQuery) WHERE e.id = $1", .text(id)).first.map(Self.event)
  }

  /// Returns a tenant's events, the last one first.
  ///
  /// - Parameter before: the cursor, the last event of the previous page; nil for the first page.
  func events(
    tenant: String, session: String?, delivery: Event.Delivery?, before: Event?, limit: Int
  ) throws -> [Event] {
    var conditions = SQLConditions("e.tenant = $", .text(tenant))
    if let session { conditions.add("e.session = $", .text(session)) }
    switch delivery {
    case .waiting: conditions.add("e.due IS NOT NULL")
    case .delivered: conditions.add("e.due IS NULL AND e.delivered IS NOT NULL")
    case .givenUp: conditions.add("e.url IS NOT NULL AND e.due IS NULL AND e.delivered IS NULL")
    case nil: break
    }
    if let before { conditions.add(before: before.at, before.id, "e.at", "e.id") }
    return try use(connection) {
      try $0.rows(
        "\(Self.eventQuery) WHERE \(conditions.sql) ORDER BY e.at DESC, e.id DESC LIMIT \(limit)", conditions.values)
    }.map(Self.event)
  }

  /// Returns due events and postpones them until `again`, so that no other node sends them too.
  ///
  /// - Parameters:
  ///   - busy: number of open deliveries per receiver.
  ///   - each: maximum number of open deliveries per receiver.
  func takeDue(at now: Double, again: Double, busy: [String: Int], each: Int) throws -> [Event] {
    // Lists the distinct receivers with one index search each.
    let receivers = try rows(
      """
      WITH RECURSIVE found (receiver) AS (SELECT MIN(receiver) FROM events WHERE due IS NOT NULL UNION ALL \
      SELECT (SELECT MIN(events.receiver) FROM events WHERE due IS NOT NULL AND events.receiver > found.receiver) \
      FROM found WHERE found.receiver IS NOT NULL) SELECT receiver FROM found WHERE receiver IS NOT NULL
      """)
    return try receivers.compactMap { $0[0].text }.flatMap { receiver -> [Event] in
      let free = each - (busy[receiver] ?? 0)
      guard free > 0 else { return [] }
      return try rows(
        """
        UPDATE events SET due = $1, tries = tries + 1, tried = $2 WHERE due <= $2 AND id IN (SELECT id FROM events \
        WHERE receiver = $3 AND due <= $2 ORDER BY due LIMIT $4) RETURNING id
        """, .number(again), .number(now), .text(receiver), SQLValue(free)
      ).compactMap { try event($0.text(0)) }
    }
  }

  /// Stores the outcome of an attempt.
  ///
  /// - Parameter due: the time of the next attempt; nil for none.
  func settle(_ id: String, _ attempt: Webhook.Attempt, due: Double?, at now: Double) throws {
    try rows(
      "UPDATE events SET due = $1, status = $2, fault = $3, delivered = $4 WHERE id = $5", SQLValue(due),
      attempt.status.map { SQLValue($0) } ?? .null, SQLValue(attempt.fault?.rawValue),
      SQLValue(attempt.fault == nil ? now : nil), .text(id))
  }

  /// Sends an event's webhook again, as if it had just occurred.
  ///
  /// - Returns: false if it has none, or its last attempt is no older than `pause` seconds.
  func redeliver(_ id: String, pause: Double, at now: Double) throws -> Bool {
    try !rows(
      """
      UPDATE events SET due = $1, tries = 0, status = NULL, fault = NULL, delivered = NULL WHERE id = $2 AND \
      url IS NOT NULL AND COALESCE(tried, 0) <= $3 RETURNING id
      """, .number(now), .text(id), .number(now - pause)
    ).isEmpty
  }

  /// Removes one batch of old events; returns their number.
  static func sweepEvents(_ connection: any SQLConnection, at now: Double) throws -> Int {
    try connection.rows(
      """
      DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 AND due IS NULL AND \
      COALESCE(tried, 0) < $1 LIMIT $2) RETURNING id
      """, [.number(now - eventSeconds), SQLValue(batch)]
    ).count
  }

  /// Moves the outbox of schema 3, which kept only webhooks to be sent, to the events.
  static func moveOutbox(_ connection: any SQLConnection) throws {
    for row in try connection.rows("SELECT id, tenant, receiver, url, due, tries, body FROM outbox", []) {
      let body = row.json(6)
      let (session, state) = (body["workflowExecutionId"]?.string ?? "", body["state"]?.string ?? "")
      let ended = try connection.rows("SELECT finished FROM sessions WHERE id = $1", [.text(session)]).first?[0].number
      try connection.rows(
        """
        INSERT INTO events (id, tenant, receiver, url, due, tries, session, state, at) VALUES \
        ($1,$2,$3,$4,$5,$6,$7,$8,$9)
        """,
        row[..<4] + [.number(row.number(4)), SQLValue(row[5].integer ?? 0), .text(session), .text(state)]
          + [.number(ended ?? row.number(4))])
    }
    try connection.script("DROP TABLE outbox")
  }
}

extension ServerStore.Event: JSONConvertible {
  /// The body of the webhook, and the state of its delivery.
  var jsonValue: JSONValue {
    func time(_ seconds: Double?) -> JSONValue { .optional(seconds.map(timestamp)) }
    let delivery: JSONValue? = delivery.map { state in
      [
        "url": .optional(url), "state": .string(state.rawValue), "attempts": .integer(tries),
        "lastAttempt": time(tried), "lastStatus": status.map(JSONValue.integer) ?? .null, "fault": .optional(fault),
        "nextAttempt": time(due),
      ]
    }
    return .object(members.merging(["delivery": delivery ?? .null]) { $1 })
  }
}
