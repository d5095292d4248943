#if Server
  internal import FaceVerifyBase
  internal import FaceVerifyServer
  internal import Glibc
  internal import NIOPosix

  /// A thread pool for one kind of work, which serves owners in turn (``FairQueue``).
  final class WorkPool: Sendable {
    private struct State {
      var queue: FairQueue<@Sendable (_ isRun: Bool) -> Void>
      var workers = 0
    }

    private let state: Lock<State>
    private let threads: NIOThreadPool
    private let count: Int
    /// As in setpriority(2), which applies to a single thread on Linux.
    private let nice: Int32

    /// - Parameters:
    ///   - nice: niceness; network threads have 0 and thus precedence, so that arrival times are exact under load.
    ///   - queue: the queue of waiting work.
    init(threads count: Int, nice: Int32, _ queue: FairQueue<@Sendable (_ isRun: Bool) -> Void>) {
      (self.count, self.nice) = (count, nice)
      state = Lock(State(queue: queue))
      threads = NIOThreadPool(numberOfThreads: count)
      threads.start()
    }

    /// - Returns: the result of `work`; nil if the queue is full or the server stops.
    func run<Result: Sendable>(of owner: String, _ work: @escaping @Sendable () -> Result) async -> Result? {
      await withCheckedContinuation { continuation in
        let isTaken = state.withLock { state in
          guard state.queue.add({ continuation.resume(returning: $0 ? work() : nil) }, of: owner) else { return false }
          if state.workers < count {
            state.workers += 1
            threads.submit { self.work(isRun: $0 == .active) }
          }
          return true
        }
        if !isTaken { continuation.resume(returning: nil) }
      }
    }

    private func work(isRun: Bool) {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, nice)
      while let (owner, work) = state.withLock({ state in
        let next = state.queue.next()
        if next == nil { state.workers -= 1 }
        return next
      }) {
        work(isRun)
        state.withLock { $0.queue.done(owner) }
      }
    }

    func stop() async throws { try await threads.shutdownGracefully() }
  }
#endif
