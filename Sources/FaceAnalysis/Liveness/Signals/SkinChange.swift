/// The least that a face changes over seconds, over its change from one frame to the next: about 1 if only noise changes
/// it.
///
/// Skin, shadows and highlights of a living face change with every small movement; the pixels of an animated photo stay
/// those of the photo, wherever a program moves them. Both frames are registered by their meshes and then patch by
/// patch (``FaceDetail``), so that movement alone is no change.
struct SkinChange: FrameMeasuring {
  static let signal = LivenessSignal.skinChange
  static let unit = "ratio"
  static let source = "photos animated in software: docs/liveness-signals.md"
  let failure = "The face changes no more than a photo that is animated."
  /// 24 clips of living people: at least 2.7, and re-encoded at 12 to 30 frames per second at least 1.30. Of 32 photos
  /// animated by one program (simulated, 2026-11) 27 are below, 31 as JPEG at 12 frames per second.
  let minimum: Double? = 1.2

  /// Seconds from the first view within which a change may be too small.
  private static let pause = 0.5
  /// Degrees from the first view: a turned face shows other skin.
  private static let turn = 6.0
  /// Seconds between two frames that differ by noise.
  ///
  /// In frames further apart, at 10 per second, movement hides the noise: of 95 re-encoded clips of living people two
  /// failed, both at that rate.
  private static let step = 0.015...0.09
  /// Pairs of each kind.
  private static let fewest = 4
  static let most = 24
  /// The share of the slow changes that are smaller than the one that counts: a program may add a change for a while.
  private static let share = 0.2
  /// The noise that is allowed for: of a still camera, and of one whose frames are far apart or compressed much. Above,
  /// the change between successive frames is movement.
  private static let noise = (least: 0.005, most: 0.01)

  private var first: (time: Double, pose: HeadPose, detail: FaceDetail)?
  private var last: (time: Double, detail: FaceDetail)?
  private var slow: [Double] = []
  private var fast: [Double] = []

  mutating func add(_ frame: LivenessFrame) {
    guard let detail = frame.detail, let pose = frame.motion?.pose else { return }
    defer { last = (frame.time, detail) }
    guard let first else {
      first = (frame.time, pose, detail)
      return
    }
    if let last, Self.step.contains(frame.time - last.time) {
      if fast.count < Self.most, let likeness = last.detail.likeness(to: detail, isMirrored: false) {
        fast.append(1 - likeness)
      }
    } else if frame.time - first.time >= Self.pause, slow.count < Self.most,
      max(abs(pose.yaw - first.pose.yaw), abs(pose.pitch - first.pose.pitch), abs(pose.roll - first.pose.roll))
        <= Self.turn, let likeness = first.detail.likeness(to: detail, isMirrored: false)
    {
      slow.append(1 - likeness)
    }
  }

  var measured: Measured {
    guard slow.count >= Self.fewest, fast.count >= Self.fewest, let noise = fast.median else {
      return .unavailable("Too few frames show the face from the same side for this check.")
    }
    return .value(
      slow.sorted()[Int(Self.share * Double(slow.count))] / (min(noise, Self.noise.most) + Self.noise.least))
  }
}
