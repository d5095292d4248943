/// What a session says after each frame.
public struct LivenessFeedback: Sendable {
  /// When the frame was taken, in seconds on the stream's clock.
  public let time: Double
  public let state: LivenessSessionState
  /// What the person should do for the session to go on; nil if they are doing well.
  public let hint: LivenessHint?
  /// Seconds that a position must still be held; nil unless one is.
  public let secondsLeft: Double?
  /// What the person is asked to do now; nil while they should look ahead.
  public let challenge: Challenge?
  /// How far ``challenge`` has come; nil if there is none.
  public let phase: ChallengeProgress.Phase?
  /// 0 to 1 over the whole script; 0 without one.
  public let progress: Double
  /// How the challenges ended that did.
  public let answers: [ScriptProgress.Answer]
  /// The face in the frame; nil where none was found.
  public let face: Face?
  /// How the face moves, smoothed, and thus that of the frame before; nil where none was found.
  public let motion: FaceObservation?
}

/// Where a session is in its life; what the person should do is another matter (``LivenessHint``).
public enum LivenessSessionState: String, Sendable, Codable, CaseIterable {
  /// Made; no frame came yet.
  case started
  /// Frames are taken.
  case capturing
  /// Everything that was asked for has been seen, or can no longer be: frames are not taken any more. It comes once.
  case captured
  /// Decided: live.
  case live
  /// Decided: it could not be told; ``LivenessDecision/retry`` says why.
  case undecided
  /// Decided: a presentation attack.
  case presentationAttack = "presentation-attack"
}
