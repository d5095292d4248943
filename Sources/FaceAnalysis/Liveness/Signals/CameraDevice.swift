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

/// What the caller knows of the camera that frames come from; a file has none.
public struct CameraFacts: Sendable, Hashable {
  /// The driver's name, such as "uvcvideo" or "v4l2 loopback".
  public var driver: String
  /// The device's name, such as "Integrated Camera".
  public var name: String
  /// A program feeds it, as far as the caller can tell: no hardware belongs to it.
  public var isVirtual: Bool

  public init(driver: String, name: String, isVirtual: Bool = false) {
    self.driver = driver
    self.name = name
    self.isVirtual = isVirtual
  }

  /// Whether a driver is known to have no sensor, by the name that it gives to VIDIOC_QUERYCAP or that of its module.
  package static func isVirtual(driver: String) -> Bool { virtualDrivers.contains(driver.lowercased()) }

  private static let virtualDrivers: Set<String> = [
    // github.com/v4l2loopback/v4l2loopback, vidioc_querycap; used by OBS, DroidCam and many others
    "v4l2 loopback", "v4l2loopback",
    "v4l2loopback_dc",  // DroidCam's own copy: github.com/dev47apps/droidcam-linux-client, v4l2loopback/
    "akvcam",  // Webcamoid: github.com/webcamoid/akvcam, src/ioctl.c
    "vcam",  // github.com/sysprog21/vcam, device.c
    "vivid", "vimc",  // the kernel's own for tests: drivers/media/test-drivers
  ]
}

extension CameraFacts {
  /// What a browser says of its camera: the device's name, or of Chromium's file camera its path or "fake_device_0"
  /// (media/capture/video/fake_video_capture_device_factory.cc, file_video_capture_device_factory.cc).
  package init(browserLabel: String) {
    self.init(
      driver: "browser", name: browserLabel,
      isVirtual: browserLabel.hasPrefix("fake_device") || browserLabel.hasPrefix("/"))
  }
}
