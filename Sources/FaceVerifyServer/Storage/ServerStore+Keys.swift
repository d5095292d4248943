internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyStore

/// An operator's API key.
package struct ServerKey: Sendable {
  package let id: String
  /// The name, for a test key with ``TestTenant/prefix``.
  package let tenant: String
  package let scopes: [String]
  /// Allowed webhook addresses, as prefixes.
  package let callbacks: [String]
  /// The secret that signs webhooks, sealed by ``ServerSecrets``.
  let secret: String
  /// Seconds since 1970, like the following members.
  package let created: Double
  package let expires: Double?
  package let revoked: Double?

  package var isTest: Bool { TestTenant.contains(tenant) }
  package var name: String { isTest ? String(tenant.dropFirst(TestTenant.prefix.count)) : tenant }
}

extension ServerStore {
  func add(_ key: ServerKey, digest: String) throws {
    try rows(
      "INSERT INTO keys (id, tenant, digest, scopes, callbacks, secret, created, expires) VALUES ($1,$2,$3,$4,$5,$6,$7,$8)",
      .text(key.id), .text(key.tenant), .text(digest), .text(key.scopes.joined(separator: " ")),
      .text(key.callbacks.joined(separator: " ")), .text(key.secret), .number(key.created), SQLValue(key.expires))
  }

  private static let keyColumns = "id, tenant, scopes, callbacks, secret, created, expires, revoked"

  private static func key(_ row: [SQLValue]) -> ServerKey {
    func words(_ column: Int) -> [String] { row.text(column).split(separator: " ").map(String.init) }
    return ServerKey(
      id: row.text(0), tenant: row.text(1), scopes: words(2), callbacks: words(3), secret: row.text(4),
      created: row.number(5), expires: row[6].number, revoked: row[7].number)
  }

  func key(digest: String) throws -> ServerKey? {
    try rows("SELECT \(Self.keyColumns) FROM keys WHERE digest = $1", .text(digest)).first.map(Self.key)
  }

  func keys() throws -> [ServerKey] { try rows("SELECT \(Self.keyColumns) FROM keys ORDER BY created").map(Self.key) }

  /// - Returns: whether the key existed and was not revoked yet.
  func revoke(_ id: String, at now: Double) throws -> Bool {
    try !rows("UPDATE keys SET revoked = $1 WHERE id = $2 AND revoked IS NULL RETURNING id", .number(now), .text(id))
      .isEmpty
  }

  /// - Throws: ``VerifyError/Code/wrongState`` if the database belongs to another key.
  func check(_ secrets: ServerSecrets, named path: String) throws {
    try transaction(on: connection) { connection in
      func known() throws -> String? {
        try connection.rows("SELECT value FROM meta WHERE name = 'secrets'", []).first?[0].text
      }
      // Read first: if there is nothing to write, a full disk must not prevent the start.
      if try known() == nil {
        try connection.rows(
          "INSERT INTO meta (name, value) VALUES ('secrets', $1) ON CONFLICT (name) DO NOTHING",
          [.text(secrets.fingerprint)])
      }
      guard try known() == secrets.fingerprint else {
        throw VerifyError(
          .wrongState, "\(path) is not the key of this database: copy the file from the server that made the database")
      }
    }
  }
}
