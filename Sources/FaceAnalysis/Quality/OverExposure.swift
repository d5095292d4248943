/// ISO/IEC 29794-5, over-exposure prevention: the share of the face's pixels with a luma of 247 to 255.
enum OverExposure: QualityMeasuring {
  static let measure = QualityMeasure.overExposure
  static let unit = "share"

  static func value(of face: QualityInput) -> Measured { face.share(of: 247...255) }
  /// The standard's mapping: 100 without overexposed pixels, 50 at a share of 0.01, 9 at 0.1.
  static func score(of value: Double) -> Double { 1 / (value + 0.01) }
  static func advice(isLow: Bool) -> String { "Move out of the bright light, or switch the flash off." }
}
