internal import Glibc

/// Where a document lies in a picture, told by its machine readable zone: the zone's size and its place on the page are
/// the standard's.
///
/// The zone is too flat to tell how a page is tilted towards the camera; the frame is a rectangle.
package struct PageFrame: Sendable {
  /// Pixels of the picture a millimetre of the document.
  package let scale: Double
  /// Turn of the document in the picture, radians, clockwise on the screen.
  package let angle: Double
  /// Millimetres.
  package let width: Double
  package let height: Double
  /// The document's upper left corner in the picture.
  package let origin: Point

  /// Size of the document, and from its edges to the zone: from the left to the first character, from below to the
  /// middle of the last line; millimetres. Sizes are those of ID-1, ID-2 and ID-3 (ICAO 9303-3, 2.3), margins the
  /// standard's nominal ones (9303-4 to -6, figures of the zone's layout).
  private static let cards: [Int: (width: Double, height: Double, left: Double, below: Double)] = [
    30: (85.6, 54, 4.7, 6.8), 36: (105, 74, 6.8, 8), 44: (125, 88, 6.3, 9.4),
  ]
  /// Ten characters an inch (ICAO 9303-3, 4.2.1).
  private static let pitch = 2.54

  package init?(_ zone: ZoneReading) {
    guard let length = zone.probabilities.first?.count, let card = Self.cards[length] else { return nil }
    let (left, right) = (zone.lastLine.0, zone.lastLine.1)
    let size = left.distance(to: right)
    guard size > 0 else { return nil }
    scale = size / (Double(length) * Self.pitch)
    angle = atan2(right.y - left.y, right.x - left.x)
    (width, height) = (card.width, card.height)
    let (c, s) = (cos(angle) * scale, sin(angle) * scale)
    let (x, y) = (-card.left, card.below - card.height)
    origin = Point(x: left.x + c * x - s * y, y: left.y + s * x + c * y)
  }

  private init(scale: Double, angle: Double, width: Double, height: Double, origin: Point) {
    (self.scale, self.angle, self.width, self.height, self.origin) = (scale, angle, width, height, origin)
  }

  /// In pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> PageFrame {
    PageFrame(
      scale: scale * factor, angle: angle, width: width, height: height,
      origin: Point(x: origin.x * factor, y: origin.y * factor))
  }

  /// Where a point of the document, in millimetres from its upper left corner, lies in the picture.
  package func point(_ x: Double, _ y: Double) -> Point {
    let (c, s) = (cos(angle) * scale, sin(angle) * scale)
    return Point(x: origin.x + c * x - s * y, y: origin.y + s * x + c * y)
  }

  /// Millimetres from the document's upper left corner.
  package func millimetres(_ point: Point) -> Point {
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    return Point(x: (x * cos(angle) + y * sin(angle)) / scale, y: (y * cos(angle) - x * sin(angle)) / scale)
  }

  /// Upper left, upper right, lower right, lower left.
  package var corners: [Point] { [point(0, 0), point(width, 0), point(width, height), point(0, height)] }

  /// The document cut out of the picture, upright.
  ///
  /// - Parameter resolution: pixels a millimetre.
  package func rectified(_ picture: PixelBuffer, resolution: Double) -> PixelBuffer {
    let map = AffineMap(scale: scale / resolution, angle: angle, origin: origin)
    return picture.crop(
      map: map.betweenPixels, width: Int((width * resolution).rounded()), height: Int((height * resolution).rounded()))
  }

  /// The share of the document that lies outside the picture, 0 to 1.
  package func shareOutside(width pictureWidth: Int, height pictureHeight: Int) -> Double {
    let steps = 40
    var outside = 0
    for i in 0..<steps {
      for j in 0..<steps {
        let p = point(width * (Double(i) + 0.5) / Double(steps), height * (Double(j) + 0.5) / Double(steps))
        if p.x < 0 || p.y < 0 || p.x > Double(pictureWidth) || p.y > Double(pictureHeight) { outside += 1 }
      }
    }
    return Double(outside) / Double(steps * steps)
  }
}
