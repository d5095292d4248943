internal import Glibc

/// Maps a native value to a score of 0 to 100: the functions of ISO/IEC 29794-5.
enum QualityScore {
  /// 50 at `centre`, rising to 100 (or falling to 0, if `width` is negative) over a few `width`s.
  static func sigmoid(_ value: Double, centre: Double, width: Double) -> Double {
    100 / (1 + exp((centre - value) / width))
  }

  /// 100 at zero, falling to 24 at twice `width`: for the distance from an ideal.
  static func closeness(_ distance: Double, width: Double) -> Double { 200 / (1 + exp(max(0, distance) / width)) }
}
