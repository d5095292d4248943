/// Where a session is in its life; what the person should do is another matter (``LivenessHint``).
public enum LivenessStep: String, Sendable, Codable {
  /// Made; no frame came yet.
  case started
  /// Frames are taken.
  case scanView
  /// Everything that was asked for has been seen, or can no longer be: frames are not taken any more. It comes once.
  case imageTaken
  /// Decided: live.
  case canFinish
  /// Decided: it could not be told; ``LivenessDecision/retry`` says why.
  case retry
  /// Decided: a presentation attack.
  case rejectView
}
