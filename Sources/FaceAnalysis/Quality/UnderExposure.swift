/// ISO/IEC 29794-5, under-exposure prevention: the share of the face's pixels with a luma of 0 to 25.
enum UnderExposure: QualityMeasuring {
  static let measure = QualityMeasure.underExposure
  static let unit = "share"

  static func value(of face: QualityInput) -> Measured { face.share(of: 0...25) }
  /// The standard's mapping: 100 without dark pixels, 50 at a share of 0.9.
  static func score(of value: Double) -> Double {
    120 * (0.832 - QualityScore.sigmoid(value, centre: 0.92, width: 0.05) / 100)
  }
  static func advice(isLow: Bool) -> String { "Move to a brighter place, with the light in front of you." }
}
