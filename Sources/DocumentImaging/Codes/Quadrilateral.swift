/// Four corners of a flat square in perspective.
struct Quadrilateral {
  let corners: [Point]
  /// The map from the unit square: x' = (a u + b v + c) / (g u + h v + 1), y' = (d u + e v + f) / (g u + h v + 1).
  private let a, b, d, e, g, h: Double

  /// Nil unless there are four corners that enclose an area.
  init?(_ corners: [Point]) {
    guard corners.count == 4 else { return nil }
    self.corners = corners
    let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
    let (x1, x2, x3) = (q.x - r.x, s.x - r.x, p.x - q.x + r.x - s.x)
    let (y1, y2, y3) = (q.y - r.y, s.y - r.y, p.y - q.y + r.y - s.y)
    let determinant = x1 * y2 - x2 * y1
    guard abs(determinant) > 1 else { return nil }
    g = (x3 * y2 - x2 * y3) / determinant
    h = (x1 * y3 - x3 * y1) / determinant
    a = q.x - p.x + g * q.x
    b = s.x - p.x + h * s.x
    d = q.y - p.y + g * q.y
    e = s.y - p.y + h * s.y
  }

  var shortestSide: Double { (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }.min() ?? 0 }

  /// Returns the image of a rectangle in the square's plane; nil if a part of it would be behind the camera.
  func corners(of rectangle: Rectangle) -> [Point]? {
    let points = rectangle.corners.compactMap { point -> Point? in
      let depth = g * point.x + h * point.y + 1
      guard depth > 0.05 else { return nil }
      return Point(
        x: (a * point.x + b * point.y + corners[0].x) / depth, y: (d * point.x + e * point.y + corners[0].y) / depth)
    }
    return points.count == 4 ? points : nil
  }
}

/// Sharpness of a greyscale picture, and its similarity to a two-level pattern.
struct EdgeMeasures {
  /// The width of the sharpest edges in pixels.
  let edge: Double
  /// The difference between dark and light levels.
  let contrast: Double
  /// The shares of pixels within a quarter of the contrast of the darkest and of the lightest levels.
  let dark, light: Double
  /// The share of pixels at which the level changes by at least a quarter of the contrast.
  let changing: Double
  /// 0 to 1: the alignment of the edges' directions, counting directions at right angles as the same.
  let squareness: Double

  /// Measures as the code detector does: quantiles of levels and slopes, in every `step`th row.
  init(_ pixels: [UInt8], width: Int, sharpest share: Double = 0.02, every step: Int = 1) {
    guard width > 1, pixels.count >= 2 * width else {
      edge = .infinity
      (contrast, dark, light) = (0, 0, 0)
      (changing, squareness) = (0, 0)
      return
    }
    var levels = [Int](repeating: 0, count: 256)
    var slopes = [Int](repeating: 0, count: 512)
    // Sums over all edges: their angle times four, weighted by the square of their height.
    var (along, across, energy) = (0.0, 0.0, 0.0)
    for y in stride(from: 0, to: pixels.count / width - 1, by: step) {
      for x in 0..<width - 1 {
        let i = y * width + x
        let diagonal = Double(Int(pixels[i + width + 1]) - Int(pixels[i])) / 2
        let other = Double(Int(pixels[i + 1]) - Int(pixels[i + width])) / 2
        levels[Int(pixels[i])] += 1
        let (dx, dy) = (diagonal + other, diagonal - other)
        let square = dx * dx + dy * dy
        slopes[min(511, Int(square.squareRoot() + 0.5))] += 1
        guard square > 0 else { continue }
        let (cosine, sine) = (dx * dx - dy * dy, 2 * dx * dy)
        along += (cosine * cosine - sine * sine) / square
        across += 2 * cosine * sine / square
        energy += square
      }
    }
    let (darkest, lightest) = (Self.quantile(levels, 0.05), Self.quantile(levels, 0.95))
    contrast = Double(lightest - darkest)
    let (quarter, all) = (contrast / 4, Double(levels.reduce(0, +)))
    dark = Double(levels[...Int(Double(darkest) + quarter)].reduce(0, +)) / all
    light = Double(levels[Int((Double(lightest) - quarter).rounded(.up))...].reduce(0, +)) / all
    changing = Double(slopes[max(1, Int(quarter))...].reduce(0, +)) / all
    squareness = energy > 0 ? (along * along + across * across).squareRoot() / energy : 0
    edge = contrast / Double(max(1, Self.quantile(slopes, 1 - share)))
  }

  private static func quantile(_ counts: [Int], _ share: Double) -> Int {
    let wanted = share * Double(counts.reduce(0, +))
    var sum = 0.0
    for (value, count) in counts.enumerated() {
      sum += Double(count)
      if sum >= wanted { return value }
    }
    return counts.count - 1
  }
}
