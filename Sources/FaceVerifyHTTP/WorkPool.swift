#if Server
  internal import FaceVerifyBase
  internal import FaceVerifyServer
  internal import Glibc
  internal import NIOPosix

  /// Threads for one kind of work, each owner's turn after the other's (``FairQueue``).
  final class WorkPool: Sendable {
    private struct State {
      var queue: FairQueue<@Sendable (_ isRun: Bool) -> Void>
      var workers = 0
    }

    private let state: Lock<State>
    private let threads: NIOThreadPool
    private let count: Int
    /// As of setpriority(2): on Linux it is a thread's own.
    private let nice: Int32

    /// - Parameters:
    ///   - nice: network threads are at 0, and so first: a frame's arrival is not late because others are worked on.
    ///   - queue: what waits.
    init(threads count: Int, nice: Int32, _ queue: FairQueue<@Sendable (_ isRun: Bool) -> Void>) {
      (self.count, self.nice) = (count, nice)
      state = Lock(State(queue: queue))
      threads = NIOThreadPool(numberOfThreads: count)
      threads.start()
    }

    /// - Returns: what the work gives; nil if too much waits, or the server stops.
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
