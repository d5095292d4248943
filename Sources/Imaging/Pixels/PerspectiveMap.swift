/// Maps a rectangle to a quadrilateral as a camera sees it.
package struct PerspectiveMap: Sendable {
  private let xx, xy, x, yx, yy, y, zx, zy: Double

  /// Maps the rectangle from (0, 0) to (`width`, `height`) to four corners, clockwise from its upper left; nil if they
  /// are not convex. (Heckbert, Fundamentals of Texture Mapping, 1989, 2.2.3.)
  package init?(width: Double, height: Double, to corners: [Point]) {
    guard corners.count == 4 else { return nil }
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (sumX, sumY) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
    let (rightX, rightY, lowerX, lowerY) = (b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y)
    let area = rightX * lowerY - rightY * lowerX
    let (u, v) = ((sumX * lowerY - sumY * lowerX) / area, (rightX * sumY - rightY * sumX) / area)
    // Positive at all corners if none is behind the camera.
    guard width > 0, height > 0, area != 0, min(1 + u, 1 + v, 1 + u + v) > 0 else { return nil }
    (xx, xy, x) = ((b.x - a.x + u * b.x) / width, (d.x - a.x + v * d.x) / height, a.x)
    (yx, yy, y) = ((b.y - a.y + u * b.y) / width, (d.y - a.y + v * d.y) / height, a.y)
    (zx, zy) = (u / width, v / height)
  }

  package func callAsFunction(_ p: Point) -> Point {
    let z = zx * p.x + zy * p.y + 1
    return Point(x: (xx * p.x + xy * p.y + x) / z, y: (yx * p.x + yy * p.y + y) / z)
  }

  /// Maps a point of the quadrilateral back; not finite on the horizon.
  package func inverse(_ p: Point) -> Point {
    let (a, b, c, d) = (xx - zx * p.x, xy - zy * p.x, yx - zx * p.y, yy - zy * p.y)
    let (u, v) = (p.x - x, p.y - y)
    let area = a * d - b * c
    return Point(x: (u * d - b * v) / area, y: (a * v - u * c) / area)
  }
}
