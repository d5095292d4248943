internal import Glibc

/// Where a document lies in a picture, told by its machine readable zone: its size is the standard's, its place on the
/// page much the same on all documents of a format.
///
/// The zone is too flat to tell how a page is tilted towards the camera; the outline is a rectangle.
package struct PageOutline: Sendable {
  /// Pixels of the picture a millimetre of the document.
  package var scale: Double { map.scale }
  /// Turn of the document in the picture, radians, clockwise on the screen.
  package let angle: Double
  /// Millimetres.
  package let width: Double
  package let height: Double
  /// From millimetres, counted from the document's upper left corner, to the picture.
  private let map: AffineMap

  /// Size of the document, and from its edges to the zone: from the left to the first character, from below to the
  /// middle of the last line; millimetres.
  private struct Card {
    let width, height, left, below: Double

    /// Sizes are those of ID-1, ID-2, ID-3 and the visas (ICAO 9303-3, 2.3; 9303-7, 3.1 and 6.1); margins those of
    /// specimens, which agree within some 2 mm.
    static func of(lineLength: Int, isVisa: Bool) -> Card? {
      switch lineLength {
      case 30: Card(width: 85.6, height: 54, left: 4.7, below: 6.8)
      case 36: Card(width: 105, height: 74, left: 6.8, below: 8)
      case 44:
        isVisa ? Card(width: 120, height: 80, left: 4.1, below: 8) : Card(width: 125, height: 88, left: 6.3, below: 9.4)
      default: nil
      }
    }
  }
  /// Ten characters an inch (ICAO 9303-3, 4.2.1).
  private static let pitch = 2.54

  package init?(_ zone: ZoneReading, isVisa: Bool) {
    guard let length = zone.probabilities.first?.count, let card = Card.of(lineLength: length, isVisa: isVisa) else {
      return nil
    }
    let (left, right) = zone.lastLine
    let size = left.distance(to: right)
    guard size > 0 else { return nil }
    let angle = atan2(right.y - left.y, right.x - left.x)
    let fromZone = AffineMap(scale: size / (Double(length) * Self.pitch), angle: angle, origin: left)
    self.init(
      scale: fromZone.scale, angle: angle, width: card.width, height: card.height,
      origin: fromZone(Point(x: -card.left, y: card.below - card.height)))
  }

  private init(scale: Double, angle: Double, width: Double, height: Double, origin: Point) {
    (self.angle, self.width, self.height) = (angle, width, height)
    map = AffineMap(scale: scale, angle: angle, origin: origin)
  }

  /// In pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> PageOutline {
    PageOutline(
      scale: scale * factor, angle: angle, width: width, height: height,
      origin: Point(x: map.x * factor, y: map.y * factor))
  }

  /// Where a point of the document, in millimetres from its upper left corner, lies in the picture.
  package func point(_ x: Double, _ y: Double) -> Point { map(Point(x: x, y: y)) }

  /// Millimetres from the document's upper left corner.
  package func millimetres(_ point: Point) -> Point { map.inverse(point) }

  /// Upper left, upper right, lower right, lower left.
  package var corners: [Point] { [point(0, 0), point(width, 0), point(width, height), point(0, height)] }

  /// The document cut out of the picture, upright.
  ///
  /// - Parameter resolution: pixels a millimetre.
  package func rectified(_ picture: PixelBuffer, resolution: Double) -> PixelBuffer {
    picture.cutOut(
      corner: point(0, 0), angle: angle, scale: scale / resolution, width: Int((width * resolution).rounded()),
      height: Int((height * resolution).rounded()))
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
