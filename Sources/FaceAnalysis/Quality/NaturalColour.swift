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
