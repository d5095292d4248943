/// Detects blinks in a sequence of frames: both lids close quickly, together, and reopen.
///
/// The criterion is how far each eye closes relative to its openness in the preceding half second, not to a neutral
/// pose: eyes may be lowered when that is recorded, and narrow later.
///
/// In 27 clips of 13 living people (3 minutes at 12 to 30 frames per second) 41 blinks of nine of them are visible
/// to people: all 41 are detected (95 % bounds 91 to 100 %); at 15 frames per second 36 of the 37 that still show
/// closed eyes (86 to 100 %), at 10 frames 31 of 32 (84 to 100 %). There are no false detections where eyes only wink,
/// squint, look down or stay closed. The limits were chosen on these clips. See docs/liveness-signals.md.
package struct BlinkSearch: Sendable, Hashable {
  /// Whether the eyes are open, so that a blink may begin.
  package var isReady: Bool { !isClosed && lastOpen != nil }
  package private(set) var isClosed = false
  /// The number of times the lids closed too slowly or stayed closed too long.
  package private(set) var failures = 0
  /// The closure of both lids: 0 none, 1 as much as required.
  package private(set) var amount = 0.0

  private struct Lids: Hashable {
    var time, right, left: Double
  }

  private var recent: [Lids] = []
  /// The eyes before they began to close.
  private var open = Lids(time: 0, right: 0, left: 0)
  private var lastOpen: Double?
  private var closed = 0.0
  private var deepest = 0.0
  /// The closure at which the lids came to rest, and when.
  private var restFall = 0.0
  private var rest = 0.0

  package init() {}

  /// Seconds over which the openness before a blink is measured: half as long again as a blink.
  private static let memory = 0.6
  /// The quantile of the openness over that time: the rest may be eyes that reopen after a blink.
  private static let usual = 0.65
  /// The minimum openness: in nearly closed eyes most of it is landmark noise.
  private static let smallest = 0.1
  /// The fractions of their openness that both eyes must lose, on average and each: lids close unevenly. The shallowest
  /// of the 41 blinks, captured midway, lose 0.36 on average and 0.27 in the eye that closes less; eyes that look
  /// elsewhere lose up to 0.3, those of photos moved and bent 0.08 (docs/liveness-signals.md), and the other eye of a
  /// wink 0.15 to 0.24.
  package static let fall = 0.3
  private static let eachFall = 0.24
  /// Blinks take 0.1 to 0.4 seconds, and closing is the shorter part (Bentivoglio et al. 1997; Caffier et al. 2003: 0.2
  /// seconds when alert); 10 frames per second need a margin.
  private static let longestClosing = 0.35
  private static let longestBlink = 0.8
  /// A blink ends when this fraction of the closure remains: eyes may look down afterwards.
  private static let reopened = 0.6

  /// Processes the next frame; returns whether a blink ended with it.
  package mutating func add(_ motion: FaceObservation) -> Bool {
    let lids = Lids(time: motion.time, right: motion.rightOpenness, left: motion.leftOpenness)
    guard (lids.right + lids.left).isFinite else { return false }
    // The frame at the end of the window counts, regardless of rounding.
    recent.removeAll { lids.time - $0.time > Self.memory + 1e-9 }
    defer { recent.append(lids) }
    if !isClosed {
      guard recent.count > 1 else { return false }
      open = Lids(time: lids.time, right: usual(\.right), left: usual(\.left))
    }
    let right = (open.right - lids.right) / max(open.right, Self.smallest)
    let left = (open.left - lids.left) / max(open.left, Self.smallest)
    let fall = (right + left) / 2
    amount = min(fall / Self.fall, right / Self.eachFall, left / Self.eachFall)
    return isClosed ? reopens(fall, at: lids.time) : closes(fall, at: lids.time)
  }

  private mutating func closes(_ fall: Double, at time: Double) -> Bool {
    // A third of the closure still counts as open: no eye keeps quite still.
    if fall < Self.fall / 3 { lastOpen = time }
    guard amount >= 1, let lastOpen else { return false }
    if time - lastOpen > Self.longestClosing {
      fail()
    } else {
      isClosed = true
      (closed, deepest) = (time, fall)
      (rest, restFall) = (time, fall)
    }
    return false
  }

  private mutating func reopens(_ fall: Double, at time: Double) -> Bool {
    deepest = max(deepest, fall)
    if fall > 1.25 * restFall { (rest, restFall) = (time, fall) }
    guard time - closed <= Self.longestBlink else {
      fail()
      return false
    }
    guard fall <= Self.reopened * deepest else { return false }
    guard let begin = lastOpen, rest - begin <= Self.longestClosing else {
      fail()
      return false
    }
    isClosed = false
    lastOpen = nil
    return true
  }

  private mutating func fail() {
    failures += 1
    isClosed = false
    lastOpen = nil
  }

  private func usual(_ eye: KeyPath<Lids, Double>) -> Double {
    recent.map { $0[keyPath: eye] }.sorted()[Int((Self.usual * Double(recent.count - 1)).rounded())]
  }

  /// Discards the history: the face was lost, or turned away.
  package mutating func reset() {
    let failures = failures
    self = BlinkSearch()
    self.failures = failures
  }
}
