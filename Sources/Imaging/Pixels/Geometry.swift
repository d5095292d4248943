/// A position in an upright picture, in pixels: x to the right, y down, (0, 0) the outer corner of the first pixel.
public struct Point: Sendable, Hashable, Codable {
  public var x: Double
  public var y: Double
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package func distance(to other: Point) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the position in a picture that is `factor` times as large.
  package func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }

  package func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}

extension [Point] {
  package var centroid: Point {
    Point(x: reduce(0) { $0 + $1.x } / Double(count), y: reduce(0) { $0 + $1.y } / Double(count))
  }
}

/// An axis-aligned rectangle in pixels. It may extend beyond the picture.
public struct Rectangle: Sendable, Hashable, Codable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  public var centre: Point { Point(x: x + width / 2, y: y + height / 2) }
  /// Upper left, then clockwise.
  package var corners: [Point] {
    [Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height), Point(x: x, y: y + height)]
  }
  package func contains(_ p: Point) -> Bool { p.x >= x && p.x < x + width && p.y >= y && p.y < y + height }
  package var area: Double { max(0, width) * max(0, height) }

  /// Returns the intersection over union, 0 (disjoint) to 1 (equal).
  package func overlap(with other: Rectangle) -> Double {
    let w = min(x + width, other.x + other.width) - max(x, other.x)
    let h = min(y + height, other.y + other.height) - max(y, other.y)
    guard w > 0, h > 0 else { return 0 }
    return w * h / (area + other.area - w * h)
  }
}

extension Point: JSONConvertible {
  public var jsonValue: JSONValue { ["x": .rounded(x, 2), "y": .rounded(y, 2)] }
}

extension Rectangle: JSONConvertible {
  public var jsonValue: JSONValue {
    ["x": .rounded(x, 2), "y": .rounded(y, 2), "width": .rounded(width, 2), "height": .rounded(height, 2)]
  }
}
