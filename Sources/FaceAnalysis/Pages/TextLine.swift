internal import Glibc

/// A line of text on a page: where its middle runs, and how tall its capitals are. Positions are in pixels of the
/// picture.
struct TextLine {
  /// A point that the line runs through, the middle of its length.
  let middle: Point
  /// Of the direction in which the line runs, radians, clockwise on the screen.
  let angle: Double
  /// From end to end, pixels.
  let length: Double
  /// Height of a capital, pixels.
  let capital: Double
  /// How far below the straight line it runs, by how far along.
  let bend: Parabola

  var direction: Point { Point(x: cos(angle), y: sin(angle)) }

  /// The point `u` along the line and `v` below it.
  func point(_ u: Double, _ v: Double) -> Point {
    let aside = bend(u) + v
    let direction = direction
    return Point(
      x: middle.x + direction.x * u - direction.y * aside, y: middle.y + direction.y * u + direction.x * aside)
  }

  /// Along the line, and below it, of a point.
  func coordinates(of point: Point) -> (u: Double, v: Double) {
    let (x, y) = (point.x - middle.x, point.y - middle.y)
    let u = x * direction.x + y * direction.y
    return (u, y * direction.x - x * direction.y - bend(u))
  }

  /// The same line, read from the other end.
  var reversed: TextLine {
    TextLine(
      middle: middle, angle: angle + .pi, length: length, capital: capital,
      bend: Parabola(a: -bend.a, b: bend.b, c: -bend.c))
  }

  func scaled(by factor: Double) -> TextLine {
    TextLine(
      middle: Point(x: middle.x * factor, y: middle.y * factor), angle: angle, length: length * factor,
      capital: capital * factor, bend: Parabola(a: bend.a * factor, b: bend.b, c: bend.c / factor))
  }
}
