import Dispatch
import Synchronization

/// Several pieces of work, done by several threads, answered in their order.
enum Batch {
  static func run<Value: Sendable>(
    _ count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Mutex([Value?](repeating: nil, count: count))
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let i = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard i < count else { return }
        let result = work(i)
        results.withLock { $0[i] = result }
      }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
