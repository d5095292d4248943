/// A machine readable zone as it was seen: which characters may stand where, not what they mean.
package struct ZoneReading: Sendable {
  /// For each line and place, how likely each of the characters 0-9, A-Z and `<` is. All lines have one length.
  package let probabilities: [[[Float]]]
  /// Corners of the zone in pixels of the picture: its upper left as it is read, then clockwise.
  package let corners: [Point]
  /// Mean over all places of log(likeliest character); 0 is best.
  package let score: Double
  /// Height of a capital, pixels of the picture.
  package let capHeight: Double
  /// The ends of the last line's middle, at the outer edges of its characters; pixels of the picture.
  package let lastLine: (Point, Point)

  /// In pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> ZoneReading {
    func grown(_ p: Point) -> Point { Point(x: p.x * factor, y: p.y * factor) }
    return ZoneReading(
      probabilities: probabilities, corners: corners.map(grown), score: score, capHeight: capHeight * factor,
      lastLine: (grown(lastLine.0), grown(lastLine.1)))
  }
}
