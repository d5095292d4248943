/// Holds a stream's own clock against the server's: a prepared answer that is rendered slower than time, or a stream that is
/// stretched, shows in it. What the server itself held up is not counted.
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

  /// Seconds by which frames are late because the server was: a page sends its frames when the ones before are answered.
  private(set) var backlog = 0.0
  private(set) var worstBacklog = 0.0
  /// When the last frame would have come but for the server, on the server's clock.
  private(set) var received = -Double.infinity

  private(set) var worstLag = 0.0
  private(set) var longestSeenGap = 0.0
  private(set) var rate: Double?

  /// - Parameters:
  ///   - seconds: when a frame was taken, on the stream's clock.
  ///   - arrival: when its bytes had arrived, on the server's.
  /// - Returns: what is wrong, if anything.
  mutating func add(_ seconds: Double, received arrival: Double) -> Fault? {
    let begin = first ?? (seconds, arrival)
    first = begin
    let late = (arrival - begin.received) - (seconds - begin.seconds)
    // Never earlier than the promptest: what is forgiven once must not make later frames look late.
    let offset = max(late - backlog, min(late, leastOffset))
    received = max(received, arrival - (late - offset))
    leastOffset = min(leastOffset, offset)
    worstLag = max(worstLag, offset - leastOffset)
    let gap = seconds - (last ?? seconds)
    longestSeenGap = max(longestSeenGap, gap)
    last = seconds
    if arrival - begin.received <= 2 { firstOffset = min(firstOffset, offset) }
    recent.append((arrival, offset))
    recent.removeAll { arrival - $0.received > 2 }
    let span = arrival - begin.received
    if span >= Self.leastSpan, let now = recent.map(\.offset).min() {
      rate = 1 - (now - firstOffset) / span
    }
    // A page drops its oldest frames when the server does not answer.
    if gap > Self.longestGap + backlog { return .gap }
    if offset - leastOffset > Self.longestLag { return .lag }
    if let rate, abs(rate - 1) > Self.largestDrift, abs(rate - 1) * span > Self.leastDrift { return .rate }
    return nil
  }

  /// A batch was answered.
  ///
  /// - Parameters:
  ///   - wait: seconds from its arrival to the answer, without those in which the page's own earlier requests ran.
  ///   - span: seconds of the stream in it: so much of what waits at the page it took away.
  mutating func answered(after wait: Double, span: Double) {
    backlog = max(0, backlog + wait - span)
    worstBacklog = max(worstBacklog, backlog)
  }
}

/// When the colours of the light were first sent to the page.
struct ShownColours {
  private var times: [Int: Double] = [:]

  mutating func show(_ index: Int, at now: Double) { times[index] = times[index] ?? now }

  /// Returns whether a frame can show a colour: it was sent before, and the next one no longer ago than frames may be late.
  /// Otherwise answers could be rendered once all colours are known.
  ///
  /// - Parameters:
  ///   - arrived: when the frame arrived.
  ///   - backlog: seconds by which it is late because of the server.
  func mayLight(_ index: Int, _ arrived: Double, backlog: Double) -> Bool {
    guard times[index] != nil else { return false }
    let next = times.filter { $0.key > index }.values.min()
    return next.map { arrived - $0 <= StreamClock.longestLag + backlog } ?? true
  }
}
