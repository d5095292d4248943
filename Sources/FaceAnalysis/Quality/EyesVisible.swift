/// ISO/IEC 29794-5, eyes visible: how bright the skin around the eyes is, of the cheeks' luma; of the eye that is brighter,
/// so that dark glasses count and hair over one eye does not.
///
/// The standard takes the share of the eyes' zone that a segmentation network calls covered. Dark glasses cover lids and
/// brows as well, where every face has some skin: the brightest quarter of the pixels around an eye tells them apart.
enum EyesVisible: QualityMeasuring {
  static let measure = QualityMeasure.eyesVisible
  static let unit = "ratio"

  /// Pixels of the chip from the brows to below the lids (the eyes' corners are at 46 to 48 down, 36 to 59 and 89 to 112
  /// across).
  private static let rows = 36..<60
  private static let right = 34..<62
  private static let left = 86..<114

  static func value(of face: QualityInput) -> Measured {
    guard let right = face.rightCheek, let left = face.leftCheek else { return .noPixels }
    return .value(
      max(brightness(Self.right, of: face) / max(right.luma, 1), brightness(Self.left, of: face) / max(left.luma, 1)))
  }

  private static func brightness(_ columns: Range<Int>, of face: QualityInput) -> Double {
    let values = rows.flatMap { y in
      face.luma[y * FaceChips.side + columns.lowerBound..<y * FaceChips.side + columns.upperBound]
    }
    return Double(values.sorted()[values.count * 3 / 4])
  }

  static func score(of value: Double) -> Double { QualityScore.sigmoid(value, centre: 0.55, width: 0.06) }
  static func advice(isLow: Bool) -> String { "Take off dark glasses, and keep your hair out of your eyes." }
}
