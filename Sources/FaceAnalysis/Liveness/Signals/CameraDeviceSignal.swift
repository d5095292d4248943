/// Whether the camera is a program: 1 if its driver or name is one of those known, or no hardware belongs to it.
///
/// Whoever can write a driver can name it at will: a name that is not listed proves nothing.
struct CameraDeviceSignal: LivenessMeasuring {
  static let signal = LivenessSignal.cameraDevice
  static let unit = "share"
  static let source = "names that programs give their cameras, as published by their makers or users (2026-11)"
  let failure = "The camera is a program, which can show any recording."
  let maximum: Double? = 0

  /// Parts of names, in small letters.
  private static let names = [
    "obs virtual camera", "obs-camera",  // OBS Studio, and its former plug-in
    "akvcam virtual camera",  // AKVCAM_DRIVER_DESCRIPTION
    "dummy video device",  // v4l2loopback's standard label
    "manycam", "droidcam", "iriun webcam", "epoccam",  // their own labels, as in WebRTC's device lists
    "snap camera", "xsplit vcam", "e2esoft vcam", "splitcam", "camtwist", "altercam", "mmhmm", "sparkocam",
    "unity video capture", "webcamoid", "ndi webcam", "youcam", "streamlabs", "virtual camera", "virtual webcam",
  ]

  private let camera: CameraFacts?

  init(_ context: LivenessContext) { camera = context.camera }

  mutating func add(_ frame: LivenessFrame) {}

  var measured: Measured {
    guard let camera else { return .unavailable("Nothing is known of the camera.") }
    let name = camera.name.lowercased()
    let isKnown =
      camera.isVirtual || CameraFacts.isVirtual(driver: camera.driver) || Self.names.contains(where: name.contains)
    return .value(isKnown ? 1 : 0)
  }
}
