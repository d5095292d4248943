internal import Glibc

/// A document's position in a picture.
///
/// It is derived from its machine-readable zone, or found by its edges, with its perspective. A document's size is set by
/// the standard, and the zone's position on the page is much the same on all documents of a format; but the zone is too
/// flat to determine the tilt of a page towards the camera: from the zone alone, the outline is a rectangle.
package struct PageOutline: Sendable {
  /// Pixels of the picture per millimetre of the document, on average.
  package let scale: Double
  /// The rotation of the document in the picture, radians, clockwise on the screen.
  package let angle: Double
  /// Millimetres.
  package let width: Double
  package let height: Double
  /// Upper left, upper right, lower right, lower left.
  package let corners: [Point]
  /// Maps millimetres from the document's upper left corner to the picture.
  private let map: PerspectiveMap

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
    let (top, bottom) = (card.below - card.height, card.below)
    let corners = [(0, top), (card.width, top), (card.width, bottom), (0, bottom)].map {
      fromZone(Point(x: $0 - card.left, y: $1))
    }
    self.init(corners: corners, width: card.width, height: card.height)
  }

  /// Returns the outline with the corners of the same document among those found by their edges, and so with perspective;
  /// itself if it is not among them.
  package func sharpened(by edges: [PageOutline]) -> PageOutline {
    // Chosen. In generated photos with tilts of up to 30 degrees, 31 of 36 outlines derived from a zone are within.
    let reach = 0.15 * corners[0].distance(to: corners[2])
    let same = edges.lazy.map { $0.turned(to: angle) }.first { other in
      abs(log(other.width / other.height * height / width)) < 0.05
        && zip(corners, other.corners).allSatisfy { $0.distance(to: $1) < reach }
    }
    return same.flatMap { PageOutline(corners: $0.corners, width: width, height: height) } ?? self
  }

  /// The outline of a document of ID-1 or ID-2 that was found by its edges.
  ///
  /// - Parameters:
  ///   - corners: Clockwise on the screen from any of them.
  ///   - ratio: The ratio of its width to its height if the first corner is the upper left one.
  init?(corners: [Point], ratio: Double) {
    let (width, height) = max(ratio, 1 / ratio) > 1.5 ? (85.6, 53.98) : (105.0, 74.0)
    let outline = PageOutline(corners: ratio > 1 ? corners : corners.turned(by: 1), width: width, height: height)
    guard let outline else { return nil }
    self = outline.turned(to: 0, by: 2)
  }

  /// Returns the same document, with the upper side that makes its angle nearest to another.
  ///
  /// - Parameter quarters: The smallest turn, 1 or 2.
  package func turned(to angle: Double, by quarters: Int = 1) -> PageOutline {
    let turns = stride(from: 0, to: 4, by: quarters).compactMap { turn in
      let isWide = turn % 2 == 0
      return PageOutline(
        corners: corners.turned(by: turn), width: isWide ? width : height, height: isWide ? height : width)
    }
    func error(_ outline: PageOutline) -> Double { abs(remainder(outline.angle - angle, 2 * .pi)) }
    return turns.min { error($0) < error($1) } ?? self
  }

  private init?(corners: [Point], width: Double, height: Double) {
    guard let map = PerspectiveMap(width: width, height: height, to: corners) else { return nil }
    (self.corners, self.map, self.width, self.height) = (corners, map, width, height)
    angle = Self.angle(of: corners)
    let area = (0..<4).reduce(0) { sum, i in
      let (a, b) = (corners[i], corners[(i + 1) % 4])
      return sum + (a.x * b.y - b.x * a.y) / 2
    }
    guard area > 0 else { return nil }
    scale = (area / (width * height)).squareRoot()
  }

  /// The direction from the middle of the left side to that of the right one.
  private static func angle(of corners: [Point]) -> Double {
    let (left, right) = ([corners[0], corners[3]].centroid, [corners[1], corners[2]].centroid)
    return atan2(right.y - left.y, right.x - left.x)
  }

  /// Returns the outline in pixels of a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> PageOutline? {
    PageOutline(corners: corners.map { $0.scaled(by: factor) }, width: width, height: height)
  }

  /// Returns whether a point of the picture is on the document.
  package func contains(_ point: Point) -> Bool {
    let place = millimetres(point)
    return (0...width).contains(place.x) && (0...height).contains(place.y)
  }

  /// Returns whether another document is beside this one. The pages of an open booklet are not: they have corners in
  /// common.
  package func isApart(from other: PageOutline) -> Bool {
    let reach = 0.08 * max(corners[0].distance(to: corners[2]), other.corners[0].distance(to: other.corners[2]))
    return !contains(other.corners.centroid) && !other.contains(corners.centroid)
      && corners.allSatisfy { corner in other.corners.allSatisfy { $0.distance(to: corner) > reach } }
  }

  /// Converts a point of the document, in millimetres from its upper left corner, to pixels of the picture.
  package func point(_ x: Double, _ y: Double) -> Point { map(Point(x: x, y: y)) }

  /// Converts a point of the picture to millimetres from the document's upper left corner.
  package func millimetres(_ point: Point) -> Point { map.inverse(point) }

  /// Returns the document cropped from the picture, upright and without perspective.
  ///
  /// - Parameter resolution: Pixels per millimetre.
  package func rectified(_ picture: PixelBuffer, resolution: Double) -> PixelBuffer {
    let resolution = min(resolution, Double(PixelBuffer.rectifiedSide) / max(width, height))
    func pixels(_ length: Double) -> Int { max(1, Int((length * resolution).rounded())) }
    return picture.rectified(corners, width: pixels(width), height: pixels(height))
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

extension [Point] {
  /// Returns the same quadrilateral from another corner on.
  fileprivate func turned(by quarters: Int) -> [Point] { indices.map { self[($0 + quarters) % count] } }
}
