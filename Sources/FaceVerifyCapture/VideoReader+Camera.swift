public import FaceVerify
internal import Glibc

extension VideoReader {
  /// Opens a camera; its light is on until the reader is released.
  ///
  /// Frames have the driver's times, on the clock that counts from the start of the machine (CLOCK_MONOTONIC). If
  /// frames are read slowly, they arrive late, by as many as the driver buffers, and further ones are dropped; their
  /// times stay correct.
  ///
  /// - Parameters:
  ///   - camera: A device, as in ``CameraDevice/path``.
  ///   - width: Pixels per row, 16 to 8192. A camera without this size delivers its nearest, padded with black bars.
  ///   - height: Rows, 16 to 8192.
  ///   - frameRate: Frames per second, 1 to 240; a camera without this rate, or with little light, delivers fewer.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/notACamera``, ``VerifyError/Code/cameraNotPermitted``,
  ///   ``VerifyError/Code/cameraBusy``, ``VerifyError/Code/badArgument``, or ``VerifyError/Code/unreadable`` if ffmpeg
  ///   is not installed. Most cameras report only at the first frame that they are busy.
  public convenience init(camera: String, width: Int = 640, height: Int = 480, frameRate: Double = 30) throws {
    guard (16...8192).contains(width), (16...8192).contains(height), (1...240).contains(frameRate) else {
      throw VerifyError(.badArgument, "no camera gives \(width)×\(height) pixels, \(frameRate) times a second")
    }
    let file = open(camera, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      let failure = errno
      throw switch failure {
      case EACCES, EPERM: VerifyError(.cameraNotPermitted, "\(camera): not permitted; \(Self.permit)")
      case EBUSY: VerifyError(.cameraBusy, "\(camera): \(Self.free)")
      default: VerifyError(.notACamera, "\(camera): \(RegularFile.reason(failure))")
      }
    }
    let isCamera = CameraCapability(file: file)?.isCamera == true
    close(file)
    guard isCamera else { throw VerifyError(.notACamera, "\(camera) is no camera") }
    try self.init(
      name: camera,
      input: [
        "-fflags", "nobuffer", "-threads", "1", "-f", "v4l2", "-timestamps", "default", "-framerate", "\(frameRate)",
        "-video_size", "\(width)x\(height)", "-i", camera,
      ], width: width, height: height, frameRate: frameRate)
  }

  /// - Parameter input: ffmpeg's input options for the camera.
  convenience init(name: String, input: [String], width: Int, height: Int, frameRate: Double) throws {
    try self.init(
      name, input, .none,
      info: VideoInfo(
        width: width, height: height, storedWidth: width, storedHeight: height, rotation: 0, frameRate: frameRate,
        duration: nil, codec: "unknown", container: "v4l2"),
      probe: nil,
      limits: VideoLimits(maximumSeconds: .infinity, maximumFrames: .max),
      // Slow cameras take some seconds to start. Chosen.
      patience: 10)
  }

  /// Returns the error for a camera that ended.
  static func cameraFailure(_ program: PipedProgram) -> VerifyError {
    let words = program.words
    if words.contains("Device or resource busy") { return VerifyError(.cameraBusy, free) }
    if words.contains("Permission denied") || words.contains("Operation not permitted") {
      return VerifyError(.cameraNotPermitted, "not permitted; \(permit)")
    }
    return VerifyError(
      .cameraLost, "the camera is gone (\(program.lastWords ?? "no message")); plug it in, then start again")
  }

  private static let free = "another program uses the camera; end that, then start again"
  private static let permit = "usermod -aG video <you>, then log in again"
}

extension VerifyError.Code {
  /// There is no such device, or it delivers no frames.
  public static let notACamera = Self(rawValue: "not-a-camera")
  /// The user has no permission for the camera.
  public static let cameraNotPermitted = Self(rawValue: "camera-not-permitted")
  /// Another program uses the camera.
  public static let cameraBusy = Self(rawValue: "camera-busy")
  /// The camera was disconnected, or stopped delivering frames.
  public static let cameraLost = Self(rawValue: "camera-lost")
}
