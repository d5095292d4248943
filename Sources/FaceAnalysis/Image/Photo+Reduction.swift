extension Photo {
  /// Returns the largest reduction that leaves the longer side at least `longSide` pixels.
  package func reduction(longSideAtLeast longSide: Int) -> Int {
    [8, 4, 2].first { max(width, height) / $0 >= longSide } ?? 1
  }
}
