import FaceVerify
import Foundation
import TestSupport
import Testing

@testable import FaceVerifyCapture

/// Tests without a camera: reading a copy of the structure of /sys, and errors.
@Suite("Cameras")
struct CameraTests {
  /// A tree like /sys and /dev, with a USB camera and its metadata device, and devices of other kinds.
  private func withTree(_ body: (_ system: String, _ devices: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let (system, devices) = (folder + "/sys/class/video4linux", folder + "/dev")
      for path in [system, devices] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      /// - Parameter driver: driver of its hardware; nil if there is none.
      func add(_ number: Int, _ name: String, _ place: String, driver: String?, index: Int = 0) throws {
        let hardware = folder + "/sys/devices/" + place
        let entry = hardware + "/video4linux/video\(number)"
        try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: true)
        try "\(name)\n".write(toFile: entry + "/name", atomically: false, encoding: .utf8)
        try "\(index)\n".write(toFile: entry + "/index", atomically: false, encoding: .utf8)
        if let driver {
          let target = folder + "/sys/bus/drivers/" + driver
          try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
          try? FileManager.default.createSymbolicLink(atPath: hardware + "/driver", withDestinationPath: target)
          try FileManager.default.createSymbolicLink(atPath: entry + "/device", withDestinationPath: hardware)
        }
        try FileManager.default.createSymbolicLink(
          atPath: system + "/video\(number)", withDestinationPath: entry)
        try write([], to: devices + "/video\(number)")
      }
      let usb = "pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0"
      try add(0, "Integrated\tCamera: Integrated C", usb, driver: "uvcvideo")
      try add(1, "Integrated Camera: Metadata", usb, driver: "uvcvideo", index: 1)
      try add(2, "OBS Virtual Camera", "virtual", driver: nil)
      try add(10, "vivid-000-vid-cap", "platform/vivid.0", driver: "vivid")
      try add(11, "Remote", "platform/vhci_hcd.0/usb3/3-1/3-1:1.0", driver: "uvcvideo")
      try add(9, "HDMI grabber", "pci0000:00/0000:00:14.0/usb1/1-4/1-4:1.0", driver: "uvcvideo")
      try body(system, devices)
    }
  }

  // Rows: NV6 J4 V4.14-a NV78
  @Test("cameras are listed with their driver, and whether they are virtual")
  func list() throws {
    try withTree { system, devices in
      let cameras = CameraDevice.all(system: system, devices: devices)
      #expect(
        cameras.map { $0.path.split(separator: "/").last } == ["video0", "video2", "video9", "video10", "video11"])
      #expect(cameras.map(\.name).prefix(2) == ["Integrated\\u{9}Camera: Integrated C", "OBS Virtual Camera"])
      #expect(cameras.map(\.driver) == ["uvcvideo", nil, "uvcvideo", "vivid", "uvcvideo"])
      #expect(cameras.map(\.isVirtual) == [false, true, false, true, true])
      #expect(cameras.allSatisfy { $0.bus == nil && $0.isPermitted })
    }
  }

  @Test("a device without a device file, and an invalid folder, yield no camera")
  func nothing() throws {
    try withTree { system, devices in
      try FileManager.default.removeItem(atPath: devices)
      #expect(CameraDevice.all(system: system, devices: devices).isEmpty)
      #expect(CameraDevice.all(system: system + "/none", devices: devices).isEmpty)
    }
  }

  @Test("the response of a driver is parsed")
  func capability() throws {
    var answer = [UInt8](repeating: 0, count: 104)
    func put(_ text: String, at start: Int) { answer.replaceSubrange(start..<start + text.utf8.count, with: text.utf8) }
    put("v4l2 loopback", at: 0)
    put("A name of thirty-two characters ", at: 16)
    put("platform:v4l2loopback-000", at: 48)
    // The driver captures and has metadata, this device has only metadata.
    answer.replaceSubrange(84..<92, with: [1, 0, 0x80, 0x80, 0, 0, 0x80, 0])
    let metadata = try #require(CameraCapability(answer))
    #expect(metadata.driver == "v4l2 loopback" && metadata.bus == "platform:v4l2loopback-000" && !metadata.isCamera)
    #expect(metadata.name == "A name of thirty-two characters ")
    answer[88] = 1
    #expect(try #require(CameraCapability(answer)).isCamera)
    answer.replaceSubrange(84..<92, with: [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(try #require(CameraCapability(answer)).isCamera)
    #expect(CameraCapability(Array(answer.dropLast())).isNone)
  }

  @Test("the error for an invalid camera names it", arguments: ["/dev/null", "/nonexistent", "", "/dev", #filePath])
  func refused(path: String) throws {
    #expect(throws: VerifyError(.notACamera, "")) { try VideoReader(camera: path) }
  }

  @Test("a size or rate out of range is rejected")
  func range() throws {
    #expect(throws: VerifyError(.badArgument, "")) { try VideoReader(camera: "/dev/video0", width: 0) }
    #expect(throws: VerifyError(.badArgument, "")) { try VideoReader(camera: "/dev/video0", frameRate: .nan) }
  }
}

extension CaptureTests {
  /// ffmpeg's test picture replaces the camera.
  @Suite("A camera's stream") struct CameraStream {
    private func reader(_ input: [String]) throws -> VideoReader {
      try VideoReader(name: "/dev/video7", input: input, width: 160, height: 120, frameRate: 30)
    }

    // Rows: J53
    @Test("a camera that ends after some frames is lost")
    func lost() throws {
      let reader = try reader(["-f", "lavfi", "-i", "testsrc=size=160x120:rate=30:duration=0.5"])
      for _ in 0..<15 { #expect(try !reader.next().isNone) }
      do {
        _ = try reader.next()
        Issue.record("the end is an error")
      } catch let error as VerifyError {
        #expect(error.code == .cameraLost && error.message.hasPrefix("/dev/video7: "), "\(error)")
      }
      #expect(try reader.next().isNone)
    }

    @Test("another size is letterboxed")
    func size() throws {
      let reader = try reader(["-f", "lavfi", "-i", "color=white:size=320x120:rate=30:duration=0.1"])
      let frame = try #require(try reader.next())
      #expect(frame.pixels.width == 160 && frame.pixels.height == 120)
      #expect(frame.pixels.rgb[0] < 20 && frame.pixels.rgb[3 * (60 * 160 + 80)] > 235)
    }

    @Test("a missing camera is lost at the first frame")
    func gone() throws {
      let reader = try reader(["-f", "v4l2", "-i", "/dev/video63"])
      #expect(throws: VerifyError(.cameraLost, "")) { try reader.next() }
    }
  }
}
