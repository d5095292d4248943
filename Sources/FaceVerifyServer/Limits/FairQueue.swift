/// A queue that serves owners in turn, so that an owner with much work delays only its own.
package struct FairQueue<Work> {
  /// Maximum number of running items per owner.
  let running: Int
  /// Maximum number of waiting items per owner: at most a quarter of `total`.
  let waiting: Int
  /// Maximum number of waiting items.
  let total: Int
  private var works: [String: [Work]] = [:]
  /// Owners with waiting items; the next one is first.
  private var order: [String] = []
  private var open: [String: Int] = [:]
  private var count = 0

  package init(running: Int, waiting: Int, total: Int) {
    (self.running, self.waiting, self.total) = (running, max(1, min(waiting, total / 4)), total)
  }

  /// - Returns: false if the queue is full.
  package mutating func add(_ work: Work, of owner: String) -> Bool {
    guard count < total, works[owner]?.count ?? 0 < waiting else { return false }
    if works[owner] == nil { order.append(owner) }
    works[owner, default: []].append(work)
    count += 1
    return true
  }

  /// Removes the next item to run; the caller must report its end with ``done(_:)``.
  package mutating func next() -> (owner: String, work: Work)? {
    guard let index = order.firstIndex(where: { open[$0] ?? 0 < running }) else { return nil }
    let owner = order.remove(at: index)
    guard let work = works[owner]?.removeFirst() else { return nil }
    if works[owner]?.isEmpty == true { works[owner] = nil } else { order.append(owner) }
    open[owner, default: 0] += 1
    count -= 1
    return (owner, work)
  }

  package mutating func done(_ owner: String) { open.take(1, from: owner) }
}

extension [String: Int] {
  /// Reduces a count, and removes it at 0.
  mutating func take(_ count: Int, from name: String) {
    let left = (self[name] ?? 0) - count
    self[name] = left > 0 ? left : nil
  }
}

/// Memory held by request bodies that are being read or processed, in bytes.
struct ByteBudget {
  /// Maximum for one owner, and never more than half of the total.
  struct Share {
    let owner: String
    let bytes: Int
  }

  let total: Int
  private var held: [String: Int] = [:]
  private var sum = 0

  init(total: Int) { self.total = total }

  /// - Parameter shares: one for each owner that the bytes count for, such as a page and its tenant.
  /// - Returns: nil if the bytes were reserved, otherwise whether an owner's share is exhausted (or the total).
  mutating func take(_ bytes: Int, of shares: [Share]) -> Bool? {
    if shares.contains(where: { (held[$0.owner] ?? 0) + bytes > min($0.bytes, total / 2) }) { return true }
    if sum + bytes > total { return false }
    for share in shares { held[share.owner, default: 0] += bytes }
    sum += bytes
    return nil
  }

  mutating func give(_ bytes: Int, of shares: [Share]) {
    for share in shares { held.take(bytes, from: share.owner) }
    sum -= bytes
  }
}
