/// Selects the hint to show: the most important one that is stable.
package struct Guidance {
  /// Seconds for which a hint, or its absence, must be stable before it is shown: longer than a blink (0.4 s,
  /// Bentivoglio et al. 1997), short enough not to be annoying.
  static let stability = 0.4

  package private(set) var shown: LivenessHint?
  package init() {}

  private var next: LivenessHint?
  private var since = 0.0
  private var spent: [LivenessHint: Double] = [:]
  private var last: Double?

  /// The hint that was shown longest in total.
  package var prevailing: LivenessHint? { spent.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key }

  package mutating func update(_ wanted: LivenessHint?, at time: Double) {
    if let shown, let last { spent[shown, default: 0] += time - last }
    last = time
    if wanted != next {
      next = wanted
      since = time
    }
    if time - since >= Self.stability { shown = next }
  }

  /// The hint for a frame. A requested movement is not a fault.
  ///
  /// - Parameters:
  ///   - quality: of the last portrait sample.
  ///   - closedFor: seconds for which the eyes have been closed.
  static func hint(
    for frame: LivenessFrame, quality: QualityReport?, script: ScriptProgress?, closedFor: Double
  ) -> LivenessHint? {
    guard let motion = frame.motion else { return frame.face == nil ? .moveFaceIntoFrame : nil }
    if let quality {
      // From the last sample: only some frames are sampled, and a hint must be stable.
      if failed(quality[.singleFacePresent]) { return .multipleFaces }
      if failed(quality[.underExposure]) { return .lightingTooDark }
      if failed(quality[.overExposure]) { return .lightingTooBright }
    }
    let asked = script?.current?.prompt.challenge
    if script?.current?.phase == .holding { return .holdStill }
    // A face height between 0.25 (eyes about 60 pixels apart in 480 rows, more than matching uses) and 0.8 of the
    // picture, so that the face can turn without leaving it.
    if motion.size > 0.8, asked != .moveCloser { return .faceTooClose }
    if motion.size < 0.25, asked != .moveBack { return .moveFaceCloser }
    // The faults below may be part of a requested movement, or misdetected in a turned head.
    guard asked == nil else { return nil }
    if let quality, failed(quality[.eyesVisible]) { return .sunglasses }
    if let quality, failed(quality[.mouthVisible]) { return .obscuredFace }
    if abs(motion.centre.x - 0.5) > 0.25 || abs(motion.centre.y - 0.5) > 0.3 { return .centreFace }
    let pose = motion.pose
    // NeutralPose requires 20 degrees.
    if abs(pose.roll) > 20 { return .levelEyesAndDevice }
    if pose.pitch > 20 { return .raiseChin }
    if pose.pitch < -20 { return .lowerChin }
    if pose.yaw < -20 { return .turnFaceLeft }
    if pose.yaw > 20 { return .turnFaceRight }
    if closedFor > 1 { return .eyesClosed }
    // No other fault, but no calm half second either.
    if let script, script.phase == .settling, let began = script.began, frame.time - began > 2 {
      return .tooMuchMovement
    }
    return nil
  }

  private static func failed(_ check: QualityCheck?) -> Bool { check?.status == .failed }
}
