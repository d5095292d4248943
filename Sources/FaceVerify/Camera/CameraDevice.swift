internal import FaceAnalysis
internal import Glibc

/// A Video4Linux camera.
///
/// Its description is a hint, not a proof: anyone who may load a driver can give it any name.
public struct CameraDevice: Sendable, Hashable {
  /// "/dev/video0"
  public let path: String
  /// The driver's name for it, such as "Integrated Camera".
  public let name: String
  /// "uvcvideo" for nearly all cameras on USB; nil if unknown.
  public let driver: String?
  /// The port, such as "usb-0000:00:14.0-3"; nil if the device cannot be opened.
  public let bus: String?
  /// Fed by a program instead of a sensor: its driver is a known virtual one, or no hardware backs it.
  ///
  /// false is no guarantee: a hardware injector on a USB port looks like any camera.
  public let isVirtual: Bool
  /// Whether the current user may open it.
  public let isPermitted: Bool

  /// Returns all capture devices, ordered by number.
  public static func all() -> [CameraDevice] { all(system: "/sys/class/video4linux", devices: "/dev") }

  /// - Parameters:
  ///   - system: The folder with an entry for each device.
  ///   - devices: The folder of device files.
  package static func all(system: String, devices: String) -> [CameraDevice] {
    let names = (try? RegularFile.names(in: system).map(\.name)) ?? []
    return names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }.sorted().compactMap {
      CameraDevice(entry: "\(system)/video\($0)", path: "\(devices)/video\($0)")
    }
  }

  /// - Parameter entry: The device's folder in /sys.
  /// - Returns: nil if there is no device file, or the device does not capture video.
  init?(entry: String, path: String) {
    guard access(path, F_OK) == 0 else { return nil }
    // A camera's further device nodes carry metadata, not pictures.
    if let index = SystemFile.line(of: entry + "/index"), index != "0" { return nil }
    let capability = CameraCapability(path: path)
    if let capability, !capability.isCamera { return nil }
    let place = SystemFile.resolved(entry) ?? ""
    let drivers = [entry + "/device/driver", entry + "/device/driver/module"].compactMap {
      SystemFile.resolved($0)?.split(separator: "/").last.map(String.init)
    }
    self.path = path
    name = SystemFile.line(of: entry + "/name").map { $0.printable } ?? capability?.name ?? "unknown camera"
    driver = capability?.driver ?? drivers.first
    bus = capability?.bus
    isVirtual =
      Self.virtualPlaces.contains { place.contains($0) }
      || (drivers + [capability?.driver ?? ""]).contains(where: CameraFacts.isVirtual(driver:))
    isPermitted = access(path, R_OK | W_OK) == 0
  }

  /// Parts of /sys paths without hardware.
  private static let virtualPlaces = [
    "/devices/virtual/",  // devices without a parent: the kernel's get_device_parent in drivers/base/core.c
    "/vhci_hcd",  // USB over a network: drivers/usb/usbip
    "/dummy_hcd",  // USB made by a program: drivers/usb/gadget/udc/dummy_hcd.c
  ]
}
