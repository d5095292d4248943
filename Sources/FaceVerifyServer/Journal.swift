internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// What happened in sessions and is not in the database yet, in order: kept while the database is away or the disk is full.
struct Journal {
  private(set) var entries: [ServerStore.Entry] = []
  /// Bytes of the results in ``entries``.
  private(set) var bytes = 0
  /// Why the last one could not be stored; empty if it was.
  private(set) var reason = ""
  private var failures = 0
  private var nextTry = 0.0

  /// No session begins from then on: as much as ``Spool`` has room for. Results have 10 to 100 kB.
  static let maximumBytes = 8 << 20
  /// Beyond it, entries without a result are dropped: those that a client could make without end.
  static let maximumEntries = 10_000
  private static let longestPause = 30.0

  var results: Int { entries.count { $0.end != nil } }
  var isFull: Bool { bytes >= Self.maximumBytes || entries.count >= Self.maximumEntries }
  /// A database that has just failed is left alone for a while, and then tried by one thread.
  mutating func mayTry(at now: Double) -> Bool {
    guard !reason.isEmpty else { return true }
    guard now >= nextTry else { return false }
    nextTry = now + Self.longestPause
    return true
  }

  /// - Returns: whether it is kept.
  mutating func add(_ entry: ServerStore.Entry) -> Bool {
    guard entry.end != nil || entries.count < Self.maximumEntries else { return false }
    entries.append(entry)
    bytes += Self.size(of: entry)
    return true
  }

  private static func size(of entry: ServerStore.Entry) -> Int {
    entry.end.map { $0.answer.canonical.count + $0.request.canonical.count } ?? 0
  }

  /// The first entry is in the database.
  mutating func stored() {
    bytes -= Self.size(of: entries.removeFirst())
    (reason, failures) = ("", 0)
  }

  mutating func failed(_ reason: String, at now: Double) {
    self.reason = reason
    // 1, 2, 4… seconds.
    nextTry = now + min(Self.longestPause, Double(1 << min(failures, 5)))
    failures += 1
  }
}

/// Where the journal goes when the server stops before the database is back. Its room is taken beforehand: the disk may be full.
struct Spool {
  private let path: String
  private let reserve: String

  init(folder: String) {
    path = folder + "/unstored.ndjson"
    reserve = folder + "/reserve"
    guard !RegularFile.exists(reserve) else { return }
    let file = open(reserve, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    // Without it, writing may fail later; that is said then.
    if posix_fallocate(file, 0, off_t(2 * Journal.maximumBytes)) != 0 { unlink(reserve) }
  }

  func read() throws -> [ServerStore.Entry] {
    guard RegularFile.exists(path) else { return [] }
    return try RegularFile.read(path: path, maximumBytes: 1 << 30).split(separator: 10).map {
      try ServerStore.Entry(JSONValue(parsing: Array($0)))
    }
  }

  /// - Throws: ``VerifyError/Code/unwritable``.
  func write(_ entries: [ServerStore.Entry]) throws {
    unlink(reserve)
    try RegularFile.write(entries.flatMap { $0.jsonValue.canonical + [10] }, to: path, permissions: 0o600)
  }

  /// Overwrites what was stored meanwhile, and removes it.
  func remove() {
    guard let size = try? RegularFile.open(path: path) else { return }
    close(size.descriptor)
    let file = open(path, O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      let zeros = [UInt8](repeating: 0, count: size.size)
      try? zeros.withUnsafeBytes { try RegularFile.write($0, to: file, named: path) }
      fsync(file)
      close(file)
    }
    unlink(path)
  }
}
