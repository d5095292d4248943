/// A machine-readable zone as read: character probabilities by position, uninterpreted.
package struct ZoneReading: Sendable {
  /// For each line and position, the probabilities of the characters 0-9, A-Z and `<`. All lines have the same length.
  package let probabilities: [[[Float]]]
  /// The corners of the zone in pixels of the picture: clockwise from the upper left in reading direction.
  package let corners: [Point]
  /// The mean over all positions of log(probability of the likeliest character); 0 is best.
  package let score: Double
  /// The height of a capital in pixels of the picture.
  package let capHeight: Double
  /// The ends of the last line's centre line, at the outer edges of its characters; pixels of the picture.
  package let lastLine: (Point, Point)

  /// Whether two zones have no line in common.
  package func isApart(from other: ZoneReading) -> Bool {
    let across = SIMD2(corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    return [across, SIMD2(-across.y, across.x)].contains { axis in
      func range(_ zone: ZoneReading) -> ClosedRange<Double> {
        let places = zone.corners.map { ($0.x * axis.x + $0.y * axis.y) / (axis * axis).sum().squareRoot() }
        return (places.min() ?? 0)...(places.max() ?? 0)
      }
      return !range(self).overlaps(range(other))
    }
  }

  /// Returns the reading in pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> ZoneReading {
    ZoneReading(
      probabilities: probabilities, corners: corners.map { $0.scaled(by: factor) }, score: score,
      capHeight: capHeight * factor, lastLine: (lastLine.0.scaled(by: factor), lastLine.1.scaled(by: factor)))
  }
}
