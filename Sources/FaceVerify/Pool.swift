internal import Glibc

/// A pool of objects, each used by one thread at a time, created when none is idle. Keeps at most one idle object per
/// core; others are freed after use.
package final class Pool<Item>: Sendable {
  /// Used only by the thread that removed it from ``idle``.
  private struct Idle: @unchecked Sendable { let item: Item }

  private let idle = Lock<[Idle]>([])
  private let most = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  package init() {}

  package func use<Result>(orMake make: () throws -> Item, _ body: (Item) throws -> Result) throws -> Result {
    let item = try idle.withLock { $0.popLast() }?.item ?? make()
    defer {
      let returned = Idle(item: item)
      idle.withLock { if $0.count < most { $0.append(returned) } }
    }
    return try body(item)
  }
}
