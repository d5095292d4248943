package import FaceVerify

/// Runs a session on a source of frames to its end.
package struct LivenessRun {
  package let decision: LivenessDecision
  /// Why the source ended before the session; nil if it did not.
  package let interruption: String?

  /// - Parameter each: receives every frame with the session's feedback.
  package init(
    _ session: LivenessSession, next: () throws -> VideoFrame?,
    each: (VideoFrame, LivenessFeedback) throws -> Void = { _, _ in }
  ) throws {
    var interruption: String?
    var frames = 0
    frames: while !session.isComplete {
      let frame: VideoFrame
      do {
        guard let next = try next() else { break }
        frame = next
      } catch let error as VerifyError where frames > 0 {
        // Frames before the error are still judged.
        interruption = error.message
        break frames
      }
      frames += 1
      guard let state = try Self.add(frame, to: session) else { continue }
      try each(frame, state)
    }
    decision = try session.finish()
    self.interruption = interruption
  }

  /// Returns nil if the session refused the frame, which it counts.
  private static func add(_ frame: VideoFrame, to session: LivenessSession) throws -> LivenessFeedback? {
    do { return try session.add(frame.pixels, at: frame.time) } catch let error as VerifyError
      where error.code == .badArgument
    { return nil }
  }
}
