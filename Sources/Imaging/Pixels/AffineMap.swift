internal import Glibc

/// Maps positions in a crop to positions in the picture from which it is sampled.
package struct AffineMap: Sendable {
  package var xx, xy, x: Double
  package var yx, yy, y: Double

  /// A similarity: rotates by `angle` (radians, clockwise on the screen), scales, then translates (0, 0) to `origin`.
  package init(scale: Double, angle: Double, origin: Point) {
    let (c, s) = (scale * cos(angle), scale * sin(angle))
    (xx, xy, x) = (c, -s, origin.x)
    (yx, yy, y) = (s, c, origin.y)
  }

  /// Maps the square crop with a side of `pixels` pixels to the square of side `side` around `centre`, rotated by
  /// `angle`, optionally mirrored left to right.
  package init(square centre: Point, side: Double, angle: Double, pixels: Int, mirrored: Bool = false) {
    self.init(scale: side / Double(pixels), angle: angle, origin: centre)
    if mirrored { (xx, yx) = (-xx, -yx) }
    let half = Double(pixels) / 2
    x -= xx * half + xy * half
    y -= yx * half + yy * half
  }

  /// The similarity from `from` to `to` with the least squared distance.
  package init(from: [Point], to: [Point]) {
    let (source, target) = (from.centroid, to.centroid)
    var (norm, real, imaginary) = (0.0, 0.0, 0.0)
    for (f, t) in zip(from, to) {
      let (a, b) = (f.x - source.x, f.y - source.y)
      let (c, d) = (t.x - target.x, t.y - target.y)
      norm += a * a + b * b
      real += a * c + b * d
      imaginary += a * d - b * c
    }
    (xx, xy, yx, yy) = (real / norm, -imaginary / norm, imaginary / norm, real / norm)
    x = target.x - xx * source.x - xy * source.y
    y = target.y - yx * source.x - yy * source.y
  }

  package func callAsFunction(_ p: Point) -> Point { Point(x: xx * p.x + xy * p.y + x, y: yx * p.x + yy * p.y + y) }

  /// Scales crop coordinates, so that a unit covers `factor` times as much.
  package mutating func stretch(by factor: Double) {
    (xx, xy, yx, yy) = (xx * factor, xy * factor, yx * factor, yy * factor)
  }

  /// Maps positions in the picture back to positions in the crop; not finite if the map is singular.
  package var inverse: AffineMap {
    let area = xx * yy - xy * yx
    var back = self
    (back.xx, back.xy, back.yx, back.yy) = (yy / area, -xy / area, -yx / area, xx / area)
    back.x = -(back.xx * x + back.xy * y)
    back.y = -(back.yx * x + back.yy * y)
    return back
  }

  /// Picture pixels per crop pixel.
  package var scale: Double { (xx * xx + yx * yx).squareRoot() }

  /// The same map between pixel indices instead of positions: pixel 0 has its centre at 0.5.
  package var betweenPixels: [Double] { [xx, xy, x + 0.5 * (xx + xy - 1), yx, yy, y + 0.5 * (yx + yy - 1)] }
}
