import Glibc

/// How far the face's hue, in CIELAB, is from skin's: displays and prints shift the colours that they show, and the
/// camera, which balances the room's white and not theirs, shifts them again. Good ones do not.
///
/// A face without colour, or in a lamp's colour, tells nothing, or the wrong thing.
struct ColourGamut: LivenessMeasuring {
  static let signal = LivenessSignal.colourGamut
  static let unit = "degrees"
  static let source = "8,141 photos of LFW, NUAA's living and prints: docs/liveness-signals.md"
  let failure = "The face's colours are not those of skin: a display or a print may have changed them."
  let maximum: Double? = 60

  /// Pixels a side of the face's middle, from the brows to the mouth.
  private static let side = 16
  /// The median of the LFW photos.
  private static let skin = 48.0
  /// Chroma below which a colour has no hue to speak of.
  private static let minimumChroma = 4.0

  private var sum = SIMD2(0.0, 0)
  private var frames = 0.0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard frame.isSampled, let face = frame.face else { return }
    var map = FaceChips.map(face.landmarksInPicture, zoom: 2)
    map.stretch(by: Double(FaceChips.side) / Double(Self.side))
    let rgb = face.picture.crop(map: map.betweenPixels, width: Self.side, height: Self.side).rgb
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
