package import FaceVerify
internal import FaceVerifyBase

package struct FrameSource {
  package let next: () throws -> VideoFrame?
  /// Frames per second; nil if unknown.
  package var frameRate: Double?
  /// Properties of the camera, if known; nil for files.
  package var camera: CameraFacts?

  package static func video(_ path: String) throws -> FrameSource {
    let reader = try VideoReader(path: path)
    return FrameSource(
      next: {
        if let frame = try reader.next() { return frame }
        guard reader.endedEarly else { return nil }
        throw VerifyError(
          .damaged,
          "\(path.printable): the video ends early, after \(reader.frameCount) frames; the decision is on these")
      }, frameRate: reader.info.frameRate)
  }

  package static func photo(_ picture: Photo) throws -> FrameSource {
    // Reduced like the frames of a stream, to what the networks use.
    let pixels = try picture.pixels(
      reduction: [1, 2, 4].first { max(picture.width, picture.height) / $0 <= 1280 } ?? 8)
    var frame: VideoFrame? = VideoFrame(pixels: pixels, time: 0)
    return FrameSource(next: { frame.take() })
  }

  package static func camera(_ device: String) throws -> FrameSource {
    guard !device.isEmpty else { throw VerifyError(.notACamera, "the camera has no name") }
    let reader = try VideoReader(camera: device)
    // A name may be a link, such as those in /dev/v4l/by-id.
    let path = SystemFile.resolved(device) ?? device
    let known = CameraDevice.all().first { $0.path == path }
    return FrameSource(
      next: { try reader.next() }, frameRate: reader.info.frameRate,
      camera: known.map { CameraFacts(driver: $0.driver ?? "", name: $0.name, isVirtual: $0.isVirtual) })
  }

  /// Whether a file is a photo, by its first bytes. A Motion JPEG begins like a JPEG: there the name decides.
  package static func isPhoto(_ path: String) -> Bool {
    guard let start = try? RegularFile.beginning(path: path, bytes: 64), let format = PictureFormat(of: start) else {
      return false
    }
    let name = path.lowercased()
    return format != .jpeg || !name.hasSuffix(".mjpeg") && !name.hasSuffix(".mjpg")
  }

  /// Whether a file begins like a video of a supported kind.
  package static func isVideo(_ path: String) -> Bool {
    (try? RegularFile.beginning(path: path, bytes: 256)).flatMap(VideoContainer.init(start:)) != nil
  }
}

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
    while !session.isComplete {
      let frame: VideoFrame
      do {
        guard let next = try next() else { break }
        frame = next
      } catch let error as VerifyError where frames > 0 {
        // Frames before the error are still judged.
        interruption = error.message
        break
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
