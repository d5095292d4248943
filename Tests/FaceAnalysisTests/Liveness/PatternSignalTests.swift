import Glibc
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("Signals of filmed pictures")
struct PatternSignalTests {
  private static func wave(_ amplitude: Double, _ phase: @escaping (Double, Double) -> Double) -> (PixelBuffer) throws
    -> PixelBuffer
  {
    { picture in
      try picture.changed { colour, x, y in
        colour + amplitude * sin(2 * .pi * phase(x * Double(picture.width), y * Double(picture.height)))
      }
    }
  }

  @Test("a grid finer than skin is a pattern; block artefacts, an edge and noise are not")
  func moire() throws {
    func check(_ edit: @escaping (PixelBuffer) throws -> PixelBuffer) throws -> LivenessCheck {
      var frames = SignalFrames(noise: 4)
      // Its skin consists of waves, and is therefore a pattern.
      frames.face.contrast = 0
      return Moire.check(try (0..<4).map { try frames.frame(Double($0) / 5, x: 3 * Double($0), edit: edit) })
    }
    #expect(try check { $0 }.status == .passed)
    #expect(try check(Self.wave(2) { x, y in 0.31 * x + 0.12 * y }).status == .failed)
    #expect(try check(Self.wave(2) { x, _ in 0.3 * x }).status == .failed)
    #expect(try check(Self.wave(2) { x, _ in x / 8 }).status == .passed)
    #expect(try check(Self.wave(2) { _, y in y / 4 }).status == .passed)
    // Images of block cosines do not hide a display.
    let covered = try check { picture in
      try Self.wave(4) { x, y in 0.31 * x + 0.12 * y }(Self.wave(6) { x, _ in 7 * x / 16 }(picture))
    }
    #expect(covered.status == .failed)
    // A straight edge across the face.
    #expect(try check { try $0.changed { c, x, y in c - (3 * x + y > 2.2 ? 60 : 0) } }.status == .passed)
    #expect(Moire.check([]).status == .notChecked)
    let small = try check { _ in try .plain(width: 120, height: 120) }
    #expect(small.status == .notChecked)
  }

  @Test("moving bands are a display; mains flicker, changing light and movement are not")
  func bands() throws {
    func check(
      rate: Double = 30, noise: Double = 2, _ light: @escaping (Double, Double) -> Double
    ) throws -> LivenessCheck {
      var frames = SignalFrames(noise: noise)
      frames.face = SyntheticFace(
        width: 128, height: 128, eyes: Point(x: 64, y: 50), interEyeDistance: 30, skin: SIMD3(220, 200, 180))
      return RefreshBands.check(
        try (0..<96).map { i in
          let time = Double(i) / rate
          return try frames.frame(time, x: 10 * sin(3 * time), y: 8 * sin(4 * time)) { picture in
            try picture.changed { colour, _, y in colour * (1 + light(time, y)) }
          }
        })
    }
    let still = try check { _, _ in 0 }
    #expect(still.status == .passed)
    let bands = try check { time, y in 0.03 * sin(2 * .pi * (2 * y + 7 * time)) }
    #expect(bands.status == .failed)
    #expect(abs((bands.value ?? 0) - 0.03) < 0.01)
    // At 15 frames per second as well; at lower rates heads move as fast as bands.
    #expect(try check(rate: 15) { time, y in 0.03 * sin(2 * .pi * (2 * y + 3.5 * time)) }.status == .failed)
    #expect(try check(rate: 15) { _, _ in 0 }.status == .passed)
    let slow = try check(rate: 10) { time, y in 0.03 * sin(2 * .pi * (2 * y + 3 * time)) }
    #expect(slow.status == .notChecked && slow.text.contains("frame rate"))
    // 100 flashes per second, through a rolling shutter of 20 milliseconds.
    #expect(try check { time, y in 0.1 * sin(2 * .pi * 100 * (time + 0.02 * y)) }.status == .passed)
    #expect(try check { time, _ in 0.1 * sin(2 * .pi * 7 * time) }.status == .passed)
    #expect(RefreshBands.check([]).status == .notChecked)
  }

  @Test("a sheet that moves with the face is detected; a room behind a moving head is not")
  func mediumEdge() throws {
    /// A room with a door, and optionally a sheet around the face.
    func check(sheet: Bool, way: Double = 25) throws -> LivenessCheck {
      var frames = SignalFrames(noise: 2)
      frames.face = SyntheticFace(
        width: 640, height: 480, eyes: Point(x: 320, y: 210), interEyeDistance: 36, skin: SIMD3(220, 200, 180))
      return MediumEdge.check(
        try (0..<12).map { i in
          let (x, y) = (way * sin(Double(i)), 0.6 * way * sin(1.7 * Double(i)))
          let eyes = frames.face.eyes
          return try frames.frame(Double(i) / 5, x: x, y: y) { picture in
            try picture.changed { colour, u, v in
              let (dx, dy) = (u * 640 - eyes.x - x, v * 480 - eyes.y - y)
              // The face is unchanged; around it are the sheet and the room.
              if abs(dx) < 45, abs(dy - 25) < 60 { return colour }
              if sheet, abs(dx) < 90, abs(dy - 10) < 120 { return SIMD3(235, 235, 235) }
              return abs(u - 0.35) < 0.1 ? SIMD3(60, 60, 60) : SIMD3(140, 140, 140)
            }
          }
        })
    }
    #expect(try check(sheet: true).status == .failed)
    #expect(try check(sheet: false).status == .passed)
    #expect(try check(sheet: true, way: 1).status == .notChecked)
    #expect(MediumEdge.check([]).status == .notChecked)
  }

  @Test("skin colours pass in most lights; blue and green faces fail, grey ones are not checked")
  func colourGamut() throws {
    func check(_ skin: SIMD3<Double>) throws -> LivenessCheck {
      var frames = SignalFrames()
      frames.face.skin = skin
      return ColourGamut.check(try (0..<3).map { try frames.frame(Double($0) / 5) })
    }
    for skin in [SIMD3(235.0, 200, 180), SIMD3(95, 60, 45), SIMD3(220, 190, 120), SIMD3(200, 150, 150)] {
      #expect(try check(skin).status == .passed)
    }
    for other in [SIMD3(120.0, 160, 220), SIMD3(120, 200, 130), SIMD3(190, 130, 200)] {
      #expect(try check(other).status == .failed)
    }
    #expect(try check(SIMD3(150, 150, 150)).status == .notChecked)
    #expect(ColourGamut.check([]).status == .notChecked)
  }

  @Test("glare that is fixed in the frame is that of a flat surface; spots that move with the face are not")
  func specularPlane() throws {
    enum Spot { case none, frame, face }
    func check(_ spot: Spot, way: Double = 20) throws -> LivenessCheck {
      var frames = SignalFrames()
      frames.face.skin = SIMD3(150, 120, 100)
      return SpecularPlane.check(
        try (0..<12).map { i in
          let (x, y) = (way * sin(Double(i)), 0.6 * way * sin(1.7 * Double(i)))
          let middle = spot == .face ? Point(x: 170 + x, y: 110 + y) : Point(x: 170, y: 110)
          return try frames.frame(Double(i) / 5, x: x, y: y) { picture in
            try picture.changed { colour, u, v in
              let distance = Point(x: u * 320, y: v * 240).distance(to: middle)
              return spot != .none && distance < 9 ? SIMD3(250, 250, 250) : colour
            }
          }
        })
    }
    let still = try check(.frame)
    #expect(still.status == .failed)
    #expect((still.value ?? 0) > 3)
    #expect((try check(.face).value ?? 2) < 1)
    #expect(try check(.none).status == .notChecked)
    #expect(try check(.frame, way: 1).status == .notChecked)
    #expect(SpecularPlane.check([]).status == .notChecked)
  }
}
