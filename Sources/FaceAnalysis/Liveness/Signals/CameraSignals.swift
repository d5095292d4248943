/// Whether the camera is a program: 1 if its driver or name is a known one, or no hardware belongs to it.
///
/// An attacker who can write a driver can choose its name: an unlisted name proves nothing.
struct CameraDeviceSignal: LivenessMeasuring {
  static let signal = LivenessSignal.cameraDevice
  static let unit = "share"
  static let source = "names of virtual cameras, as published by their makers or users (2026-11)"
  let failure = "The camera is a virtual one, which can play any recording."
  let maximum: Double? = 0

  /// Substrings of names, in lower case.
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
    guard let camera, camera.isNamed else { return .unavailable("The camera is unknown.") }
    let name = camera.name.lowercased()
    let isKnown =
      camera.isVirtual || CameraFacts.isVirtual(driver: camera.driver) || Self.names.contains(where: name.contains)
    return .value(isKnown ? 1 : 0)
  }
}

/// Whether the browser's list of cameras lacks the one that the track claims: 1 for tracks of a canvas, a video element,
/// a generator, a peer connection or a screen.
///
/// A page that replaces `getUserMedia` can also replace what reports this: a listed camera proves nothing. Privacy
/// extensions that replace the list have the same effect, so a failure alone does not decide.
struct CameraTrack: LivenessMeasuring {
  static let signal = LivenessSignal.cameraTrack
  static let unit = "share"
  static let source = "tracks of seven kinds in Chromium: docs/liveness-signals.md (2026-11)"
  let failure = "The browser does not list the camera that the video track claims."
  let maximum: Double? = 0

  private let isListed: Bool?

  init(_ context: LivenessContext) { isListed = context.camera?.isListed }

  mutating func add(_ frame: LivenessFrame) {}

  var measured: Measured {
    isListed.map { .value($0 ? 0 : 1) } ?? .unavailable("The caller does not report whether the camera is listed.")
  }
}

/// What the caller knows about the camera that supplies the frames; nil for files.
public struct CameraFacts: Sendable, Hashable {
  /// The driver's name, such as "uvcvideo" or "v4l2 loopback".
  public var driver: String
  /// The device's name, such as "Integrated Camera".
  public var name: String
  /// Whether a program feeds it, as far as the caller can determine: no hardware belongs to it.
  public var isVirtual: Bool
  /// Whether the browser lists the device of the video track; nil if unknown.
  public var isListed: Bool?

  public init(driver: String, name: String, isVirtual: Bool = false, isListed: Bool? = nil) {
    (self.driver, self.name, self.isVirtual, self.isListed) = (driver, name, isVirtual, isListed)
  }

  var isNamed: Bool { !driver.isEmpty || !name.isEmpty }

  /// Returns whether a driver is known to have no sensor, by its VIDIOC_QUERYCAP name or its module's name.
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
  /// A camera described by a browser: the device's name, or for Chromium's file camera its path or "fake_device_0"
  /// (media/capture/video/fake_video_capture_device_factory.cc, file_video_capture_device_factory.cc); empty if unknown.
  package init(browserLabel: String, isListed: Bool?) {
    self.init(
      driver: browserLabel.isEmpty ? "" : "browser", name: browserLabel,
      isVirtual: browserLabel.hasPrefix("fake_device") || browserLabel.hasPrefix("/"), isListed: isListed)
  }
}

extension CameraFacts: JSONTable {
  package static let subject = "a camera"
  package static var blank: Self { Self(driver: "", name: "") }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("driver", \.driver), .init("name", \.name), .init("isVirtual", \.isVirtual),
      .init("isListed") {
        $0.isListed.map(\.memberJSON)
      } read: {
        $0.isListed = try Bool($1, at: "isListed", in: $2)
      },
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}
