internal import Glibc

/// ISO/IEC 29794-5, natural colour: the distance of the cheeks' mean colour from the range of skin, in CIELAB (D65): a*
/// from 5 to 25 and b* from 5 to 35.
///
/// The standard returns 100 as soon as a* or b* is negative. Here the distance continues, so that grey has one value
/// (7.07) regardless of rounding.
enum NaturalColour: QualityMeasuring {
  static let measure = QualityMeasure.naturalColour
  static let unit = "CIELAB units"

  static func value(of face: QualityInput) -> Measured {
    guard let right = face.rightCheek, let left = face.leftCheek else { return .noPixels }
    let (a, b) = CIELAB.chroma(of: (right.colour + left.colour) / 2)
    let da = max(5 - a, a - 25, 0)
    let db = max(5 - b, b - 35, 0)
    return .value((da * da + db * db).squareRoot())
  }

  static func score(of value: Double) -> Double { QualityScore.closeness(value, width: 10) }
  static func advice(isLow: Bool) -> String { "Use a colour picture taken in white light, without filters." }
}

/// The CIELAB colour space (CIE 15) with the D65 white point.
enum CIELAB {
  /// Returns a* and b* of an sRGB colour with components of 0 to 255 (IEC 61966-2-1).
  static func chroma(of rgb: SIMD3<Double>) -> (a: Double, b: Double) {
    func linear(_ c: Double) -> Double { c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4) }
    let (r, g, b) = (linear(rgb.x / 255), linear(rgb.y / 255), linear(rgb.z / 255))
    let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    let z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    func f(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
    return (500 * (f(x) - f(y)), 200 * (f(y) - f(z)))
  }
}
