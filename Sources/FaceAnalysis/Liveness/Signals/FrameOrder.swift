import Glibc

/// How often the stream breaks: cuts, where face or picture jump between two frames and move on calmly, and frames that
/// stand in the wrong order, where a moving head goes to and fro faster than a neck can.
struct FrameOrder: LivenessMeasuring {
  static let signal = LivenessSignal.frameOrder
  static let unit = "frames"
  static let source = "recordings that were cut, or had frames exchanged: docs/liveness-signals.md"
  let failure = "Frames are missing or stand in the wrong order: a recording that was cut."
  /// One cut is left to a camera that lost frames without saying so.
  let maximum: Double? = 1

  /// What remains of a step when three times the speed of the fastest around it is taken off: of the face, in heights of
  /// the face (live: 0.014, once 0.050), and of the picture, in levels (live: 1.7, once 7.5).
  private static let faceJump = 0.06
  private static let pictureJump = 3.0
  /// How far a head that goes to, fro and to again in three steps must go for its frames to stand in the wrong order:
  /// the acceleration, in heights of the face per second squared, and the least way, in heights of the face. At 30 frames
  /// a second that is 0.018 heights, where live heads went 0.010; at 15 it is 0.071, where they went 0.024. Heads whose
  /// frames were exchanged went up to 0.12.
  private static let shake = (acceleration: 16.0, least: 0.015)

  /// Mean of the cells' changes from which on a frame is another one. Doubled and encoded anew: 0.04 at most; moving
  /// people: 0.15 and more in 99 of 100 frames.
  private static let change = 0.06
  /// In the dark cameras give each frame twice or three times, and video encoders go on with the second one: it changes by
  /// up to 0.16, 0.01 to 0.12 of the change before (clips of 15 and 24 frames a second as 30 in VP8 and H.264). What changes
  /// by less than this share, so many seconds later at most, is that frame again. At 0.15 one of the
  /// simulated cuts was no longer seen.
  private static let again = (share: 0.1, seconds: 0.09)

  /// From one frame to the next.
  private struct Step {
    let seconds: Double
    /// In heights of the face.
    let x: Double
    let y: Double
    /// Mean of the cells' changes, without what all have in common: light comes and goes at once.
    let picture: Double

    var length: Double { (x * x + y * y).squareRoot() }
  }

  private var last: (time: Double, centre: Point, cells: [UInt8])?
  private var steps: [Step] = []
  private var frames = 0
  private var breaks = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let mesh = frame.face?.landmarksInPicture.mesh else {
      last = nil
      steps = []
      return
    }
    frames += 1
    let points = Self.rigid.map { mesh.points[$0] }
    let centre = Point(
      x: points.reduce(0) { $0 + $1.x } / Double(points.count), y: points.reduce(0) { $0 + $1.y } / Double(points.count)
    )
    let height = max(1, mesh.height)
    let cells = frame.thumbnail?.cells ?? []
    if let last {
      let step = Step(
        seconds: frame.time - last.time, x: (centre.x - last.centre.x) / height, y: (centre.y - last.centre.y) / height,
        picture: Self.difference(last.cells, cells))
      let again = step.seconds < Self.again.seconds ? Self.again.share * (steps.last?.picture ?? 0) : 0
      // The same frame again; in one that is the same to the pixel the mesh may tremble all the same.
      guard step.picture > 0, step.picture >= max(Self.change, again) || step.length > Self.shake.least else { return }
      steps.append(step)
    }
    last = (frame.time, centre, cells)
    if steps.count > Self.window { steps.removeFirst() }
    if isCut { breaks += 1 }
    if isShaken { breaks += 1 }
  }

  /// Of the step in the middle, against the four before and after it.
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

  /// Nose, corners of the eyes, forehead, chin and temples: their mean hardly trembles and is not moved by speaking.
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
