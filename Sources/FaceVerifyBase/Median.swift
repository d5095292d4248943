extension Collection where Element: Comparable {
  /// The middle one of the values in order, the upper of two in the middle; nil if there are none.
  package var median: Element? { isEmpty ? nil : sorted()[count / 2] }
}
