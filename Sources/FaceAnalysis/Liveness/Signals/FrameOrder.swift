import Glibc

/// The number of discontinuities in the stream: cuts, at which face or picture jump between two frames and then
/// continue smoothly, and reordered frames, in which a moving head oscillates faster than a neck can.
struct FrameOrder: FrameMeasuring {
  static let signal = LivenessSignal.frameOrder
  static let unit = "frames"
  static let source = "recordings that were cut or reordered: docs/liveness-signals.md"
  let failure = "Frames are missing or out of order: a recording that was cut."
  /// Allows one cut for a camera that dropped frames without reporting it.
  let maximum: Double? = 1

  /// The remainder of a step after subtracting three times the fastest speed around it: of the face, in heights of the
  /// face (live: 0.014, once 0.050), and of the picture, in levels (live: 1.7, once 7.5).
  private static let faceJump = 0.06
  private static let pictureJump = 3.0
  /// The minimum oscillation (forth, back and forth in three steps) that indicates reordered frames: the acceleration,
  /// in heights of the face per second squared, and the minimum distance, in heights of the face. At 30 frames per
  /// second that is 0.018 heights, where live heads reached 0.010; at 15 it is 0.071, where they reached 0.024. Heads
  /// in reordered frames reached up to 0.12.
  private static let shake = (acceleration: 16.0, least: 0.015)

  /// The mean change of the cells at or above which a frame is a new one. Duplicated and re-encoded frames: at most
  /// 0.04; moving people: at least 0.15 in 99 of 100 frames.
  private static let change = 0.06
  /// In the dark, cameras deliver each frame two or three times, and video encoders refine the repeated ones: they
  /// change by up to 0.16, 0.01 to 0.12 of the preceding change (clips of 15 and 24 frames per second as 30 in VP8 and
  /// H.264). A frame that changes by less than this fraction, within this many seconds, is a duplicate. At 0.15, one of
  /// the simulated cuts was missed.
  private static let again = (share: 0.1, seconds: 0.09)

  /// The difference between two successive frames.
  private struct Step {
    let seconds: Double
    /// In heights of the face.
    let x: Double
    let y: Double
    /// The mean change of the cells, less the common change: lighting affects all cells together.
    let picture: Double

    var length: Double { (x * x + y * y).squareRoot() }
  }

  private var last: (time: Double, centre: Point, cells: [UInt8])?
  private var steps: [Step] = []
  private var frames = 0
  private var breaks = 0

  mutating func add(_ frame: LivenessFrame) {
    guard let mesh = frame.face?.landmarksInPicture.mesh else {
      last = nil
      steps = []
      return
    }
    frames += 1
    let centre = Self.rigid.map { mesh.points[$0] }.centroid
    let height = max(1, mesh.height)
    let cells = frame.thumbnail?.cells ?? []
    if let last {
      let step = Step(
        seconds: frame.time - last.time, x: (centre.x - last.centre.x) / height, y: (centre.y - last.centre.y) / height,
        picture: Self.difference(last.cells, cells))
      let again = step.seconds < Self.again.seconds ? Self.again.share * (steps.last?.picture ?? 0) : 0
      // A duplicate frame; even if it is identical to the pixel, its mesh may jitter.
      guard step.picture > 0, step.picture >= max(Self.change, again) || step.length > Self.shake.least else { return }
      steps.append(step)
    }
    last = (frame.time, centre, cells)
    if steps.count > Self.window { steps.removeFirst() }
    if isCut { breaks += 1 }
    if isShaken { breaks += 1 }
  }

  /// Compares the middle step with the four before and after it.
  private var isCut: Bool {
    guard steps.count == Self.window else { return false }
    let step = steps[Self.window / 2]
    func isJump(_ size: (Step) -> Double, _ limit: Double) -> Bool {
      let others = steps.indices.filter { $0 != Self.window / 2 }.map { size(steps[$0]) / steps[$0].seconds }
      return size(step) - 3 * step.seconds * (others.max() ?? 0) > limit
    }
    return isJump(\.length, Self.faceJump) || isJump(\.picture, Self.pictureJump)
  }

  private var isShaken: Bool {
    guard steps.count >= 3 else { return false }
    let (a, b, c) = (steps[steps.count - 3], steps[steps.count - 2], steps[steps.count - 1])
    let square = -max(a.x * b.x + a.y * b.y, b.x * c.x + b.y * c.y)
    let seconds = (a.seconds + b.seconds + c.seconds) / 3
    return square > 0 && square.squareRoot() > max(Self.shake.least, Self.shake.acceleration * seconds * seconds)
  }

  private static let window = 9

  /// Nose, corners of the eyes, forehead, chin and temples: their mean is stable and unaffected by speech.
  private static let rigid =
    FaceMesh.Index.noseBridge + [
      FaceMesh.Index.rightEyeOuter, FaceMesh.Index.leftEyeOuter, FaceMesh.Index.rightEyeInner,
      FaceMesh.Index.leftEyeInner, FaceMesh.Index.forehead, FaceMesh.Index.chin, FaceMesh.Index.rightTemple,
      FaceMesh.Index.leftTemple,
    ]

  private static func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    let changes = zip(a, b).map { Int($1) - Int($0) }
    let common = changes.median ?? 0
    return Double(changes.reduce(0) { $0 + abs($1 - common) }) / Double(changes.count)
  }

  var measured: Measured {
    frames >= Self.minimumFrames ? .value(Double(breaks)) : .unavailable("Too few frames show a face.")
  }

  private static let minimumFrames = 15
}
