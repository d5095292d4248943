/// The state of a session after a frame.
public struct LivenessFeedback: Sendable {
  /// The frame's time, in seconds on the stream's clock.
  public let time: Double
  public let state: LivenessSessionState
  /// What the person should do to proceed; nil if nothing is wrong.
  public let hint: LivenessHint?
  /// Seconds for which a position must still be held; nil otherwise.
  public let secondsLeft: Double?
  /// The current challenge; nil while the person should look ahead.
  public let challenge: Challenge?
  /// The phase of ``challenge``; nil if there is none.
  public let phase: ChallengeProgress.Phase?
  /// Where the face should be now; nil unless ``challenge`` is ``Challenge/follow``.
  public let target: FollowTarget?
  /// The progress of the script, 0 to 1; 0 without one.
  public let progress: Double
  /// The results of completed challenges.
  public let answers: [ScriptProgress.Answer]
  /// ``LivenessDecision/rotation`` so far.
  public let rotation: Int
  /// The face in the frame, in pixels of the upright frame; nil if none was found.
  public let face: Face?
  /// The smoothed observation of the face, therefore of the previous frame; nil if none was found.
  public let motion: FaceObservation?
}

/// The state of a session; for instructions to the person, see ``LivenessHint``.
public enum LivenessSessionState: String, Sendable, Codable, CaseIterable {
  /// Created; no frame yet.
  case started
  /// Accepting frames.
  case capturing
  /// The script is completed or can no longer be: no more frames are accepted. Occurs once.
  case captured
  /// Decided: live.
  case live
  /// Decided: undecided; ``LivenessDecision/retry`` states why.
  case undecided
  /// Decided: a presentation attack.
  case presentationAttack = "presentation-attack"
}
