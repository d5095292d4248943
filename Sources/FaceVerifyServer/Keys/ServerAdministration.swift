package import FaceVerify
internal import FaceVerifyBase

/// Administration of a server's data; changes take effect in a running server immediately.
package struct ServerAdministration {
  package static let scopes = ["sessions", "check", "audit"]
  private let store: ServerStore
  private let folder: String

  package init(dataFolder: String, database: String?) throws {
    folder = dataFolder
    if database == nil { try RegularFile.makeFolder(dataFolder) }
    store = try ServerStore(database ?? dataFolder + "/server.sqlite")
  }

  /// - Returns: the key's id, the key, which cannot be read again, and the secret that signs its webhooks.
  package func addKey(name: String, isTest: Bool, scopes: [String], callbacks: [String], days: Int?) throws -> (
    id: String, key: String, secret: String
  ) {
    guard (1...100).contains(name.count), name == name.printable else {
      throw VerifyError(.badArgument, "a key's name must have 1 to 100 printable characters")
    }
    guard !TestTenant.contains(name) else {
      throw VerifyError(
        .badArgument, "a key's name must not begin with \"\(TestTenant.prefix)\": add a test key with --test")
    }
    guard !isTest || !scopes.contains("check") else {
      throw VerifyError(.badArgument, "a test key makes no checks: omit the scope \"check\"")
    }
    for scope in scopes where !Self.scopes.contains(scope) {
      throw VerifyError(.badArgument, "unknown scope \"\(scope)\": use \(Self.scopes.joined(separator: ", "))")
    }
    for callback in callbacks where !PlainURL.isPlain(callback) {
      throw VerifyError(.badArgument, "a callback must be a URL such as https://example.com/hook, not \"\(callback)\"")
    }
    if let days, !(1...3650).contains(days) {
      throw VerifyError(.badArgument, "a key is valid for 1 to 3650 days, not \(days)")
    }
    let now = wallClock()
    let tenant = isTest ? TestTenant.prefix + name : name
    let token = Token.make(isTest ? .testKey : .key)
    try RegularFile.makeFolder(folder)
    let (id, secret) = (UUIDText.random(), hexadecimal(randomBytes(32)))
    let sealed = try FaceServer.secrets(folder, store).seal(secret, for: id)
    let key = ServerKey(
      id: id, tenant: tenant, scopes: scopes, callbacks: callbacks, secret: sealed, created: now,
      expires: days.map { now + Double($0) * 86400 }, revoked: nil)
    try StoreFailure.unwrapped {
      try store.add(key, digest: Token.digest(token))
      try store.audit("key-added", tenant: tenant, ["key": .string(id)], at: now)
    }
    return (id, token, secret)
  }

  package func keys() throws -> [ServerKey] { try StoreFailure.unwrapped { try store.keys() } }

  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such key.
  package func revoke(_ id: String) throws {
    let now = wallClock()
    try StoreFailure.unwrapped {
      guard try store.revoke(id, at: now) else {
        throw VerifyError(.badArgument, "no valid key \"\(id)\": `faceverify serve key list` lists all")
      }
      try store.audit("key-revoked", tenant: "", ["key": .string(id)], at: now)
    }
  }

  /// Calls `body` with each audit entry after `sequence`, of all tenants, as a JSON object.
  package func eachAuditEntry(after sequence: Int = 0, _ body: (JSONValue) throws -> Void) throws {
    var last = sequence
    while case let entries = try entries(after: last), let final = entries.last {
      for entry in entries { try body(entry.jsonValue) }
      last = final.sequence
    }
  }

  private func entries(after sequence: Int) throws -> [ServerStore.AuditEntry] {
    try StoreFailure.unwrapped { try store.auditEntries(after: sequence, limit: 1000) }
  }

  /// - Returns: the number of entries verified, the hash of the last one, and the first fault; nil if there is none.
  package func verifyAudit() throws -> (count: Int, head: String, problem: String?) {
    var (last, hash, count) = (0, ServerStore.firstHash, 0)
    while case let entries = try entries(after: last), !entries.isEmpty {
      for entry in entries {
        if entry.sequence != last + 1 { return (count, hash, "entry \(last + 1) is missing") }
        if entry.previous != hash { return (count, hash, "entry \(entry.sequence) does not follow its predecessor") }
        if entry.computedHash != entry.hash { return (count, hash, "entry \(entry.sequence) was changed") }
        (last, hash, count) = (entry.sequence, entry.hash, count + 1)
      }
    }
    let head = try StoreFailure.unwrapped { try store.auditHead() }
    if head.sequence != last {
      return (count, hash, "the entries after \(last) are missing; the last one was \(head.sequence)")
    }
    if head.hash != hash { return (count, hash, "the head does not match the last entry") }
    return (count, hash, nil)
  }
}
