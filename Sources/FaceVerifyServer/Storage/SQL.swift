internal import CPostgreSQL
internal import FaceVerifyBase
internal import FaceVerifyStore
internal import Glibc

/// A database connection, used by one thread at a time: SQLite in a file, or PostgreSQL. Statements use the common
/// subset of both, and number their values $1, $2… in order of first occurrence.
protocol SQLConnection: AnyObject {
  @discardableResult
  func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]]
  /// Runs several statements without values.
  func script(_ sql: String) throws
  /// Runs `body` in a transaction, which is rolled back if it throws.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result
}

typealias SQLValue = Database.Value

extension SQLValue {
  init(_ number: Int) { self = .integer(Int64(number)) }
  init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
  init(_ number: Double?) { self = number.map(SQLValue.number) ?? .null }

  /// nil for null. PostgreSQL returns all values as text.
  var text: String? {
    switch self {
    case .null: nil
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): value
    case .bytes: nil
    }
  }
  var integer: Int? { if case .number(let value) = self { Int(exactly: value) } else { text.flatMap { Int($0) } } }
  var number: Double? { if case .number(let value) = self { value } else { text.flatMap { Double($0) } } }
}

/// Conditions of a WHERE clause, which all must hold, and their values.
struct SQLConditions {
  private(set) var sql: String
  private(set) var values: [SQLValue] = []

  init(_ condition: String, _ value: SQLValue) {
    sql = ""
    add(condition, value)
  }

  /// - Parameter condition: its last character, "$", stands for the value; without a value it is complete.
  mutating func add(_ condition: String, _ value: SQLValue? = nil) {
    sql += sql.isEmpty ? condition : " AND \(condition)"
    guard let value else { return }
    values.append(value)
    sql += "\(values.count)"
  }

  /// Only rows after a cursor, in descending order of a time and an id.
  mutating func add(before time: Double, _ id: String, _ timeColumn: String, _ idColumn: String) {
    add("\(timeColumn) <= $", .number(time))
    add("NOT (\(timeColumn) = $\(values.count) AND \(idColumn) >= $", .text(id))
    sql += ")"
  }
}

/// The values of a row; the defaults are for columns that are never null.
extension [SQLValue] {
  func text(_ column: Int) -> String { self[column].text ?? "" }
  func number(_ column: Int) -> Double { self[column].number ?? 0 }
  /// null if the column has no JSON.
  func json(_ column: Int) -> JSONValue { (try? JSONValue(parsing: [UInt8](text(column).utf8))) ?? .null }
}

/// SQLite in one file. If the file was moved away, calls throw instead of writing to it; a file that replaced it is
/// opened.
final class SQLiteConnection: SQLConnection {
  private let path: String
  private var database: Database
  private var file: [UInt]
  private var isInTransaction = false

  init(path: String) throws {
    if !RegularFile.exists(path) { try RegularFile.write([], to: path, permissions: 0o600) }
    self.path = path
    file = try Self.identity(path)
    database = try Self.open(path)
  }

  private static func open(_ path: String) throws -> Database {
    let database = try Database(path: path, of: .server)
    // Wiped data is overwritten, in the file and in the write-ahead log.
    try database.script(
      "PRAGMA secure_delete=ON; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
    return database
  }

  /// Device and number of the file at a path.
  private static func identity(_ path: String) throws -> [UInt] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw VerifyError(.unreadable, "\(path): cannot find the server's database: \(RegularFile.reason(errno))")
    }
    return [status.st_dev, status.st_ino]
  }

  /// The database at the path. SQLite itself would keep using the open file even after it was moved or deleted.
  private func current() throws -> Database {
    guard !isInTransaction else { return database }
    let now = try Self.identity(path)
    if now != file {
      database = try Self.open(path)
      file = now
    }
    return database
  }

  func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try current().run(sql, values) { row in
      rows.append(
        (0..<row.count).map {
          row.isNull($0) ? .null : row.isText($0) ? .text(row.text($0) ?? "") : .number(row.number($0))
        })
    }
    return rows
  }

  func script(_ sql: String) throws { try current().script(sql) }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let database = try current()
    let wasInTransaction = isInTransaction
    isInTransaction = true
    defer { isInTransaction = wasInTransaction }
    return try database.writing(body)
  }

  /// Moves the write-ahead log into the file and truncates it, so that no wiped data remains in it.
  func checkpoint() throws { try current().script("PRAGMA wal_checkpoint(TRUNCATE)") }
}

/// PostgreSQL through libpq. A lost connection is restored by the next call outside of a transaction.
final class PostgreSQLConnection: SQLConnection {
  private let address: String
  private let library: cpostgresql
  private var connection: OpaquePointer?
  private var depth = 0

  /// - Parameter address: "postgres://user:password@host/database", as libpq accepts it.
  init(address: String) throws {
    guard let library = cpostgresql_load()?.pointee else {
      throw VerifyError(.badArgument, "PostgreSQL's client library is missing: run `apt-get install libpq5`")
    }
    (self.address, self.library) = (address, library)
    // Bounds the wait for an unreachable host; the address may override it.
    setenv("PGCONNECT_TIMEOUT", "3", 0)
    try connect()
  }

  deinit { library.finish(connection) }

  private var isConnected: Bool { library.status(connection) == Int32(CPOSTGRESQL_CONNECTION_OK) }

  private func connect() throws {
    library.finish(connection)
    connection = library.connectdb(address)
    guard isConnected else { throw VerifyError(.unreadable, "PostgreSQL: \(message)") }
    try script("SET client_min_messages=warning; SET statement_timeout='10s'; SET lock_timeout='10s'")
  }

  /// The first line of the server's error message; without the address, which contains a password.
  private var message: String {
    let text = library.errorMessage(connection).map { String(cString: $0) } ?? ""
    return text.split(separator: "\n").first.map(String.init) ?? "no connection"
  }

  private func use(_ run: () -> OpaquePointer?) throws -> [[SQLValue]] {
    if !isConnected {
      guard depth == 0 else { throw VerifyError(.unreadable, "PostgreSQL: the connection was lost") }
      try connect()
    }
    let result = run()
    defer { library.clear(result) }
    let status = Int(library.resultStatus(result))
    guard [CPOSTGRESQL_COMMAND_OK, CPOSTGRESQL_TUPLES_OK].contains(status) else {
      throw VerifyError(.internalFailure, "PostgreSQL: \(message)")
    }
    return (0..<library.ntuples(result)).map { row in
      (0..<library.nfields(result)).map { column in
        let value = library.getisnull(result, row, column) == 0 ? library.getvalue(result, row, column) : nil
        return SQLValue(value.map { String(cString: $0) })
      }
    }
  }

  func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
    let texts = values.map { $0.text.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    return try use {
      library.execParams(connection, sql, Int32(texts.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
    }
  }

  func script(_ sql: String) throws { _ = try use { library.exec(connection, sql) } }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard depth == 0 else { return try body() }
    try script("BEGIN")
    depth = 1
    defer { depth = 0 }
    do {
      let result = try body()
      try script("COMMIT")
      return result
    } catch {
      try? script("ROLLBACK")
      throw error
    }
  }
}
