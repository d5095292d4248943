internal import Glibc

/// A value protected by a pthread read-write lock: the thread sanitizer reports false races with
/// Synchronization.Mutex, whose library is not instrumented.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable: `value` is read with `lock` held, and changed with it held for writing.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    lock.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` with exclusive access. Not reentrant.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let failure = pthread_rwlock_wrlock(lock)
    precondition(failure == 0, "the lock is held by this thread")
    defer { pthread_rwlock_unlock(lock) }
    return try body(&value)
  }

  /// Runs `body` with shared access.
  package func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body(value)
  }
}
