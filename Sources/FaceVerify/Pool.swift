internal import Glibc

/// Objects that one thread uses at a time, made when none is idle. As many as the machine has cores are kept for the next calls:
/// what more of them calls at the same time made is freed.
package final class Pool<Item>: Sendable {
  /// Only the thread that took it out of ``idle`` uses it.
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
