/// A measure's part in the unified quality score: the logarithm of the factor by which a value multiplies the odds of a
/// false non-match, at some values; straight between them, constant beyond.
struct QualityCurve: Sendable {
  let measure: QualityMeasure
  /// Ascending.
  let values: [Double]
  /// One for each of ``values``; 0 where nothing is wrong.
  let logarithms: [Double]
  /// For a value that could not be determined: the mean over the training photos as they were.
  let unknown: Double

  func logarithm(of value: Double?) -> Double {
    guard let value else { return unknown }
    guard let next = values.firstIndex(where: { value < $0 }) else { return logarithms.last ?? unknown }
    guard next > 0 else { return logarithms[0] }
    let share = (value - values[next - 1]) / (values[next] - values[next - 1])
    return logarithms[next - 1] + share * (logarithms[next] - logarithms[next - 1])
  }
}
