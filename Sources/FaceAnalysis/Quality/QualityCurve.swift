/// A measure's contribution to the unified quality score: the logarithm of the factor by which a value multiplies the
/// odds of a false non-match, sampled at some values; interpolated linearly between them, constant beyond.
struct QualityCurve: Sendable {
  let measure: QualityMeasure
  /// Ascending.
  let values: [Double]
  /// One per value; 0 where there is no defect.
  let logarithms: [Double]
  /// For a value that could not be determined: the mean over the unmodified training photos.
  let unknown: Double

  init(_ measure: QualityMeasure, _ values: [Double], _ logarithms: [Double], unknown: Double) {
    (self.measure, self.values, self.logarithms, self.unknown) = (measure, values, logarithms, unknown)
  }

  func logarithm(of value: Double?) -> Double {
    guard let value else { return unknown }
    guard let next = values.firstIndex(where: { value < $0 }) else { return logarithms.last ?? unknown }
    guard next > 0 else { return logarithms[0] }
    let share = (value - values[next - 1]) / (values[next] - values[next - 1])
    return logarithms[next - 1] + share * (logarithms[next] - logarithms[next - 1])
  }
}
