/// Chooses the hint to show: the most important one that has held for a moment.
package struct Guidance {
  /// Seconds for which a hint, or none, must hold before it is shown: longer than a blink (0.4 s, Bentivoglio et al.
  /// 1997), shorter than anybody's patience.
  static let stability = 0.4

  package private(set) var shown: LivenessHint?
  package init() {}

  private var next: LivenessHint?
  private var since = 0.0
  private var spent: [LivenessHint: Double] = [:]
  private var last: Double?

  /// The hint that was shown for the longest time.
  package var prevailing: LivenessHint? {
    spent.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }

  package mutating func update(_ wanted: LivenessHint?, at time: Double) {
    if let shown, let last { spent[shown, default: 0] += time - last }
    last = time
    if wanted != next {
      next = wanted
      since = time
    }
    if time - since >= Self.stability { shown = next }
  }

  /// What is wrong in this frame. A movement that is asked for is no fault.
  ///
  /// - Parameters:
  ///   - quality: of the last portrait sample.
  ///   - closedFor: seconds for which the eyes have been closed.
  static func hint(
    for frame: LivenessFrame, quality: QualityReport?, script: ScriptProgress?, closedFor: Double
  ) -> LivenessHint? {
    guard let motion = frame.motion else { return frame.face == nil ? .moveFaceIntoFrame : nil }
    if let quality {
      // Of the last sample, since few frames are sampled and a hint must hold.
      if failed(quality[.singleFacePresent]) { return .multipleFaces }
      if failed(quality[.underExposure]) { return .lightingTooDark }
      if failed(quality[.overExposure]) { return .lightingTooBright }
    }
    let asked = script?.current?.prompt.challenge
    if script?.current?.phase == .holding { return .holdStill }
    // A face from 0.25 (eyes about 60 pixels apart in 480 rows, more than matching sees) to 0.8 of the picture's height,
    // so that it can turn without leaving it.
    if motion.size > 0.8, asked != .moveCloser { return .faceTooClose }
    if motion.size < 0.25, asked != .moveBack { return .moveFaceCloser }
    // What follows is part of what may be asked for, or seen wrongly in a head that is turned.
    guard asked == nil else { return nil }
    if let quality, failed(quality[.eyesVisible]) { return .sunglasses }
    if let quality, failed(quality[.mouthVisible]) { return .obscuredFace }
    if abs(motion.centre.x - 0.5) > 0.25 || abs(motion.centre.y - 0.5) > 0.3 { return .centreFace }
    let pose = motion.pose
    // NeutralPose asks for 20 degrees.
    if abs(pose.roll) > 20 { return .levelEyesAndDevice }
    if pose.pitch > 20 { return .raiseChin }
    if pose.pitch < -20 { return .lowerChin }
    if pose.yaw < -20 { return .turnFaceLeft }
    if pose.yaw > 20 { return .turnFaceRight }
    if closedFor > 1 { return .eyesClosed }
    // Nothing else is wrong, and still there is no calm half second.
    if let script, script.phase == .settling, let began = script.began, frame.time - began > 2 {
      return .tooMuchMovement
    }
    return nil
  }

  private static func failed(_ check: QualityCheck?) -> Bool { check?.status == .failed }
}
