/// A likely position of a code, read or not, with its measurements.
public struct CodePlace: Sendable, Hashable {
  /// The corners: upper left as far as that can be determined, then clockwise.
  public let corners: [Point]
  /// Whether it is a linear code.
  public let isLinear: Bool
  /// 0 to 1: how much its texture resembles a code; where none was read, the mean over three views.
  public internal(set) var likeness: Double
  /// Contrast between dark and light in grey levels.
  public let contrast: Double
  /// The width of its sharpest edges in pixels.
  public let edge: Double
  /// The size in pixels of its narrowest bars or its modules, in the direction in which they look shortest.
  public let module: Double
  /// The length of its modules over their width; 0 for linear codes.
  public let stretch: Double
  /// Its longer side over the opposite one.
  public let taper: Double
  /// The deviation in degrees from a right angle between its two directions, or between its bars and the line of their
  /// ends.
  public let slant: Double
  /// The share of its area that is white and without texture.
  public let glare: Double
  /// Whether its paper is as white as a reflection.
  let isOnWhite: Bool
  /// Its extent along the longer sides of its modules over that across: for a tilted square about its stretch, for
  /// PDF417 less than 1.
  let elongation: Double
  /// The sides of the picture that it touches: 1 left, 2 top, 4 right, 8 bottom.
  let cut: Int
}

extension GreyPicture {
  /// Returns the places, the likeliest first, with their likelihood averaged over this view, the mirror image and the
  /// picture upside down. A code is detected in any orientation; the detector's false positives seldom recur in other
  /// views.
  func doubted(_ places: [CodePlace], by networks: CodeNetworks) throws -> [CodePlace] {
    let (right, bottom) = (Double(width), Double(height))
    func seen(in view: GreyPicture, _ back: (Point) -> Point) throws -> [(corners: [Point], likeness: Double)] {
      try view.findCodes(by: networks).map { ($0.corners.map(back), $0.likeness) }
    }
    let mirror = try seen(in: mirrored) { Point(x: right - $0.x, y: $0.y) }
    let turned = try seen(in: upsideDown) { Point(x: right - $0.x, y: bottom - $0.y) }
    return places.map { place in
      var doubted = place
      for view in [mirror, turned] {
        doubted.likeness += view.first { $0.corners.areCentred(within: place.corners) }?.likeness ?? 0
      }
      doubted.likeness /= 3
      return doubted
    }.sorted { $0.likeness > $1.likeness }
  }
}

extension CodePlace: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "corners": corners.jsonValue, "isLinear": .bool(isLinear), "likeness": .rounded(likeness, 3),
      "contrast": .rounded(contrast, 1), "edge": .significant(edge, 3), "module": .significant(module, 3),
      "stretch": .significant(stretch, 3), "taper": .significant(taper, 3), "slant": .rounded(slant, 1),
      "glare": .rounded(glare, 4),
    ]
  }
}
