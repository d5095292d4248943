internal import CSQLite
internal import Glibc

/// An SQLite database. Not thread-safe. Errors are a ``VerifyError`` that names the file.
package final class Database {
  /// The purpose of the file, for messages.
  package enum Use: String {
    case gallery = "the gallery"
    case server = "the server's database"

    var advice: String {
      self == .gallery ? "name the file of a gallery" : "name another folder, or restore the file from a copy"
    }
    var repair: String { self == .gallery ? "take a copy, or rebuild it from its photos" : "restore it from a copy" }
    /// Timeout in seconds while another process writes. A server's requests wait for it, too.
    var patience: Int { self == .gallery ? 10 : 2 }
  }

  package enum Value {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case number(Double)
  }

  let path: String
  private let use: Use
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// - Parameter path: of an existing file.
  package init(path: String, of use: Use) throws {
    (self.path, self.use) = (path, use)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw VerifyError(.internalFailure, "\(path): SQLite has no memory") }
    handle = opened
    guard code == SQLITE_OK else { throw error(sqlite3_extended_errcode(opened)) }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(use.patience) * 1000)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Executes several statements without values or results.
  package func script(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  func run(_ sql: String, _ values: Value..., row: (Row) throws -> Void = { _ in }) throws {
    try run(sql, values, row: row)
  }

  package func run(_ sql: String, _ values: [Value], row: (Row) throws -> Void) throws {
    let statement = try prepared(sql)
    defer {
      // Ends a read transaction; the error, if any, was already reported by `step`.
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (i, value) in values.enumerated() { try check(bind(value, to: statement, at: Int32(i + 1))) }
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw error(code) }
        return
      }
      try row(Row(statement: statement))
    }
  }

  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs `body` in a write transaction: other processes see all of its changes or none. Rolled back if it throws.
  package func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` in a read transaction, isolated from other processes' changes.
  func reading<Result>(_ body: () throws -> Result) throws -> Result { try transaction("BEGIN", body) }

  private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    try run(begin)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // SQLite rolls back automatically after some errors.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    // The statements of this program are right: what they name is missing in the file.
    guard code & 0xFF != SQLITE_ERROR else { throw VerifyError(.damaged, "\(path): \(reason); \(use.repair)") }
    try check(code)
    guard let statement else { throw VerifyError(.internalFailure, "\(path): an empty statement") }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT, a cast in C: SQLite copies the value.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, value)
    case .number(let value): return sqlite3_bind_double(statement, index, value)
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count), copied)
        }
      }
    case .bytes(let bytes):
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count), copied)
      }
    }
  }

  /// A row of a result, valid until the next one is fetched.
  package struct Row {
    fileprivate let statement: OpaquePointer

    package var count: Int32 { sqlite3_column_count(statement) }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func number(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    package func isText(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_TEXT }

    /// nil for NULL.
    package func text(_ column: Int32) -> String? {
      guard let start = sqlite3_column_text(statement, column) else { return nil }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Empty for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
      let start = sqlite3_column_blob(statement, column)
      return UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
  }

  // ---- Errors

  /// SQLite's message of the last error.
  private var reason: String { String(cString: sqlite3_errmsg(handle)) }

  private func check(_ code: Int32) throws { if code != SQLITE_OK { throw error(code) } }

  /// https://www.sqlite.org/rescode.html
  private func error(_ code: Int32) -> VerifyError {
    let system = RegularFile.reason(sqlite3_system_errno(handle))
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return VerifyError(
        .wrongState,
        "\(path): another process has held \(use.rawValue) for \(use.patience) s; try again when it is done")
    case SQLITE_NOTADB:
      return VerifyError(.unknownFormat, "\(path) is not \(use.rawValue); \(use.advice)")
    case SQLITE_CORRUPT:
      return damaged
    case SQLITE_IOERR where code == Self.shortRead:
      return damaged
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return VerifyError(
        .unwritable, "\(path): \(use.rawValue) cannot be changed: file, folder or file system are not writable for you")
    case SQLITE_FULL:
      return VerifyError(.unwritable, "\(path): no space left on the disk; what was added before is safe")
    case SQLITE_IOERR where Self.readErrors.contains(code):
      return VerifyError(.unreadable, "\(path): \(system)")
    case SQLITE_IOERR:
      return VerifyError(.unwritable, "\(path): \(system); what was added before is safe")
    case SQLITE_CANTOPEN:
      return VerifyError(.unreadable, "\(path): \(use.rawValue) or its journal cannot be opened: \(system)")
    case SQLITE_NOMEM:
      return VerifyError(.internalFailure, "\(path): SQLite has no memory")
    default:
      return VerifyError(.internalFailure, "\(path): SQLite: \(reason)")
    }
  }

  /// C macros that Swift does not import: SQLITE_IOERR_SHORT_READ; SQLITE_IOERR_READ, SQLITE_IOERR_FSTAT.
  private static let shortRead = SQLITE_IOERR | 2 << 8
  private static let readErrors = [SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 7 << 8]

  var damaged: VerifyError { VerifyError(.damaged, "\(path): \(use.rawValue) is truncated or damaged; \(use.repair)") }
}
