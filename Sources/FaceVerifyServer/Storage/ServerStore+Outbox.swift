internal import FaceVerify
internal import FaceVerifyBase

// The outbox: webhooks to be sent.

extension ServerStore {
  struct Delivery: Sendable {
    let id: String
    let tenant: String
    let url: String
    let body: String
    let tries: Int
    /// Tenant and origin: only deliveries to the same receiver wait for each other.
    let receiver: String
  }

  /// Adds a webhook to the outbox; must be called in a transaction.
  static func enqueue(
    _ connection: any SQLConnection, _ state: String, id: String, tenant: String, callback: String?, at now: Double
  ) throws {
    guard let callback else { return }
    let delivery = UUIDText.random()
    let body: JSONValue = [
      "event": .string("session.\(state)"), "workflowExecutionId": .string(id), "state": .string(state),
      "at": .string(timestamp(now)), "id": .string(delivery),
    ]
    try connection.rows(
      "INSERT INTO outbox (id, url, body, due, tries, tenant, receiver) VALUES ($1,$2,$3,$4,0,$5,$6)",
      [
        .text(delivery), .text(callback), .text(String(decoding: body.canonical, as: UTF8.self)), .number(now),
        .text(tenant), .text(receiver(tenant, callback)),
      ])
  }

  static func receiver(_ tenant: String, _ url: String) -> String {
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
        """, .number(again), .number(now), .text(receiver), SQLValue(free)
      ).map {
        Delivery(
          id: $0.text(0), tenant: $0.text(1), url: $0.text(2), body: $0.text(3), tries: $0[4].integer ?? 0,
          receiver: receiver)
      }
    }
  }

  func putOff(_ id: String, to due: Double) throws {
    try rows("UPDATE outbox SET due = $1 WHERE id = $2", .number(due), .text(id))
  }

  func removeDelivery(_ id: String) throws { try rows("DELETE FROM outbox WHERE id = $1", .text(id)) }
}
