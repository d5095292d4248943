/// The contour of one eye from the iris network.
public struct EyeContour: Sendable {
  /// The lower lid from one corner to the other (9 points), then the upper lid between the corners (7 points).
  public internal(set) var lids: [Point]
  /// The iris's centre and four points on its edge.
  public internal(set) var iris: [Point]
  /// The mean gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 in an open
  /// eye (medians of 13 video clips).
  public let openness: Double

  /// `lids` in any unit that is the same in both directions.
  package init(lids: [Point], iris: [Point]) {
    self.lids = lids
    self.iris = iris
    let gaps = (0..<7).map { lids[9 + $0].distance(to: lids[1 + $0]) }
    let width = lids[0].distance(to: lids[8])
    openness = width > 0 ? gaps.reduce(0, +) / 7 / width : 0
  }
}
