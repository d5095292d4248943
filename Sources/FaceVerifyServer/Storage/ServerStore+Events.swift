internal import FaceVerifyBase
internal import FaceVerifyJourney
internal import FaceVerifyStore

// Events of sessions: the audit, a hash chain, and results.

extension ServerStore {
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

  /// An entry of the hash chain.
  struct AuditEntry: Sendable {
    let sequence: Int
    let event: Entry
    let previous: String
    let hash: String
  }

  /// Writes an event of a session. Idempotent for results: a retry after a failure of unknown extent stores nothing
  /// twice.
  ///
  /// - Parameter limit: maximum number of attempts per person and day.
  /// - Returns: false for an attempt beyond the limit, which is not counted.
  @discardableResult
  func write(_ entry: Entry, at now: Double, limit: Int = .max) throws -> Bool {
    try transaction(on: connection) { connection in
      if let end = entry.end {
        try Self.store(end, of: entry, connection, at: now)
      } else if let change = Change(rawValue: entry.kind) {
        try Self.make(change, entry, connection)
      } else {
        try Self.chain(connection, entry)
        guard entry.kind == Self.attempt else { return true }
        // Counted before: of parallel sessions, each sees all that began earlier.
        try Self.count(connection, entry)
        guard try Self.hasTooMany(connection, entry, limit: limit) else { return true }
        try Self.forgive(connection, entry.session)
        return false
      }
      return true
    }
  }

  private static func store(_ end: Entry.End, of entry: Entry, _ connection: any SQLConnection, at now: Double) throws {
    let id = SQLValue.text(entry.session)
    let known = try connection.rows(
      "SELECT 1 FROM sessions WHERE id = $1 AND state = 'finished' AND finished = $2", [id, .number(entry.at)])
    guard known.isEmpty else { return }
    let row = try connection.rows("SELECT state, node FROM sessions WHERE id = $1", [id]).first
    if row == nil {
      let deleted = try connection.rows(
        "SELECT 1 FROM audit WHERE tenant = $1 AND session = $2 AND kind = 'deleted'", [.text(entry.tenant), id])
      // The database may have been restored from an older copy: the result waits for the right one.
      guard !deleted.isEmpty else {
        throw VerifyError(.damaged, "the database lacks the session \(entry.session), which has a result")
      }
    }
    guard let row, row[0].text != Session.State.cleared.rawValue, row[1].text == end.node else {
      // Wiped meanwhile, or restarted on another node.
      var superseded = entry
      (superseded.kind, superseded.end) = ("result-superseded", nil)
      try chain(connection, superseded)
      return
    }
    let head = try chain(connection, entry)
    let answer = end.answer.with(
      "audit", ["sequence": .integer(head.sequence), "head": .string("sha256:" + head.hash)])
    let written = try connection.rows(
      """
      UPDATE sessions SET state = 'finished', finished = $1, outcome = $2, result = $3, wipe_at = $4, request = $5 \
      WHERE id = $6 AND state <> 'cleared' AND node = $7 RETURNING id
      """,
      [
        .number(entry.at), .text(end.outcome), .text(answer.text), .number(now + end.resultSeconds),
        .text(end.request.text), id, .text(end.node),
      ])
    // Another node was faster: the next try sees it.
    guard !written.isEmpty else { throw VerifyError(.busy, "another node has changed the session \(entry.session)") }
    // A page cannot report this code. What failed without a prompt, such as a document, counts as well.
    let isServerFault = end.answer["error"]?["code"]?.string == JourneyError.Code.resources.rawValue
    if isServerFault || end.outcome == CheckStatus.passed.rawValue {
      try forgive(connection, entry.session)
    } else if end.answer["isComplete"] == true {
      try count(connection, entry)
    }
    try enqueue(
      connection, "finished", id: entry.session, tenant: entry.tenant, callback: end.request["callbackUrl"]?.string,
      at: now)
  }

  /// The hash before the first entry.
  static let firstHash = String(repeating: "0", count: 64)

  /// Appends an entry to the hash chain.
  func audit(_ kind: String, tenant: String, session: String = "", _ detail: JSONValue = [:], at now: Double) throws {
    try write(Entry(kind: kind, tenant: tenant, session: session, detail: detail, at: now), at: now)
  }

  /// Appends an entry; must be called in a transaction.
  @discardableResult
  static func chain(_ connection: any SQLConnection, _ added: Entry) throws -> (sequence: Int, hash: String) {
    // Locks the head until the end of the transaction, which serialises the entries of several nodes.
    let head = try connection.rows(
      "UPDATE audit_head SET sequence = sequence + 1 WHERE one = 1 RETURNING sequence, hash", [])
    guard let sequence = head.first?[0].integer, let previous = head.first?[1].text else {
      throw VerifyError(.damaged, "the database lacks the head of the audit: restore it from a backup")
    }
    let hash = AuditEntry(sequence: sequence, event: added, previous: previous, hash: "").computedHash
    try connection.rows(
      "INSERT INTO audit (sequence, at, tenant, session, kind, detail, previous, hash) VALUES ($1,$2,$3,$4,$5,$6,$7,$8)",
      [
        SQLValue(sequence), .number(added.at), .text(added.tenant), .text(added.session), .text(added.kind),
        .text(String(decoding: added.detail.canonical, as: UTF8.self)), .text(previous), .text(hash),
      ])
    try connection.rows("UPDATE audit_head SET hash = $1 WHERE one = 1", [.text(hash)])
    return (sequence, hash)
  }

  /// - Parameter tenant: nil for all.
  func auditEntries(after sequence: Int, limit: Int, tenant: String? = nil) throws -> [AuditEntry] {
    let columns = "SELECT sequence, at, tenant, session, kind, detail, previous, hash FROM audit WHERE sequence > $1"
    let (after, limit) = (SQLValue(sequence), SQLValue(limit))
    let found =
      if let tenant {
        try rows("\(columns) AND tenant = $2 ORDER BY sequence LIMIT $3", after, .text(tenant), limit)
      } else {
        try rows("\(columns) ORDER BY sequence LIMIT $2", after, limit)
      }
    return found.map { row in
      AuditEntry(
        sequence: row[0].integer ?? 0,
        event: Entry(
          kind: row.text(4), tenant: row.text(2), session: row.text(3), detail: row.json(5), at: row.number(1)),
        previous: row.text(6), hash: row.text(7))
    }
  }

  func auditHead() throws -> (sequence: Int, hash: String) {
    let row = try rows("SELECT sequence, hash FROM audit_head WHERE one = 1").first ?? []
    return (row.first?.integer ?? 0, row.last?.text ?? "")
  }
}

extension ServerStore.Entry {
  fileprivate var members: [String: JSONValue] {
    [
      "kind": .string(kind), "tenant": .string(tenant), "session": .string(session), "detail": detail,
      "at": .number(at),
    ]
  }

  var jsonValue: JSONValue {
    let end: JSONValue? = end.map { end in
      [
        "node": .string(end.node), "outcome": .string(end.outcome), "answer": end.answer, "request": end.request,
        "resultSeconds": .number(end.resultSeconds),
      ]
    }
    return .object(members.merging(["end": end ?? .null]) { $1 })
  }

  /// - Throws: ``VerifyError/Code/damaged``.
  init(_ json: JSONValue) throws {
    guard let kind = json["kind"]?.string, let tenant = json["tenant"]?.string, let session = json["session"]?.string,
      let detail = json["detail"], let at = json["at"]?.double
    else { throw VerifyError(.damaged, "a pending entry lacks a member") }
    self.init(kind: kind, tenant: tenant, session: session, detail: detail, at: at)
    guard let end = json["end"], end != .null else { return }
    guard let node = end["node"]?.string, let outcome = end["outcome"]?.string, let answer = end["answer"],
      let request = end["request"], let seconds = end["resultSeconds"]?.double
    else { throw VerifyError(.damaged, "a pending result lacks a member") }
    self.end = End(node: node, outcome: outcome, answer: answer, request: request, resultSeconds: seconds)
  }
}

extension ServerStore.AuditEntry: JSONConvertible {
  private var members: [String: JSONValue] {
    event.members.merging(["sequence": .integer(sequence), "previous": .string(previous)]) { $1 }
  }

  /// SHA-256 of all other members of the entry, in canonical JSON (RFC 8785).
  var computedHash: String { sha256(JSONValue.object(members).canonical) }

  var jsonValue: JSONValue { .object(members.merging(["hash": .string(hash)]) { $1 }) }
}
