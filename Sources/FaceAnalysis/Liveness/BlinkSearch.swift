/// Finds blinks as frames come: both lids fall quickly, together, and rise again.
///
/// What counts is how far each eye closes against how open it was in the half second before, and not against a neutral
/// pose: eyes may be cast down when that is taken, and narrow later.
///
/// In 27 clips of 13 living people (3 minutes at 12 to 30 frames a second) people see 41 blinks of nine of them: all 41
/// are found (95 % bounds 91 to 100 %), at 15 frames a second 36 of the 37 that still show closed eyes (86 to 100 %), at 10
/// frames 31 of 32 (84 to 100 %), and none where eyes only wink, squint, look down or stay closed. The limits were chosen
/// on these clips. See docs/liveness-signals.md.
package struct BlinkSearch: Sendable, Hashable {
  /// Whether the eyes are open, so that a blink may begin.
  package var isReady: Bool { !isClosed && lastOpen != nil }
  package private(set) var isClosed = false
  /// How often the lids fell too slowly, or for too long.
  package private(set) var failures = 0
  /// How far both lids came down: 0 not at all, 1 as far as it takes.
  package private(set) var amount = 0.0

  private struct Lids: Hashable {
    var time, right, left: Double
  }

  private var recent: [Lids] = []
  /// Of the eyes before they began to close.
  private var open = Lids(time: 0, right: 0, left: 0)
  private var lastOpen: Double?
  private var closed = 0.0
  private var deepest = 0.0
  /// How far the lids had fallen, and when, as they came to rest.
  private var restFall = 0.0
  private var rest = 0.0

  package init() {}

  /// Seconds in which the openness before a blink is taken: half as long again as a blink.
  private static let memory = 0.6
  /// What this share of these seconds does not exceed is the eyes' openness: the rest may be eyes that open after a blink.
  private static let usual = 0.65
  /// No openness counts as less: in eyes that are all but closed most of it is the landmarks' trembling.
  private static let smallest = 0.1
  /// The shares of their openness that both eyes must lose in the mean, and each of them: lids fall unevenly. Of the 41
  /// blinks the shallowest, which the camera caught on the way, lose 0.36 in the mean and 0.27 in the eye that closes less;
  /// eyes that look elsewhere lose up to 0.3, those of photos that are moved and bent 0.08 (docs/liveness-signals.md), and
  /// the other eye of a wink 0.15 to 0.24.
  package static let fall = 0.3
  private static let eachFall = 0.24
  /// Blinks take 0.1 to 0.4 seconds, of which the closing is the shorter part (Bentivoglio et al. 1997; Caffier et al.
  /// 2003: 0.2 seconds when alert); frames of 10 a second need room.
  private static let longestClosing = 0.35
  private static let longestBlink = 0.8
  /// A blink is over when this share of the fall is left: eyes may look down afterwards.
  private static let reopened = 0.6

  /// Takes the next frame, and says whether a blink ended with it.
  package mutating func add(_ motion: FaceObservation) -> Bool {
    let lids = Lids(time: motion.time, right: motion.rightOpenness, left: motion.leftOpenness)
    guard (lids.right + lids.left).isFinite else { return false }
    // The frame at the very end of that time counts, whatever the rounding.
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
    // A third of the way is still open: no eye keeps quite still.
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

  /// Forgets what was before: the face was lost, or turned away.
  package mutating func reset() {
    let failures = failures
    self = BlinkSearch()
    self.failures = failures
  }
}
