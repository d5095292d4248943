import Glibc

/// The hue difference between the face and skin, in CIELAB. Displays and prints shift the colours they reproduce, and
/// the camera, whose white balance is that of the room, shifts them again. Good displays and prints do not.
///
/// A face without colour, or under a coloured lamp, gives no result, or a wrong one.
struct ColourGamut: FrameMeasuring {
  static let signal = LivenessSignal.colourGamut
  static let unit = "degrees"
  static let source = "8,141 photos of LFW, NUAA's living and prints: docs/liveness-signals.md"
  let failure = "The face's colours are not those of skin: a display or a print may have changed them."
  let maximum: Double? = 60

  /// The side in pixels of the sampled middle of the face, from the brows to the mouth.
  private static let side = 16
  /// The median of the LFW photos.
  private static let skin = 48.0
  /// Below this chroma, hue is meaningless.
  private static let minimumChroma = 4.0

  private var sum = SIMD2(0.0, 0)
  private var frames = 0.0

  mutating func add(_ frame: LivenessFrame) {
    guard frame.isSampled, let face = frame.face else { return }
    var map = FaceChips.map(face.landmarksInPicture, zoom: 2)
    map.stretch(by: Double(FaceChips.side) / Double(Self.side))
    let rgb = face.picture.crop(map, width: Self.side, height: Self.side).rgb
    var colour = SIMD3<Double>()
    for i in stride(from: 0, to: rgb.count, by: 3) {
      colour += SIMD3(Double(rgb[i]), Double(rgb[i + 1]), Double(rgb[i + 2]))
    }
    let (a, b) = CIELAB.chroma(of: colour / Double(rgb.count / 3))
    sum += SIMD2(a, b)
    frames += 1
  }

  var measured: Measured {
    guard frames > 0, (sum * sum).sum().squareRoot() >= Self.minimumChroma * frames else {
      return .unavailable("No frame shows a face in colour.")
    }
    let away = abs(atan2(sum.y, sum.x) * 180 / .pi - Self.skin)
    return .value(min(away, 360 - away))
  }
}
