/// Where a code seems to be, read or not, and what was measured of it.
public struct CodePlace: Sendable, Hashable {
  /// Around it: upper left as far as that can be told, then clockwise.
  public let corners: [Point]
  /// Bars alone.
  public let isLinear: Bool
  /// 0 to 1: how much its texture is a code's; where none was read, the mean of three views.
  public internal(set) var likeness: Double
  /// Grey levels between its dark and its light.
  public let contrast: Double
  /// Pixels from dark to light at its sharpest edges.
  public let edge: Double
  /// Pixels of its narrowest bars or its squares, across where they look shortest.
  public let module: Double
  /// How much longer squares look along than across; 0 for linear codes.
  public let stretch: Double
  /// Its longer side over the opposite one.
  public let taper: Double
  /// Degrees between its two directions, or its bars and the line of their ends, and a right angle.
  public let slant: Double
  /// The share of its area that is white and without texture.
  public let glare: Double
  /// Whether its paper is as white as a reflection.
  let isOnWhite: Bool
  /// Its extent along the longer sides of its squares over that across: of a tilted square about its stretch, of PDF417 less than 1.
  let elongation: Double
  /// Sides of the picture that it reaches: 1 left, 2 top, 4 right, 8 bottom.
  let cut: Int
}

extension GreyPicture {
  /// Places with the means of their likeness here, in the mirror and upside down, the likeliest first. A code is one however
  /// it lies; what the locator's network takes for one by chance, it seldom takes for one in other views.
  func doubted(_ places: [CodePlace]) throws -> [CodePlace] {
    let (right, bottom) = (Double(width), Double(height))
    let mirror = try mirrored.findCodes().map { ($0.corners.map { Point(x: right - $0.x, y: $0.y) }, $0.likeness) }
    let turned = try upsideDown.findCodes().map {
      ($0.corners.map { Point(x: right - $0.x, y: bottom - $0.y) }, $0.likeness)
    }
    return places.map { place in
      var doubted = place
      for view in [mirror, turned] {
        doubted.likeness += view.first { $0.0.areCentred(within: place.corners) }?.1 ?? 0
      }
      doubted.likeness /= 3
      return doubted
    }.sorted { $0.likeness > $1.likeness }
  }
}
