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
