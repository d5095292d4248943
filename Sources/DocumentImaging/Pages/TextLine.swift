internal import Glibc

/// A line of text on a page: its centre line and the height of its capitals. Positions are in pixels of the picture.
struct TextLine {
  /// The point of the centre line at half its length.
  private(set) var middle: Point
  /// The direction of the line, radians, clockwise on the screen.
  let angle: Double
  /// A unit vector.
  let direction: Point
  /// From end to end; pixels.
  private(set) var length: Double
  /// The height of a capital; pixels.
  private(set) var capHeight: Double
  /// The offset below the straight line as a function of the distance along it.
  private(set) var curvature: Parabola

  init(middle: Point, angle: Double, length: Double, capHeight: Double, curvature: Parabola) {
    self.middle = middle
    self.angle = angle
    direction = Point(x: cos(angle), y: sin(angle))
    (self.length, self.capHeight, self.curvature) = (length, capHeight, curvature)
  }

  /// Returns the point `u` along the line and `v` below it.
  func point(_ u: Double, _ v: Double) -> Point {
    let aside = curvature(u) + v
    return Point(
      x: middle.x + direction.x * u - direction.y * aside, y: middle.y + direction.y * u + direction.x * aside)
  }

  /// Returns a point's distance along the line and below it.
  func coordinates(of point: Point) -> (u: Double, v: Double) {
    let (x, y) = (point.x - middle.x, point.y - middle.y)
    let u = x * direction.x + y * direction.y
    return (u, y * direction.x - x * direction.y - curvature(u))
  }

  /// The same line in the opposite reading direction.
  var reversed: TextLine {
    TextLine(
      middle: middle, angle: angle + .pi, length: length, capHeight: capHeight,
      curvature: Parabola(a: -curvature.a, b: curvature.b, c: -curvature.c))
  }

  func with(capHeight: Double) -> TextLine {
    var line = self
    line.capHeight = capHeight
    return line
  }

  func moved(down: Double) -> TextLine {
    var line = self
    line.curvature.a += down
    return line
  }

  func shifted(x: Double, y: Double) -> TextLine {
    var line = self
    line.middle.x += x
    line.middle.y += y
    return line
  }

  func scaled(by factor: Double) -> TextLine {
    var line = self
    line.middle = Point(x: middle.x * factor, y: middle.y * factor)
    line.length *= factor
    line.capHeight *= factor
    line.curvature = Parabola(a: curvature.a * factor, b: curvature.b, c: curvature.c / factor)
    return line
  }
}
