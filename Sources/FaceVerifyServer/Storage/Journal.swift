internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Events that are not in the database yet, in order: kept also while the database is unavailable or the disk is full.
struct Journal {
  private let spool: Spool?
  /// Number of leading entries that the spool holds.
  private var spooled = 0
  private(set) var entries: [ServerStore.Entry] = []
  /// Total size in bytes of the results in ``entries``.
  private(set) var bytes = 0
  /// Why the last write failed; empty if it succeeded.
  private(set) var reason = ""
  private(set) var failures = 0
  private var nextTry = 0.0

  /// Size at which no session can start: half of the spool's space. Results have 10 to 100 kB.
  static let maximumBytes = 8 << 20
  /// Number of entries at which those without a result are dropped, because clients can create them without limit.
  static let maximumEntries = 10_000
  private static let longestPause = 30.0

  var results: Int { entries.count { $0.end != nil } }
  var isFull: Bool { bytes >= Self.maximumBytes || entries.count >= Self.maximumEntries }

  /// Loads the entries that the last process left.
  init(spool: Spool? = nil) throws {
    self.spool = spool
    for entry in try spool?.read() ?? [] where add(entry) { spooled += 1 }
  }

  /// Whether the database may be used now: after a failure, after a pause.
  func mayTry(at now: Double) -> Bool { reason.isEmpty || now >= nextTry }

  /// - Returns: whether the entry was added.
  mutating func add(_ entry: ServerStore.Entry) -> Bool {
    guard entry.end != nil || entries.count < Self.maximumEntries else { return false }
    entries.append(entry)
    bytes += Self.size(of: entry)
    return true
  }

  private static func size(of entry: ServerStore.Entry) -> Int {
    entry.end.map { $0.answer.canonical.count + $0.request.canonical.count } ?? 0
  }

  /// Removes the first entry, which is in the database.
  ///
  /// - Throws: ``VerifyError/Code/unwritable`` if the spool cannot be cleared: its entries are stored again at the next
  ///   start.
  mutating func stored() throws {
    bytes -= Self.size(of: entries.removeFirst())
    spooled = max(0, spooled - 1)
    (reason, failures) = ("", 0)
    if entries.isEmpty { try spool?.clear() }
  }

  /// Writes all pending entries to the spool.
  ///
  /// - Throws: ``VerifyError/Code/unwritable``.
  mutating func persist() throws {
    guard let spool else { return }
    while spooled < entries.count {
      try spool.append(entries[spooled])
      spooled += 1
    }
  }

  mutating func failed(_ reason: String, at now: Double) {
    self.reason = reason
    // Pauses of 1, 2, 4… seconds.
    nextTry = now + min(Self.longestPause, Double(1 << min(failures, 5)))
    failures += 1
  }
}

/// The on-disk copy of a journal, so that pending entries survive the process. The file stays open and its space is
/// preallocated, because the disk may be full and the folder unavailable.
final class Spool {
  private let file: Int32
  private let path: String
  private var used = 0

  /// - Throws: ``VerifyError/Code/unwritable``.
  init(folder: String) throws {
    path = folder + "/unstored.ndjson"
    file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw VerifyError(.unwritable, "\(path): \(RegularFile.reason(errno))") }
    // If this fails, writing may fail later, which is logged.
    posix_fallocate(file, 0, off_t(2 * Journal.maximumBytes))
  }

  deinit { close(file) }

  /// Returns the entries that the last process left, one per line, and clears an incomplete last line.
  func read() throws -> [ServerStore.Entry] {
    let bytes = try RegularFile.read(path: path, maximumBytes: 1 << 30).prefix { $0 != 0 }
    used = bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
    if used < bytes.count { try write([UInt8](repeating: 0, count: bytes.count - used)) }
    return try bytes[..<used].split(separator: 10).map { try ServerStore.Entry(JSONValue(parsing: Array($0))) }
  }

  /// Returns when the entry is on the disk.
  ///
  /// - Throws: ``VerifyError/Code/unwritable``.
  func append(_ entry: ServerStore.Entry) throws {
    let line = entry.jsonValue.canonical + [10]
    try write(line)
    used += line.count
  }

  /// Overwrites the entries, which are in the database.
  func clear() throws {
    guard used > 0 else { return }
    let count = used
    used = 0
    try write([UInt8](repeating: 0, count: count))
  }

  private func write(_ bytes: [UInt8]) throws {
    lseek(file, off_t(used), SEEK_SET)
    try bytes.withUnsafeBytes { try RegularFile.write($0, to: file, named: path) }
    guard fdatasync(file) == 0 else {
      throw VerifyError(.unwritable, "\(path): \(RegularFile.reason(errno))")
    }
  }
}
