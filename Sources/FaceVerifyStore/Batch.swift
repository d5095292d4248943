internal import Dispatch
internal import FaceAnalysis
internal import Synchronization

/// Runs tasks on several threads and delivers their results in order.
package enum Batch {
  private struct State<Value> {
    var next = 0
    /// Finished results that wait for earlier ones.
    var done: [Int: Value] = [:]
    var handedOver = 0
    var failure: (any Error)?
  }

  package static func run<Value: Sendable>(
    _ count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Mutex([Value]())
    // Cannot throw: the handler does not.
    try? run(count, threads: threads, work) { _, value in results.withLock { $0.append(value) } }
    return results.withLock { $0 }
  }

  /// - Parameter handOver: receives each result in order of the tasks, on one thread at a time. An error that it throws
  ///   ends the batch.
  package static func run<Value: Sendable>(
    _ count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Value,
    handOver: @escaping @Sendable (Int, Value) throws -> Void
  ) throws {
    let state = Mutex(State<Value>())
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let i = state.withLock { state in
          defer { state.next += 1 }
          return state.failure == nil ? state.next : count
        }
        guard i < count else { return }
        let result = work(i)
        state.withLock { state in
          state.done[i] = result
          while state.failure == nil, let value = state.done.removeValue(forKey: state.handedOver) {
            do { try handOver(state.handedOver, value) } catch { state.failure = error }
            state.handedOver += 1
          }
        }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
