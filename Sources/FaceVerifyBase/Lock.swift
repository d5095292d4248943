internal import Glibc

/// A value that one thread uses at a time. Made of the system's mutex, which the thread sanitizer sees: Swift's own waits
/// inside of a library that is not instrumented, so that it reported races where there were none.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable: `value` is used with `mutex` held.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
