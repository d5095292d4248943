internal import FaceAnalysis
internal import Glibc

/// A camera that the system knows (Video4Linux).
///
/// What it says of itself is a hint, not a proof: whoever may load a driver can give it any name.
public struct CameraDevice: Sendable, Hashable {
  /// "/dev/video0"
  public let path: String
  /// What the driver calls it: "Integrated Camera".
  public let name: String
  /// "uvcvideo" for nearly all cameras on USB; nil if unknown.
  public let driver: String?
  /// Where it is plugged in, as "usb-0000:00:14.0-3"; nil unless the device can be opened.
  public let bus: String?
  /// A program feeds it, instead of a sensor: its driver is known as one of that kind, or no hardware belongs to it.
  ///
  /// false is no promise: a box that feeds pictures into a USB port looks like any camera.
  public let isVirtual: Bool
  /// Whether this user may use it.
  public let isPermitted: Bool

  /// All cameras that give pictures, in the order of their numbers.
  public static func all() -> [CameraDevice] { all(system: "/sys/class/video4linux", devices: "/dev") }

  /// - Parameters:
  ///   - system: The folder that has an entry for each device.
  ///   - devices: The folder of the device files.
  package static func all(system: String, devices: String) -> [CameraDevice] {
    guard let folder = opendir(system) else { return [] }
    defer { closedir(folder) }
    var numbers: [Int] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("video"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
    }
    return numbers.sorted().compactMap {
      CameraDevice(entry: "\(system)/video\($0)", path: "\(devices)/video\($0)")
    }
  }

  /// - Parameter entry: The device's folder in /sys.
  /// - Returns: nil if there is no device file, or the device gives no pictures.
  init?(entry: String, path: String) {
    guard access(path, F_OK) == 0 else { return nil }
    // A camera's further devices carry metadata, no pictures.
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

  /// Parts of a place in /sys where no hardware is.
  private static let virtualPlaces = [
    "/devices/virtual/",  // devices without a parent: the kernel's get_device_parent in drivers/base/core.c
    "/vhci_hcd",  // USB over a network: drivers/usb/usbip
    "/dummy_hcd",  // USB made by a program: drivers/usb/gadget/udc/dummy_hcd.c
  ]
}
