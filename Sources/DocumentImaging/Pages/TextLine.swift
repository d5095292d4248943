internal import Glibc

/// A line of text on a page: its centre line and the height of its capitals. Positions are in pixels of the picture.
struct TextLine {
  /// The point of the centre line at half its length.
  var middle: Point
  /// The direction of the line, radians, clockwise on the screen.
  let angle: Double
  /// A unit vector.
  let direction: Point
  /// From end to end; pixels.
  var length: Double
  /// The height of a capital; pixels.
  var capHeight: Double
  /// The offset below the straight line as a function of the distance along it.
  var curvature: Parabola

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

  func changed(_ change: (inout TextLine) -> Void) -> TextLine {
    var line = self
    change(&line)
    return line
  }

  func scaled(by factor: Double) -> TextLine {
    changed {
      $0.middle = middle.scaled(by: factor)
      $0.length *= factor
      $0.capHeight *= factor
      $0.curvature = Parabola(a: curvature.a * factor, b: curvature.b, c: curvature.c / factor)
    }
  }
}
