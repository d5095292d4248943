internal import Glibc

/// ISO/IEC 29794-5, dynamic range: the entropy of the luma of the face's pixels.
enum DynamicRange: QualityMeasuring {
  static let measure = QualityMeasure.dynamicRange
  static let unit = "bits"

  static func value(of face: QualityInput) -> Measured {
    guard face.isMeasurable else { return .noPixels }
    let total = Double(face.regionCount)
    var entropy = 0.0
    for count in face.histogram where count > 0 {
      let share = Double(count) / total
      entropy -= share * log2(share)
    }
    return .value(entropy)
  }

  /// The standard's mapping: 100 at 8 bits, the maximum.
  static func score(of value: Double) -> Double { 12.5 * value }
  static func advice(isLow: Bool) -> String {
    "Wipe the lens and avoid light from behind: the face has too little contrast."
  }
}
