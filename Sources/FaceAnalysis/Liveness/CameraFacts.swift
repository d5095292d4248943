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
