internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyStore

/// The persistent state, shared by the nodes of a cluster. Thread-safe. Never contains pictures.
final class ServerStore: Sendable {
  private static let version = 4
  /// Seconds for which a call waits for the database, as with SQLite (``Database/Use``).
  private static let patience = 2.0
  let connection: Lock<any SQLConnection>
  /// A connection for the sweep, so that other calls wait for one batch at most.
  let keeper: Lock<any SQLConnection>

  /// - Parameter address: "postgres://…" or the path of an SQLite file.
  init(_ address: String) throws {
    let isPostgreSQL = address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
    func connect(patience: Double = Self.patience) throws -> any SQLConnection {
      isPostgreSQL
        ? try PostgreSQLConnection(address: address, patience: patience) : try SQLiteConnection(path: address)
    }
    // Converting a large database takes its time.
    let made = try connect(patience: 60)
    try made.transaction {
      // Serialises nodes that start together.
      if isPostgreSQL { try made.rows("SELECT pg_advisory_xact_lock(8202)", []) }
      try made.script("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
      let found = try made.rows("SELECT value FROM meta WHERE name = 'version'", []).first?[0].integer
      guard (3...Self.version).contains(found ?? Self.version) else {
        throw VerifyError(
          .wrongState,
          "the database has schema \(found ?? 0); this faceverify reads 3 to \(Self.version): use the one that made it")
      }
      try made.script(Self.tables)
      if found == 3 {
        try Self.moveOutbox(made)
        try made.rows("UPDATE meta SET value = $1 WHERE name = 'version'", [.text("\(Self.version)")])
      }
      guard found == nil else { return }
      try made.rows("INSERT INTO meta (name, value) VALUES ('version', $1)", [.text("\(Self.version)")])
      try made.rows("INSERT INTO audit_head (one, sequence, hash) VALUES (1, 0, $1)", [.text(Self.firstHash)])
    }
    connection = Lock(try connect())
    keeper = Lock(try connect())
  }

  private static let tables = """
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
    CREATE INDEX IF NOT EXISTS sessions_tenant ON sessions (tenant, created);
    CREATE INDEX IF NOT EXISTS sessions_person ON sessions (tenant, person, created);
    CREATE INDEX IF NOT EXISTS sessions_state ON sessions (state, start_by);
    CREATE INDEX IF NOT EXISTS sessions_wipe ON sessions (wipe_at);
    CREATE TABLE IF NOT EXISTS idempotency (
      tenant TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, session TEXT,
      at DOUBLE PRECISION NOT NULL, PRIMARY KEY (tenant, name));
    CREATE INDEX IF NOT EXISTS idempotency_at ON idempotency (at);
    CREATE TABLE IF NOT EXISTS audit_head (one BIGINT PRIMARY KEY, sequence BIGINT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS audit (
      sequence BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, tenant TEXT NOT NULL, session TEXT NOT NULL,
      kind TEXT NOT NULL, detail TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS audit_tenant ON audit (tenant, sequence);
    CREATE TABLE IF NOT EXISTS events (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, session TEXT NOT NULL, state TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL, url TEXT, receiver TEXT, due DOUBLE PRECISION, tries BIGINT NOT NULL,
      tried DOUBLE PRECISION, status BIGINT, fault TEXT, delivered DOUBLE PRECISION);
    CREATE INDEX IF NOT EXISTS events_due ON events (receiver, due) WHERE due IS NOT NULL;
    CREATE INDEX IF NOT EXISTS events_tenant ON events (tenant, at);
    CREATE INDEX IF NOT EXISTS events_session ON events (session);
    CREATE INDEX IF NOT EXISTS events_at ON events (at);
    CREATE TABLE IF NOT EXISTS entities (
      id TEXT PRIMARY KEY, session TEXT NOT NULL, payload TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
    CREATE INDEX IF NOT EXISTS entities_session ON entities (session);
    CREATE TABLE IF NOT EXISTS attempts (
      session TEXT NOT NULL, run BIGINT NOT NULL, tenant TEXT NOT NULL, person TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL, PRIMARY KEY (session, run));
    CREATE INDEX IF NOT EXISTS attempts_person ON attempts (tenant, person, at);
    CREATE TABLE IF NOT EXISTS nodes (name TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL);
    """

  /// - Throws: ``StoreFailure`` for any error of the database.
  func use<Result>(_ lock: Lock<any SQLConnection>, _ body: (any SQLConnection) throws -> Result) throws -> Result {
    do { return try lock.withLock { try body($0) } } catch let error as VerifyError {
      throw StoreFailure(cause: error)
    }
  }

  func transaction<Result>(
    on lock: Lock<any SQLConnection>, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    try use(lock) { connection in try connection.transaction { try body(connection) } }
  }

  @discardableResult
  func rows(_ sql: String, _ values: SQLValue...) throws -> [[SQLValue]] {
    try use(connection) { try $0.rows(sql, values) }
  }

  /// Truncates the write-ahead log of SQLite after rows were wiped.
  func checkpoint(_ lock: Lock<any SQLConnection>) throws {
    try use(lock) { try ($0 as? SQLiteConnection)?.checkpoint() }
  }

  /// Writes this node's heartbeat, which also tests whether the database accepts writes.
  func beat(_ node: String, at now: Double) throws { try use(keeper) { try Self.beat($0, node, at: now) } }

  static func beat(_ connection: any SQLConnection, _ node: String, at now: Double) throws {
    try connection.rows(
      "INSERT INTO nodes (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
      [.text(node), .number(now)])
  }
}

/// A row that belongs to a tenant.
protocol TenantRow: Sendable {
  var id: String { get }
  var tenant: String { get }
}

/// A failure of the database. Its message names files and is only for the log.
struct StoreFailure: Error, CustomStringConvertible {
  let cause: VerifyError
  var description: String { cause.message }

  /// Rethrows the database's own errors, for callers that own it.
  static func unwrapped<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as StoreFailure { throw error.cause }
  }
}
