/// What a session says after each frame.
public struct LivenessFeedback: Sendable {
  /// Of the frame, in seconds on the stream's clock.
  public let time: Double
  public let state: LivenessSessionState
  /// Nil if the person is doing well.
  public let hint: LivenessHint?
  /// Seconds that a position must still be held; nil unless one is.
  public let secondsLeft: Double?
  /// What the person is asked to do now; nil while they should look ahead.
  public let challenge: Challenge?
  /// Of ``challenge``.
  public let phase: ChallengeProgress.Phase?
  /// 0 to 1 over the whole script; 0 without one.
  public let progress: Double
  /// How the challenges ended that did.
  public let answers: [ScriptProgress.Answer]
  /// Nil where no face was found.
  public let face: Face?
  /// Nil where no face was found; smoothed, and thus of the frame before.
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
