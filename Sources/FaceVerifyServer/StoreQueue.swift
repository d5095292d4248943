internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Writes results and audit entries to the database, in order: a ``Journal`` keeps them until they are stored. Thread-safe.
final class StoreQueue: Sendable {
  private let store: ServerStore
  private let log: ServerLog
  private let metrics: Metrics
  private let journal: Lock<Journal>
  /// Held while the journal is written to the database.
  private let writer = Lock(())

  /// Seconds for which a stopping server waits for its database, and then for a writable file.
  private static let patience = (database: 3.0, file: 60.0)

  /// Loads the entries that the last process could not store, and tries to store them.
  init(_ store: ServerStore, folder: String, log: ServerLog, metrics: Metrics) throws {
    (self.store, self.log, self.metrics) = (store, log, metrics)
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

  /// Adds an entry. If it cannot be stored now, it is stored later, also after a restart.
  func add(_ entry: ServerStore.Entry) {
    guard journal.withLock({ $0.add(entry) }) else {
      return log(.error, "the audit queue is full: an entry was dropped", ["session": entry.session])
    }
    flush()
    do { try journal.withLock { try $0.persist() } } catch {
      log(.error, "cannot write pending entries to disk: \(error)", ["session": entry.session])
    }
  }

  /// Retries a failed database when it is due; must be called every second.
  func retry() { flush(.whenDue) }

  private enum Retry { case never, whenDue, always }

  private func flush(_ retry: Retry = .never) {
    let failures = journal.withLock { journal -> Int? in
      let isDue =
        switch retry {
        case .never: journal.reason.isEmpty
        case .whenDue: journal.mayTry(at: steadyClock())
        case .always: true
        }
      return isDue ? journal.failures : nil
    }
    guard let failures else { return }
    writer.withLock { _ in
      // A thread that waited here does not retry a database that has failed meanwhile.
      guard retry == .always || journal.withLock({ $0.failures <= failures }) else { return }
      let hadFailed = hasFailed
      while let first = journal.withLock({ $0.entries.first }) {
        do {
          try store.write(first, at: wallClock())
        } catch {
          let waiting = journal.withLock { journal in
            journal.failed("\(error)", at: steadyClock())
            return journal.results
          }
          metrics.count("fv_store_failures_total", "")
          return log(.error, "cannot store results and audit entries, will retry: \(error)", ["results": "\(waiting)"])
        }
        do { try journal.withLock { try $0.stored() } } catch { log(.error, "cannot clear the spool: \(error)") }
      }
      if hadFailed { log(.info, "the database is available again: all pending entries are stored") }
    }
  }

  /// Stores the pending entries, in a file if the database is unavailable.
  ///
  /// - Parameter isStopping: whether to stop waiting.
  /// - Throws: ``VerifyError/Code/unwritable`` if results are lost.
  func close(_ isStopping: () -> Bool) throws {
    let begin = steadyClock()
    while true {
      flush(.always)
      let (isEmpty, results) = journal.withLock { ($0.entries.isEmpty, "\($0.results)") }
      if isEmpty { return }
      if isStopping() || steadyClock() > begin + Self.patience.database {
        do {
          try journal.withLock { try $0.persist() }
          return log(.warning, "pending results will be stored at the next start", ["results": results])
        } catch  where !isStopping() && steadyClock() < begin + Self.patience.file {
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
