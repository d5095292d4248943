internal import FaceAnalysis
internal import Glibc

/// A video device's answer to VIDIOC_QUERYCAP (<linux/videodev2.h>).
package struct CameraCapability: Sendable {
  package let driver: String
  package let name: String
  package let bus: String
  /// The device captures video.
  package let isCamera: Bool

  /// Queries the device; nil if it cannot be opened or is not a video device.
  package init?(path: String) {
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    self.init(file: file)
  }

  package init?(file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    var answer = [UInt8](repeating: 0, count: Self.size)
    // _IOR('V', 0, struct v4l2_capability)
    let request = 2 << 30 | UInt(Self.size) << 16 | UInt(UInt8(ascii: "V")) << 8
    let outcome = answer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { ioctl(file, request, $0) } }
    guard outcome == 0 else { return nil }
    self.init(answer)
  }

  /// - Parameter answer: `struct v4l2_capability`: driver[16], card[32], bus_info[32], version, capabilities,
  ///   device_caps and 12 reserved bytes.
  package init?(_ answer: [UInt8]) {
    guard answer.count == Self.size else { return nil }
    func text(_ range: Range<Int>) -> String { String(decoding: answer[range].prefix { $0 != 0 }, as: UTF8.self) }
    func number(_ start: Int) -> UInt32 { answer[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    driver = text(0..<16).printable
    name = text(16..<48).printable
    bus = text(48..<80).printable
    let all = number(84)
    // V4L2_CAP_DEVICE_CAPS: device_caps has the capabilities of this device node, not of the whole physical device.
    let own = all & 0x8000_0000 != 0 ? number(88) : all
    // V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE
    isCamera = own & 0x0000_1001 != 0
  }

  private static let size = 104
}
