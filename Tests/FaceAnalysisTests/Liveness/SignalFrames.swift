import Glibc

@testable import FaceAnalysis

/// Frames of a synthetic face, and a signal's result for them.
struct SignalFrames {
  var face = SyntheticFace(
    width: 320, height: 240, eyes: Point(x: 160, y: 90), interEyeDistance: 50, skin: SIMD3(220, 200, 180))
  /// Levels.
  var noise = 2.0
  private var random = RandomNumbers()

  /// A deterministic linear congruential generator.
  struct RandomNumbers {
    private var state: UInt64 = 1
    /// -1 to 1.
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(1 << 30) - 1
    }
  }

  init(noise: Double = 2) { self.noise = noise }

  /// The face, moved by an offset in pixels.
  mutating func frame(
    _ time: Double, x: Double = 0, y: Double = 0, isSampled: Bool = true, refused: Int = 0,
    motion: FaceObservation? = nil, screenColour: SIMD3<Double>? = nil,
    edit: (PixelBuffer) throws -> PixelBuffer = { $0 }
  ) throws -> LivenessFrame {
    var face = face
    face.eyes = Point(x: face.eyes.x + x, y: face.eyes.y + y)
    let clean = try edit(face.picture())
    var rgb = clean.rgb
    if noise > 0 {
      for i in rgb.indices { rgb[i] = UInt8(max(0, min(255, Double(rgb[i]) + noise * random.next()))) }
    }
    let picture = try PixelBuffer(width: clean.width, height: clean.height, rgb: rgb)
    let located = face.located(in: picture)
    return LivenessFrame(
      time: time, refused: refused, picture: picture, face: located,
      motion: motion
        ?? FaceObservation(located.landmarks, width: picture.width, height: picture.height, time: time),
      isFound: time == 0, isSampled: isSampled, texture: nil, portraitSample: nil, screenColour: screenColour)
  }
}

extension SyntheticFace {
  /// The picture of the face, moved to the right.
  func picture(x: Double) throws -> PixelBuffer {
    var face = self
    face.eyes.x += x
    return try face.picture()
  }
}

extension PixelBuffer {
  func mixed(with other: PixelBuffer, share: Double) throws -> PixelBuffer {
    try PixelBuffer(
      width: width, height: height,
      rgb: zip(rgb, other.rgb).map { UInt8((1 - share) * Double($0) + share * Double($1)) })
  }
}

extension LivenessMeasuring {
  /// The signal's result for the frames.
  static func check(
    _ frames: [LivenessFrame], context: LivenessContext = LivenessContext(calibration: nil)
  ) -> LivenessCheck {
    var signal = Self(context)
    for frame in frames { signal.add(frame) }
    return LivenessCheck(signal)
  }
}
