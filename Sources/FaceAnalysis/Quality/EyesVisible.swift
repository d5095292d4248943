/// ISO/IEC 29794-5, eyes visible: the luma of the skin around an eye over that of the cheek; the larger ratio of both
/// eyes, so that dark glasses count and hair over one eye does not.
///
/// The standard uses the share of the eye zone that a segmentation network labels as covered. Dark glasses also cover
/// lids and brows, where every face shows some skin: the upper quartile of the luma around an eye distinguishes the
/// two.
enum EyesVisible: QualityMeasuring {
  static let measure = QualityMeasure.eyesVisible
  static let unit = "ratio"

  /// Chip pixels from the brows to below the lids (the eyes' corners are in rows 46 to 48 and columns 36 to 59 and 89
  /// to 112).
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
