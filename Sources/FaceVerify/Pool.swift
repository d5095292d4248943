/// Objects that one thread uses at a time, made when none is idle and kept for the next call.
package final class Pool<Item>: Sendable {
  /// Only the thread that took it out of ``idle`` uses it.
  private struct Idle: @unchecked Sendable { let item: Item }

  private let idle = Lock<[Idle]>([])

  package init() {}

  package func use<Result>(orMake make: () throws -> Item, _ body: (Item) throws -> Result) throws -> Result {
    let item = try idle.withLock { $0.popLast() }?.item ?? make()
    defer {
      let returned = Idle(item: item)
      idle.withLock { $0.append(returned) }
    }
    return try body(item)
  }
}
