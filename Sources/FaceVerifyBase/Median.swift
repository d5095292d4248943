extension Collection where Element: Comparable {
  /// The median, the upper of two middle values; nil if the collection is empty.
  package var median: Element? { isEmpty ? nil : sorted()[count / 2] }
}
