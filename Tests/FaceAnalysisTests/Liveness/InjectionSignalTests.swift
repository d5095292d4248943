import FaceVerifyBase
import Glibc
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("Signals of injected streams")
struct InjectionSignalTests {
  /// A head that sways, 30 times per second; its path never repeats.
  private static func place(_ i: Int) -> (x: Double, y: Double) {
    let t = Double(i) / 30
    return (30 * sin(1.7 * t) + 8 * t, 20 * sin(2.9 * t) - 4 * t)
  }

  /// Frames at the given moments, in order.
  private static func frames(_ moments: [Int], noise: Double = 2, rate: Double = 30) throws -> [LivenessFrame] {
    var frames = SignalFrames(noise: noise)
    return try moments.enumerated().map { i, moment in
      let place = place(moment)
      return try frames.frame(Double(i) / rate, x: place.x, y: place.y, isSampled: i % 6 == 0)
    }
  }

  @Test("a moving head is not a repetition; a loop and its reverse are detected through noise")
  func repetition() throws {
    #expect(FrameRepetition.check(try Self.frames(Array(0..<90))).status == .passed)
    let loop = FrameRepetition.check(try Self.frames(Array(0..<45) + Array(0..<45)))
    #expect(loop.status == .failed)
    #expect(abs((loop.value ?? 0) - 0.5) < 0.02)
    #expect(FrameRepetition.check(try Self.frames(Array(0..<45) + (0..<45).reversed())).status == .failed)
    #expect(FrameRepetition.check([]).status == .notChecked)
  }

  @Test("a still head with noise is not a repetition, one without is a frozen picture")
  func frozen() throws {
    let still = [Int](repeating: 0, count: 60)
    #expect(FrameRepetition.check(try Self.frames(still)).status == .passed)
    #expect(FrameRepetition.check(try Self.frames(still, noise: 0)).value ?? 0 > 0.8)
    // A camera that duplicates each frame.
    #expect(FrameRepetition.check(try Self.frames((0..<60).map { $0 / 2 }, noise: 0)).value == 0)
  }

  @Test("frames in order pass, also duplicated ones; swapped ones and cuts do not")
  func order() throws {
    #expect(FrameOrder.check(try Self.frames(Array(0..<90))).value == 0)
    #expect(FrameOrder.check(try Self.frames((0..<90).map { $0 / 3 * 3 }, noise: 0)).value == 0)
    let exchanged = (0..<90).map { $0 % 10 == 4 ? $0 + 1 : $0 % 10 == 5 ? $0 - 1 : $0 }
    #expect(FrameOrder.check(try Self.frames(exchanged)).status == .failed)
    let cut = (0..<90).map { $0 + $0 / 30 * 40 }
    #expect(FrameOrder.check(try Self.frames(cut)).value == 2)
    #expect(FrameOrder.check(try Self.frames([0, 1])).status == .notChecked)
  }

  @Test("a frame between two others is a moved picture; a mixture of both is a faded cut", arguments: [30.0, 12])
  func blends(rate: Double) throws {
    func frames(_ edit: (Int, PixelBuffer) throws -> PixelBuffer) throws -> [LivenessFrame] {
      var frames = SignalFrames()
      return try (0..<Int(3 * rate)).map { i in
        let place = Self.place(Int(Double(i) * 30 / rate))
        return try frames.frame(Double(i) / rate, x: place.x, y: place.y) { try edit(i, $0) }
      }
    }
    func check(_ edit: (Int, PixelBuffer) throws -> PixelBuffer) throws -> LivenessCheck {
      FrameBlend.check(try frames(edit))
    }
    #expect(try check { $1 }.status == .passed)
    // A third of a second from one place of the head to another.
    let places = try (0...1).map { try SignalFrames().face.picture(x: $0 == 0 ? -30 : 30) }
    let length = rate / 3
    let faded = try check { i, _ in
      let share = max(0, min(1, (Double(i) - rate) / length))
      return try places[0].mixed(with: places[1], share: share)
    }
    #expect(faded.status == .failed && faded.value ?? 1 < 0.15)
    // A light that goes on from the left is no fade.
    let lit = try check { i, picture in
      let share = max(0, min(1, (Double(i) - rate) / length))
      var rgb = picture.rgb
      for y in 0..<picture.height {
        for x in 0..<3 * picture.width {
          let gain = 1 - share * 0.5 * Double(x) / Double(3 * picture.width)
          rgb[3 * y * picture.width + x] = UInt8(Double(rgb[3 * y * picture.width + x]) * gain)
        }
      }
      return try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb)
    }
    #expect(lit.status == .passed)
    #expect(FrameBlend.check([]).status == .notChecked)
  }

  @Test("duplicated and re-encoded frames are in order, unless they are swapped")
  func doubled() throws {
    var frames = SignalFrames(noise: 0)
    func check(_ order: [Int]) throws -> LivenessCheck {
      var shown: PixelBuffer?
      return FrameOrder.check(
        try order.enumerated().map { i, number in
          // A fast head. In duplicates the mesh moves back slightly, and the picture's upper tenth changes.
          let (now, next) = (Self.place(number / 2 * 6), Self.place(number / 2 * 6 + 6))
          let back = number % 2 == 0 ? 0 : -0.08
          return try frames.frame(
            Double(i) / 30, x: now.x + back * (next.x - now.x), y: now.y + back * (next.y - now.y)
          ) { picture in
            guard number % 2 == 1, let last = shown else {
              shown = picture
              return picture
            }
            let rgb = last.rgb.enumerated().map { $0 < last.rgb.count / 10 ? min($1, 254) + 1 : $1 }
            return try PixelBuffer(width: last.width, height: last.height, rgb: rgb)
          }
        })
    }
    #expect(try check(Array(0..<90)).value == 0)
    let exchanged = (0..<90).map { [4, 5].contains($0 % 10) ? $0 + 2 : [6, 7].contains($0 % 10) ? $0 - 2 : $0 }
    #expect(try check(exchanged).status == .failed)
  }

  @Test("a camera's clock passes; one that is too fast, pauses or runs backwards does not")
  func clock() throws {
    func check(_ times: [Double], refused: Int = 0) throws -> LivenessCheck {
      var frames = SignalFrames(noise: 0)
      return FrameClock.check(
        try times.enumerated().map { try frames.frame($1, refused: $0 == 10 ? refused : 0) })
    }
    let steady = (0..<40).map { Double($0) / 30 }
    #expect(try check(steady).value == 0)
    #expect(try check((0..<40).map { Double($0) / 500 }).status == .failed)
    #expect(try check(steady.map { $0 > 0.5 ? $0 + 3 : $0 }).status == .failed)
    #expect(try check(steady, refused: 3).status == .passed)
    #expect(try check(steady, refused: 20).status == .failed)
    #expect(try check([0, 1]).status == .notChecked)
  }

  @Test("frames of one size pass, also rotated ones")
  func size() throws {
    func check(_ sizes: [(Int, Int)]) throws -> LivenessCheck {
      var frames = SignalFrames(noise: 0)
      return FrameSize.check(
        try sizes.enumerated().map { i, size in
          try frames.frame(Double(i)) { _ in try .plain(width: size.0, height: size.1) }
        })
    }
    #expect(try check([(64, 48), (64, 48), (48, 64)]).status == .passed)
    let changed = try check([(64, 48), (32, 24), (64, 48)])
    #expect(changed.status == .failed)
    #expect(changed.value == 2)
    #expect(try check([(64, 48)]).status == .notChecked)
  }

  @Test("a still face has noise, a still picture has none")
  func noise() throws {
    let still = [Int](repeating: 0, count: 60)
    let noisy = SensorNoise.check(try Self.frames(still))
    #expect(noisy.status == .passed)
    // Uniform from -2 to 2: 1.15; truncated to bytes, the largest median of three frames.
    #expect(abs((noisy.value ?? 0) - 1.2) < 0.2)
    #expect(SensorNoise.check(try Self.frames(still, noise: 0)).status == .failed)
    // Every frame twice.
    #expect(SensorNoise.check(try Self.frames((0..<60).map { $0 / 2 }, noise: 0)).status == .passed)
    #expect(SensorNoise.check([]).status == .notChecked)
  }

  @Test(
    "virtual cameras are recognised by name",
    arguments: [
      ("v4l2 loopback", "Anything", CheckStatus.failed), ("uvcvideo", "OBS Virtual Camera", .failed),
      ("akvcam", "", .failed), ("v4l2loopback_dc", "", .failed), ("", "DroidCam Source 3", .failed),
      ("uvcvideo", "Integrated Camera: Integrated C", .passed),
      ("uvcvideo", "HD Pro Webcam C920", .passed), ("bm2835 mmal", "mmal service 16.1", .passed),
    ])
  func device(driver: String, name: String, status: CheckStatus) {
    let context = LivenessContext(calibration: nil, camera: CameraFacts(driver: driver, name: name))
    #expect(CameraDeviceSignal.check([], context: context).status == status)
    #expect(CameraDeviceSignal.check([]).status == .notChecked)
    let placed = CameraFacts(driver: driver, name: name, isVirtual: true)
    #expect(CameraDeviceSignal.check([], context: LivenessContext(calibration: nil, camera: placed)).status == .failed)
  }

  @Test("a track whose camera the browser does not list fails, without proving that the camera is virtual")
  func track() throws {
    func statuses(_ camera: CameraFacts?) -> [CheckStatus] {
      let context = LivenessContext(calibration: nil, camera: camera)
      return [CameraTrack.check([], context: context).status, CameraDeviceSignal.check([], context: context).status]
    }
    #expect(statuses(nil) == [.notChecked, .notChecked])
    #expect(statuses(CameraFacts(driver: "uvcvideo", name: "Integrated Camera")) == [.notChecked, .passed])
    #expect(statuses(CameraFacts(browserLabel: "Integrated Camera", isListed: true)) == [.passed, .passed])
    #expect(statuses(CameraFacts(browserLabel: "Integrated Camera", isListed: false)) == [.failed, .passed])
    #expect(statuses(CameraFacts(browserLabel: "", isListed: false)) == [.failed, .notChecked])
    for isListed in [nil, true, false] {
      let facts = CameraFacts(browserLabel: "A camera", isListed: isListed)
      #expect(try CameraFacts(facts.jsonValue) == facts)
    }
  }

  @Test("every signal is measured once, under its own name")
  func names() {
    let names = LivenessSignal.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    #expect(
      LivenessAnalysis(LivenessContext(calibration: nil)).checks.allSatisfy {
        $0.status == .notChecked && !$0.text.isEmpty
      })
  }
}
