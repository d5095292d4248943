internal import Dispatch
internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Writes results, changes and audit entries to the database, in order and on a thread of its own: who adds them never
/// waits for it. A ``Journal`` keeps them until they are stored. Thread-safe.
final class StoreQueue: Sendable {
  private let store: ServerStore
  private let log: ServerLog
  private let metrics: Metrics
  private let clock: any Clock
  /// Maximum number of attempts per person and day.
  private let attempts: Int
  private let journal: Lock<Journal>
  /// Sessions whose attempt exceeds the limit.
  private let refused = Lock<Set<String>>([])
  private let writer = DispatchQueue(label: "faceverify.journal")

  /// Seconds for which a stopping server waits for its database, and then for a writable file.
  private static let patience = (database: 3.0, file: 60.0)

  /// Loads the entries that the last process could not store, and tries to store them.
  init(
    _ store: ServerStore, folder: String, attempts: Int, clock: any Clock, log: ServerLog, metrics: Metrics
  ) throws {
    (self.store, self.attempts, self.clock, self.log, self.metrics) = (store, attempts, clock, log, metrics)
    journal = try Lock(Journal(spool: Spool(folder: folder)))
    flush()
  }

  /// Number of results that are not stored yet.
  var results: Int { journal.withLock(\.results) }
  var isFull: Bool { journal.withLock(\.isFull) }
  var hasFailed: Bool { journal.withLock { !$0.reason.isEmpty } }

  /// Whether this session's result is not stored yet.
  func isWaiting(_ session: String) -> Bool {
    journal.withLock { $0.entries.contains { $0.session == session && $0.end != nil } }
  }

  /// Adds an entry, which is stored soon, if need be after a restart. A result is on the disk when this returns.
  func add(_ entry: ServerStore.Entry) {
    let isAdded = journal.withLock { journal in
      guard journal.add(entry) else { return false }
      if entry.end != nil || !journal.reason.isEmpty { persist(&journal) }
      return true
    }
    guard isAdded else {
      return log(.error, "the audit queue is full: an entry was dropped", ["session": entry.session])
    }
    retry()
  }

  /// Stores the pending entries unless the database has failed a moment ago; must be called every second.
  func retry() {
    writer.async { [self] in
      if journal.withLock({ $0.mayTry(at: clock.monotonic) }) { flush() }
    }
  }

  /// Waits until the entries added before are stored, but not for a failed database, and for `seconds` at most.
  func settle(within seconds: Double) {
    guard !hasFailed else { return }
    let done = DispatchSemaphore(value: 0)
    writer.async { done.signal() }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// Whether the attempt of a session was refused; asked once.
  func takeRefusal(of session: String) -> Bool { refused.withLock { $0.remove(session) != nil } }

  private func persist(_ journal: inout Journal) {
    do { try journal.persist() } catch { log(.error, "cannot write pending entries to disk: \(error)") }
  }

  /// Called on the writer's thread.
  private func flush() {
    let hadFailed = hasFailed
    while let first = journal.withLock({ $0.entries.first }) {
      do {
        if try !store.write(first, at: clock.wall, limit: attempts) {
          refused.withLock { _ = $0.insert(first.session) }
        }
      } catch {
        let waiting = journal.withLock { journal in
          journal.failed("\(error)", at: clock.monotonic)
          persist(&journal)
          return journal.results
        }
        metrics.count("fv_store_failures_total", "")
        return log(.error, "cannot store results and audit entries, will retry: \(error)", ["results": "\(waiting)"])
      }
      do { try journal.withLock { try $0.stored() } } catch { log(.error, "cannot clear the spool: \(error)") }
    }
    if hadFailed { log(.info, "the database is available again: all pending entries are stored") }
  }

  /// Stores the pending entries, in a file if the database is unavailable.
  ///
  /// - Parameter isStopping: whether to stop waiting.
  /// - Throws: ``VerifyError/Code/unwritable`` if results are lost.
  func close(_ isStopping: () -> Bool) throws {
    let begin = clock.monotonic
    while true {
      writer.sync { flush() }
      let (isEmpty, results) = journal.withLock { ($0.entries.isEmpty, "\($0.results)") }
      if isEmpty { return }
      if isStopping() || clock.monotonic > begin + Self.patience.database {
        do {
          try journal.withLock { try $0.persist() }
          return log(.warning, "pending results will be stored at the next start", ["results": results])
        } catch  where !isStopping() && clock.monotonic < begin + Self.patience.file {
          log(.error, "cannot write pending results to disk, will retry: \(error)", ["results": results])
        } catch {
          log(.error, "results are lost: \(error)", ["results": results])
          throw error
        }
      }
      usleep(500_000)
    }
  }
}
