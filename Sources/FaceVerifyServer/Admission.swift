internal import FaceVerify
internal import FaceVerifyBase

/// Admission control for face attempts: reduces the frame rate near the capacity, and queues attempts beyond it.
///
/// The places follow the measured latency of the answers to frames, because the machine may have other work. A full server
/// gets one place more while its answers are quick. Once they are slow, one attempt less than those that run is known to
/// be the most for a while, and half of it the number of places until the delayed answers are given.
struct Admission {
  /// Maximum number of places: given, or from the cost measured when the server starts.
  let capacity: Int
  /// CPU seconds per second of frames of one attempt.
  let cost: Double
  /// Maximum number of concurrent attempts.
  private(set) var places: Int
  /// Times and latencies of the answers in the last ``window`` seconds.
  private var answers: [(at: Double, seconds: Double)] = []
  private var judged = -Double.infinity
  /// When places were last added and removed, and the most that are not known to be too many.
  private var added = -Double.infinity
  private var reduced = -Double.infinity
  private var most: Int
  /// 95th percentile of the latencies when they were last judged.
  private(set) var latency = 0.0
  private var running: [String: Double] = [:]
  /// Times of the first and of the last request of each waiting attempt.
  private var waiting: [String: (since: Double, asked: Double)] = [:]

  /// Utilisation of all cores by frames: beyond it, waiting times grow faster than the load (in M/D/c queues with c of
  /// 2 to 4, the mean wait reaches the service time at about 0.7).
  static let share = 0.7
  /// Seconds without frames after which an attempt loses its place.
  static let patience = 10.0
  /// Latency in seconds, of 95% of the answers: below the first, a place is added; above the second, places are removed,
  /// so that answers stay within 0.5 s, beyond which a prompt feels delayed.
  static let latencies = (quick: 0.15, slow: 0.25)
  /// Seconds over which the latency is measured, and after which its effect on it is judged.
  private static let window = 3.0
  /// Seconds for which a number of places is known to be too high.
  private static let memory = 120.0

  init(cores: Int, cost: Double, capacity: Int?) {
    self.cost = cost
    self.capacity = capacity ?? max(1, Int(Self.share * Double(cores) / cost))
    // Without a latency yet, one attempt per core.
    places = capacity ?? min(self.capacity, cores)
    most = self.capacity
  }

  /// Adds the latency of an answer to frames, and adapts the places.
  mutating func answered(after seconds: Double, at now: Double) {
    answers.append((now, seconds))
    guard now - judged >= 1 else { return }
    judged = now
    answers.removeAll { $0.at < now - Self.window }
    latency = answers.map(\.seconds).sorted()[Int(0.95 * Double(answers.count - 1))]
    let count = count(at: now)
    if now - reduced > Self.memory { most = capacity }
    if latency > Self.latencies.slow, now - reduced >= 2 * Self.window {
      most = max(1, min(places, count) - 1)
      (places, reduced) = (max(1, most / 2), now)
    } else if latency < Self.latencies.quick, count >= places, places < most, now - added >= Self.window {
      (places, added) = (places + 1, now)
    }
  }

  /// Takes a place, or keeps the present one; the attempt that waits longest is first.
  ///
  /// - Returns: nil if the attempt may begin, otherwise its position in the queue, from 1.
  mutating func enter(_ id: String, at now: Double) -> Int? {
    running = running.filter { now - $0.value < Self.patience }
    waiting = waiting.filter { now - $0.value.asked < Self.patience }
    if running[id] == nil {
      let since = waiting[id]?.since ?? now
      let before = waiting.count { $0.key != id && ($0.value.since, $0.key) < (since, id) }
      if running.count + before >= places {
        waiting[id] = (since, now)
        return before + 1
      }
    }
    waiting[id] = nil
    running[id] = now
    return nil
  }

  mutating func leave(_ id: String) {
    running[id] = nil
    waiting[id] = nil
  }

  func count(at now: Double) -> Int { running.values.count { now - $0 < Self.patience } }

  /// The frame rate to request: lower above three quarters of the capacity and with slow answers, but sufficient for the
  /// challenges.
  func pace(at now: Double) -> Int {
    let isFull = count(at: now) * 4 > capacity * 3 || latency > Self.latencies.slow
    return isFull ? Self.leastPace : FrameBatch.Limits.face.framesPerSecond
  }

  /// A blink of 0.25 s is then visible in two frames.
  static let leastPace = 8
}

/// Token buckets, one per name.
struct RateLimit {
  let burst: Double
  let perSecond: Double
  private var buckets: [String: (left: Double, at: Double)] = [:]

  init(burst: Double, perSecond: Double) { (self.burst, self.perSecond) = (burst, perSecond) }

  /// - Returns: the size of the bucket, the tokens left, and seconds until the next one if none is left.
  mutating func take(_ name: String, at now: Double) -> (limit: Int, left: Int, reset: Int, isAllowed: Bool) {
    if buckets.count > 10_000 {
      // A full bucket is equivalent to a new one.
      buckets = buckets.filter { $0.value.left + (now - $0.value.at) * perSecond < burst }
    }
    let known = buckets[name] ?? (burst, now)
    let left = min(burst, known.left + max(0, now - known.at) * perSecond)
    let isAllowed = left >= 1
    buckets[name] = (isAllowed ? left - 1 : left, now)
    let rest = isAllowed ? left - 1 : left
    return (Int(burst), Int(rest), rest >= 1 ? 0 : Int(((1 - rest) / perSecond).rounded(.up)), isAllowed)
  }
}

struct RateLimits {
  /// Session creations per key.
  var key = RateLimit(burst: 20, perSecond: 10)
  /// Single checks per key: more than four cores can process.
  var check = RateLimit(burst: 80, perSecond: 40)
  /// All other requests per key.
  var question = RateLimit(burst: 200, perSecond: 100)
  /// File requests per address: one visit makes 19, and many people may share an address.
  var file = RateLimit(burst: 400, perSecond: 100)
  /// Sessions and pages opened, and failed authorisations, per address.
  var address = RateLimit(burst: 30, perSecond: 0.5)
  /// Requests per page: two for each batch of frames of a camera with 12 frames per second.
  var session = RateLimit(burst: 60, perSecond: 20)
}

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
