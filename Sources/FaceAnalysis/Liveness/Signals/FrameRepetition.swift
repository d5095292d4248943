/// The share of frames that are repetitions: a loop, forwards and backwards, or a frozen picture.
///
/// Two frames of a head differ by at least their noise, and no person passes through the same views twice in the same
/// order. A looped or reversed video does, even if re-encoded. The loop of a still head cannot be distinguished from a
/// still head.
struct FrameRepetition: FrameMeasuring {
  static let signal = LivenessSignal.frameRepetition
  static let unit = "share"
  static let source = "recordings, and re-encoded loops and reversals of them: docs/liveness-signals.md"
  let failure = "Frames were repeated: a looped, reversed or paused recording."
  /// A loop repeats at least half of a session; one in ten is allowed for a camera that stutters.
  let maximum: Double? = 0.1

  /// The number of frames kept: 34 seconds at 30 frames per second, a quarter of a megabyte.
  private static let memory = 1024
  private static let cells = FrameThumbnail.side * FrameThumbnail.side
  /// The maximum difference in levels of all cells between two views of the same moment; added noise and re-encoding
  /// changed nearly all frames by at most 6.
  private static let same: UInt8 = 6
  /// The difference in levels of some cell at which a view counts as another one.
  private static let other: UInt8 = 18
  /// The minimum number of different consecutive views that must recur. Live clips: at most 2; loops and reversals: 7
  /// to 81.
  private static let minimumViews = 4
  /// The minimum distance in frames between a moment and its repetition; anything less is one movement.
  private static let minimumLag = 8
  /// Seconds for which a camera may deliver the same frame: some duplicate frames in the dark.
  private static let pause = 0.25
  private static let minimumFrames = 15

  private var thumbnails = [UInt8](repeating: 0, count: memory * cells)
  private var fingerprints = [UInt64](repeating: 0, count: memory)
  /// The length of the run of repetitions that ends at this frame, of frames up to each stored one, or of frames from
  /// it in reverse.
  private var forwards = [Int](repeating: 0, count: memory)
  private var backwards = [Int](repeating: 0, count: memory)
  /// The number of different views up to each stored frame.
  private var views = [Int](repeating: 0, count: memory)
  private var view: [UInt8] = []
  private var viewCount = 0
  private var count = 0
  private var repeated = 0
  /// Frames up to here have been counted if they were repetitions.
  private var counted = 0
  private var lastFingerprint: UInt64?
  private var changed = 0.0

  mutating func add(_ frame: LivenessFrame) {
    guard let thumbnail = frame.thumbnail else { return }
    let isStanding = thumbnail.fingerprint == lastFingerprint
    if !isStanding { changed = frame.time }
    lastFingerprint = thumbnail.fingerprint
    if view.isEmpty || Self.difference(view[...], thumbnail.cells[...], limit: Self.other) > Self.other {
      view = thumbnail.cells
      viewCount += 1
    }
    let length = repetition(of: thumbnail)
    let isCopy = isStanding ? frame.time - changed > Self.pause : isKnown(thumbnail.fingerprint)
    remember(thumbnail)
    let new = max(length, isCopy ? 1 : 0)
    if new > 0 {
      repeated += count - max(counted, count - new)
      counted = count
    }
  }

  /// Returns whether an earlier frame had exactly these pixels.
  private func isKnown(_ fingerprint: UInt64) -> Bool { fingerprints.prefix(count).contains(fingerprint) }

  private mutating func remember(_ thumbnail: FrameThumbnail) {
    let slot = count % Self.memory
    thumbnails.replaceSubrange(slot * Self.cells..<(slot + 1) * Self.cells, with: thumbnail.cells)
    fingerprints[slot] = thumbnail.fingerprint
    backwards[slot] = 1
    count += 1
  }

  /// Returns the length of the repeated run that ends at this frame, in order or reversed; 0 if it has too few
  /// different views.
  private mutating func repetition(of thumbnail: FrameThumbnail) -> Int {
    let known = max(0, count - Self.memory + 1)..<count
    let isSame = known.map { index in
      let start = index % Self.memory * Self.cells
      return Self.difference(
        thumbnails[start..<start + Self.cells], thumbnail.cells[...], limit: Self.same) <= Self.same
    }
    let free = count % Self.memory
    (forwards[free], backwards[free], views[free]) = (0, 0, viewCount)
    for index in known.reversed() {
      let before = (index + Self.memory - 1) % Self.memory
      let isFar = count - index >= Self.minimumLag
      forwards[index % Self.memory] = isFar && isSame[index - known.lowerBound] ? forwards[before] + 1 : 0
    }
    var longest = 0
    for index in known {
      let (slot, after) = (index % Self.memory, (index + 1) % Self.memory)
      backwards[slot] = isSame[index - known.lowerBound] ? backwards[after] + 1 : 0
      let length = min(max(forwards[slot], backwards[slot]), known.count)
      guard length > longest, viewCount - views[(count - length + 1) % Self.memory] >= Self.minimumViews else {
        continue
      }
      longest = length
    }
    return longest
  }

  /// Returns the largest difference of two cells; stops early above the limit.
  private static func difference(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>, limit: UInt8) -> UInt8 {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        var largest: UInt8 = 0
        for start in stride(from: 0, to: cells, by: 64) where largest <= limit {
          for i in start..<start + 64 { largest = max(largest, max(a[i], b[i]) - min(a[i], b[i])) }
        }
        return largest
      }
    }
  }

  var measured: Measured {
    count >= Self.minimumFrames
      ? .value(Double(repeated) / Double(count)) : .unavailable("Too few frames show a face.")
  }
}
