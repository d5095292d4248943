/// Which part of the frames had been seen before: a loop, there and back, or a picture that stands still.
///
/// Two frames of a head are never alike to the noise, and nobody goes through the same views twice in the same order. A
/// video that starts again does, and so does one that runs backwards, also when it was encoded anew. A still head's loop
/// is not told from a still head.
struct FrameRepetition: LivenessMeasuring {
  static let signal = LivenessSignal.frameRepetition
  static let unit = "share"
  static let source = "recordings, and loops and reversals of them encoded anew: docs/liveness-signals.md"
  let failure = "Frames came a second time: a recording that was looped, reversed or stopped."
  /// A loop repeats half of a session and more; one in ten is left to a camera that stutters.
  let maximum: Double? = 0.1

  /// Frames that are remembered: 34 seconds at 30 frames a second, a quarter of a megabyte.
  private static let memory = 1024
  private static let cells = FrameThumbnail.side * FrameThumbnail.side
  /// Levels by which every cell of two views of the same moment agrees; added noise and a new encoding moved it by 6 at
  /// most for nearly all frames.
  private static let same: UInt8 = 6
  /// Levels by which some cell differs in a view that counts as another one.
  private static let other: UInt8 = 18
  /// Different views in a row that must come again. Live clips: 2 at most; loops and reversals: 7 to 81.
  private static let minimumViews = 4
  /// Frames between a moment and its repetition, less is one movement.
  private static let minimumLag = 8
  /// Seconds that a camera may give the same frame for: some double frames in the dark.
  private static let pause = 0.25
  private static let minimumFrames = 15

  private var thumbnails = [UInt8](repeating: 0, count: memory * cells)
  private var fingerprints = [UInt64](repeating: 0, count: memory)
  /// How many frames up to this one are repetitions in a row, of those up to each remembered frame, or of those from it
  /// on in reverse.
  private var forwards = [Int](repeating: 0, count: memory)
  private var backwards = [Int](repeating: 0, count: memory)
  /// How many different views there were up to each remembered frame.
  private var views = [Int](repeating: 0, count: memory)
  private var view: [UInt8] = []
  private var viewCount = 0
  private var count = 0
  private var repeated = 0
  /// Frames up to here have been counted if they were repetitions.
  private var counted = 0
  private var lastFingerprint: UInt64?
  private var changed = 0.0

  init(_ context: LivenessContext) {}

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

  /// Whether a frame before the last had exactly these pixels.
  private func isKnown(_ fingerprint: UInt64) -> Bool {
    fingerprints.prefix(count).contains(fingerprint)
  }

  private mutating func remember(_ thumbnail: FrameThumbnail) {
    let slot = count % Self.memory
    thumbnails.replaceSubrange(slot * Self.cells..<(slot + 1) * Self.cells, with: thumbnail.cells)
    fingerprints[slot] = thumbnail.fingerprint
    backwards[slot] = 1
    count += 1
  }

  /// How many frames up to this one came before, in this order or reversed; 0 if they show too few different views.
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

  /// The largest difference of two cells; it stops looking where that is above the limit.
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
