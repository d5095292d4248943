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

/// PostgreSQL through libpq, which never waits itself: a server that does not answer within the deadline is an error, and
/// its connection is closed. A lost connection is restored by the next call outside of a transaction.
final class PostgreSQLConnection: SQLConnection {
  private let address: String
  private let library: cpostgresql
  /// Seconds for a statement, or for all of a transaction, with connecting.
  private let patience: Double
  private var connection: OpaquePointer?
  private var depth = 0
  private var deadline = 0.0
  /// While the database does not answer, those who would wait for it get this error at once until a time.
  private var silence: (error: VerifyError, until: Double)?

  /// - Parameter address: "postgres://user:password@host/database", as libpq accepts it.
  init(address: String, patience: Double) throws {
    guard let library = cpostgresql_load()?.pointee else {
      throw VerifyError(.badArgument, "PostgreSQL's client library is missing: run `apt-get install libpq5`")
    }
    (self.address, self.library, self.patience) = (address, library, patience)
    deadline = steadyClock() + patience
    try connect()
  }

  deinit { library.finish(connection) }

  private var isConnected: Bool { library.status(connection) == Int32(CPOSTGRESQL_CONNECTION_OK) }

  private func close() {
    library.finish(connection)
    connection = nil
  }

  private func connect() throws {
    if let silence, steadyClock() < silence.until { throw silence.error }
    close()
    connection = library.connectStart(address)
    var state = Int(CPOSTGRESQL_POLLING_WRITING)
    while state != CPOSTGRESQL_POLLING_OK {
      guard [CPOSTGRESQL_POLLING_READING, CPOSTGRESQL_POLLING_WRITING].contains(state), library.socket(connection) >= 0
      else {
        defer { close() }
        throw VerifyError(.unreadable, "PostgreSQL: \(message)")
      }
      try wait(for: state == CPOSTGRESQL_POLLING_READING ? POLLIN : POLLOUT)
      state = Int(library.connectPoll(connection))
    }
    _ = library.setnonblocking(connection, 1)
    silence = nil
    // The deadline is also the server's: nothing that was given up goes on there.
    let settings = "SET client_min_messages=warning; SET statement_timeout=\(Int(patience * 1000))"
    _ = try answer { library.sendQuery(connection, settings) }
  }

  /// Waits until the socket is ready, or closes the connection at the deadline.
  private func wait(for events: Int32) throws {
    var socket = pollfd(fd: library.socket(connection), events: Int16(events), revents: 0)
    while case let left = deadline - steadyClock(), left > 0 {
      if poll(&socket, 1, Int32((left * 1000).rounded(.up))) > 0 { return }
    }
    close()
    let error = VerifyError(.timeout, "PostgreSQL: no answer within \(Int(patience)) s")
    silence = (error, steadyClock() + 1)
    throw error
  }

  /// The first line of the server's error message; without the address, which contains a password.
  private var message: String {
    let text = library.errorMessage(connection).map { String(cString: $0) } ?? ""
    return text.split(separator: "\n").first.map(String.init) ?? "no connection"
  }

  /// Connects if necessary, sends a query and returns the rows of its last statement.
  private func use(_ send: () -> Int32) throws -> [[SQLValue]] {
    if depth == 0 { deadline = steadyClock() + patience }
    if !isConnected {
      guard depth == 0 else { throw VerifyError(.unreadable, "PostgreSQL: the connection was lost") }
      try connect()
    }
    return try answer(send)
  }

  private func answer(_ send: () -> Int32) throws -> [[SQLValue]] {
    func check(_ isDone: Bool) throws {
      guard isDone else { throw VerifyError(.internalFailure, "PostgreSQL: \(message)") }
    }
    try check(send() == 1)
    while case let left = library.flush(connection), left != 0 {
      try check(left > 0)
      try wait(for: POLLIN | POLLOUT)
      try check(library.consumeInput(connection) == 1)
    }
    var (rows, failure): ([[SQLValue]], (any Error)?) = ([], nil)
    while true {
      while library.isBusy(connection) != 0 {
        try wait(for: POLLIN)
        try check(library.consumeInput(connection) == 1)
      }
      guard let result = library.getResult(connection) else { break }
      defer { library.clear(result) }
      let isDone = [CPOSTGRESQL_COMMAND_OK, CPOSTGRESQL_TUPLES_OK].contains(Int(library.resultStatus(result)))
      do { try check(isDone) } catch { failure = failure ?? error }
      rows = (0..<library.ntuples(result)).map { row in
        (0..<library.nfields(result)).map { column in
          let value = library.getisnull(result, row, column) == 0 ? library.getvalue(result, row, column) : nil
          return SQLValue(value.map { String(cString: $0) })
        }
      }
    }
    if let failure { throw failure }
    return rows
  }

  func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
    let texts = values.map { $0.text.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    return try use {
      library.sendQueryParams(connection, sql, Int32(texts.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
    }
  }

  func script(_ sql: String) throws { _ = try use { library.sendQuery(connection, sql) } }

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
