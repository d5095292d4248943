/// Holds a stream's own clock against the server's: a prepared answer that is rendered slower than time, or a stream that is
/// stretched, shows in it.
struct StreamClock {
  /// Why a stream is not taken for live.
  enum Fault: String, CaseIterable {
    /// Frames came later and later after they were taken.
    case lag = "frames-late"
    /// Its seconds are not the server's.
    case rate = "clock-rate"
    /// No frames for a while.
    case gap = "frames-missing"
    /// The page was not on the screen.
    case hidden = "page-hidden"
  }

  /// Seconds by which a frame may be later than the promptest one: four round trips of a bad mobile connection, 400 ms
  /// (ITU-T Y.1541 class 4 has 1 s one way).
  static let longestLag = 2.0
  /// By which the two clocks may differ over ``leastSpan``: quartz has 1e-4; the rest is for batches that come late.
  static let largestDrift = 0.05
  static let leastSpan = 5.0
  /// Seconds that the two clocks must have parted: batches come by up to so much later than others over a mobile network.
  static let leastDrift = 0.5
  /// Seconds on the stream's clock between two frames.
  static let longestGap = 1.0

  private var first: (seconds: Double, received: Double)?
  private var last: Double?
  private var leastOffset = Double.infinity
  /// The least offset of the first and of the last two seconds: what is not delay by the way.
  private var firstOffset = Double.infinity
  private var recent: [(received: Double, offset: Double)] = []

  private(set) var worstLag = 0.0
  private(set) var longestSeenGap = 0.0
  private(set) var rate: Double?

  /// - Parameters:
  ///   - seconds: when a frame was taken, on the stream's clock.
  ///   - received: when it came, on the server's.
  /// - Returns: what is wrong, if anything.
  mutating func add(_ seconds: Double, received: Double) -> Fault? {
    let begin = first ?? (seconds, received)
    first = begin
    let offset = (received - begin.received) - (seconds - begin.seconds)
    leastOffset = min(leastOffset, offset)
    worstLag = max(worstLag, offset - leastOffset)
    let gap = seconds - (last ?? seconds)
    longestSeenGap = max(longestSeenGap, gap)
    last = seconds
    if received - begin.received <= 2 { firstOffset = min(firstOffset, offset) }
    recent.append((received, offset))
    recent.removeAll { received - $0.received > 2 }
    let span = received - begin.received
    if span >= Self.leastSpan, let now = recent.map(\.offset).min() {
      rate = 1 - (now - firstOffset) / span
    }
    if gap > Self.longestGap { return .gap }
    if offset - leastOffset > Self.longestLag { return .lag }
    if let rate, abs(rate - 1) > Self.largestDrift, abs(rate - 1) * span > Self.leastDrift { return .rate }
    return nil
  }
}
