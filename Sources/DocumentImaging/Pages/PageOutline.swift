internal import Glibc

/// A document's position in a picture, derived from its machine-readable zone: its size is set by the standard, and the
/// zone's position on the page is much the same on all documents of a format.
///
/// The zone is too flat to determine the tilt of a page towards the camera; the outline is a rectangle.
package struct PageOutline: Sendable {
  /// Pixels of the picture per millimetre of the document.
  package var scale: Double { map.scale }
  /// The rotation of the document in the picture, radians, clockwise on the screen.
  package let angle: Double
  /// Millimetres.
  package let width: Double
  package let height: Double
  /// Maps millimetres from the document's upper left corner to the picture.
  private let map: AffineMap

  /// The size of a document, and the margins of its zone: from the left edge to the first character, from the lower
  /// edge to the middle of the last line; millimetres.
  private struct Card {
    let width, height, left, below: Double

    /// Sizes are those of ID-1, ID-2, ID-3 and the visas (ICAO 9303-3, 2.3; 9303-7, 3.1 and 6.1); margins were measured
    /// on specimens, which agree within about 2 mm.
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
  /// Ten characters per inch (ICAO 9303-3, 4.2.1).
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

  /// Returns the outline in pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> PageOutline {
    PageOutline(
      scale: scale * factor, angle: angle, width: width, height: height,
      origin: Point(x: map.x * factor, y: map.y * factor))
  }

  /// Converts a point of the document, in millimetres from its upper left corner, to pixels of the picture.
  package func point(_ x: Double, _ y: Double) -> Point { map(Point(x: x, y: y)) }

  /// Converts a point of the picture to millimetres from the document's upper left corner.
  package func millimetres(_ point: Point) -> Point { map.inverse(point) }

  /// Upper left, upper right, lower right, lower left.
  package var corners: [Point] { [point(0, 0), point(width, 0), point(width, height), point(0, height)] }

  /// Returns the document cropped from the picture, upright.
  ///
  /// - Parameter resolution: Pixels per millimetre.
  package func rectified(_ picture: PixelBuffer, resolution: Double) -> PixelBuffer {
    picture.cutOut(
      corner: point(0, 0), angle: angle, scale: scale / resolution, width: Int((width * resolution).rounded()),
      height: Int((height * resolution).rounded()))
  }

  /// Returns the share of the document outside the picture, 0 to 1.
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
