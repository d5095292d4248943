internal import Glibc

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
