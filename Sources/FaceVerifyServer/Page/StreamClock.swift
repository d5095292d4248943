/// Compares a stream's clock with the server's, which reveals answers that are rendered slower than real time and
/// stretched streams. Delays by the server itself are excluded.
struct StreamClock {
  /// Why a stream is not accepted as live.
  enum Fault: String, CaseIterable {
    /// Frames arrive too long after their capture.
    case lag = "frames-late"
    /// The stream's clock runs at another rate than the server's.
    case rate = "clock-rate"
    /// No frames for too long.
    case gap = "frames-missing"
    /// The page was not visible.
    case hidden = "page-hidden"
  }

  /// Maximum delay in seconds relative to the promptest frame: four round trips of a bad mobile connection, 400 ms each
  /// (ITU-T Y.1541 class 4 has 1 s one way).
  static let longestLag = 2.0
  /// Maximum relative drift of the two clocks over ``leastSpan``: quartz has 1e-4; the rest allows for late batches.
  static let largestDrift = 0.05
  static let leastSpan = 5.0
  /// Minimum drift in seconds that counts: over a mobile network, delays of batches vary by up to this much.
  static let leastDrift = 0.5
  /// Maximum time between two frames, in seconds on the stream's clock.
  static let longestGap = 1.0

  private var first: (seconds: Double, received: Double)?
  private var last: Double?
  private var leastOffset = Double.infinity
  /// The smallest offsets in the first and in the last two seconds: those with the least network delay.
  private var firstOffset = Double.infinity
  private var recent: [(received: Double, offset: Double)] = []

  /// Seconds by which the server delayed the frames: a page sends frames when the previous ones are answered.
  private(set) var backlog = 0.0
  private(set) var worstBacklog = 0.0
  /// Arrival time of the last frame on the server's clock, without the server's own delay.
  private(set) var received = -Double.infinity

  private(set) var worstLag = 0.0
  private(set) var longestSeenGap = 0.0
  private(set) var rate: Double?

  /// - Parameters:
  ///   - seconds: capture time of a frame, on the stream's clock.
  ///   - arrival: arrival time of its bytes, on the server's clock.
  /// - Returns: the fault, if any.
  mutating func add(_ seconds: Double, received arrival: Double) -> Fault? {
    let begin = first ?? (seconds, arrival)
    first = begin
    let late = (arrival - begin.received) - (seconds - begin.seconds)
    // Never below the smallest offset: a delay excused once must not make later frames appear late.
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
    // A page drops its oldest frames when the server does not respond.
    if gap > Self.longestGap + backlog { return .gap }
    if offset - leastOffset > Self.longestLag { return .lag }
    if let rate, abs(rate - 1) > Self.largestDrift, abs(rate - 1) * span > Self.leastDrift { return .rate }
    return nil
  }

  /// Records the response to a batch.
  ///
  /// - Parameters:
  ///   - wait: seconds from its arrival to the response, without the time in which earlier requests of the page ran.
  ///   - span: seconds of the stream in the batch, by which it reduced the page's queue.
  mutating func answered(after wait: Double, span: Double) {
    backlog = max(0, backlog + wait - span)
    worstBacklog = max(worstBacklog, backlog)
  }
}

/// When the colours of the light were first sent to the page.
struct ShownColours {
  private var times: [Int: Double] = [:]

  mutating func show(_ index: Int, at now: Double) { times[index] = times[index] ?? now }

  /// Returns whether a frame can show a colour: the colour was sent before, and the next one no longer ago than frames may
  /// be late. Otherwise answers could be rendered once all colours are known.
  ///
  /// - Parameters:
  ///   - arrived: when the frame arrived.
  ///   - backlog: seconds by which the server delayed it.
  func mayLight(_ index: Int, _ arrived: Double, backlog: Double) -> Bool {
    guard times[index] != nil else { return false }
    let next = times.filter { $0.key > index }.values.min()
    return next.map { arrived - $0 <= StreamClock.longestLag + backlog } ?? true
  }
}
