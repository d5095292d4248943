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

  /// Returns the reading in pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> ZoneReading {
    ZoneReading(
      probabilities: probabilities, corners: corners.map { $0.scaled(by: factor) }, score: score,
      capHeight: capHeight * factor, lastLine: (lastLine.0.scaled(by: factor), lastLine.1.scaled(by: factor)))
  }
}
