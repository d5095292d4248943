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
