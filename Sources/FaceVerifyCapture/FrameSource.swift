package import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// A source of frames.
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
          "\(path.printable): the video breaks off after \(reader.frameCount) frames; what came is judged")
      }, frameRate: reader.info.frameRate)
  }

  /// A source of one frame.
  package static func photo(_ path: String) throws -> FrameSource {
    let picture = try Photo(path: path)
    // Reduced like the frames of a stream, to what the networks use.
    let pixels = try picture.pixels(
      reduction: [1, 2, 4].first { max(picture.width, picture.height) / $0 <= 1280 } ?? 8)
    var frame: VideoFrame? = VideoFrame(pixels: pixels, time: 0)
    return FrameSource(next: {
      defer { frame = nil }
      return frame
    })
  }

  package static func camera(_ device: String) throws -> FrameSource {
    guard !device.isEmpty else {
      throw VerifyError(.notACamera, "the camera has no name; see `faceverify doctor` for cameras")
    }
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
    guard let (file, _) = try? RegularFile.open(path: path) else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: 64)
    let count = pread(file, &start, start.count, 0)
    guard count > 0, let format = PictureFormat(of: Array(start[..<count])) else { return false }
    let name = path.lowercased()
    return format != .jpeg || !name.hasSuffix(".mjpeg") && !name.hasSuffix(".mjpg")
  }
}
