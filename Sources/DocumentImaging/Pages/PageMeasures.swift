internal import Glibc

/// Image properties of a document, measured on its rectified crop.
package struct PageMeasures: Sendable {
  /// The colour variation on the page: the standard deviation of Cb and Cr (ITU-R BT.601), in levels of 255.
  package let colourSpread: Double
  /// The share of the page in saturated spots, 0 to 1; nil on paper that is nearly as bright itself.
  package let glare: Double?
  /// The width of the edges of the zone's characters, from dark to light, in heights of a capital: a measure of blur.
  /// Nil without a zone or contrast.
  package let edgeWidth: Double?

  /// Above this level, paper cannot be distinguished from glare. (Chosen.)
  private static let brightPaper = 225
  /// All three colours reach this level over a spot only when saturated. (Chosen.)
  private static let overflow = 252

  /// - Parameter page: The rectified crop of the document.
  package init(page: PixelBuffer, zone: ZoneReading?, in picture: PixelBuffer) {
    let count = page.width * page.height
    var (cb, cr, cb2, cr2) = (0.0, 0.0, 0.0, 0.0)
    var bright = 0
    var histogram = [Int](repeating: 0, count: 256)
    for i in 0..<count {
      let (r, g, b) = (Double(page.rgb[3 * i]), Double(page.rgb[3 * i + 1]), Double(page.rgb[3 * i + 2]))
      let luma = 0.299 * r + 0.587 * g + 0.114 * b
      let (blue, red) = ((b - luma) * 0.564, (r - luma) * 0.713)
      (cb, cr, cb2, cr2) = (cb + blue, cr + red, cb2 + blue * blue, cr2 + red * red)
      histogram[min(255, Int(luma))] += 1
      if min(r, g, b) >= Double(Self.overflow) { bright += 1 }
    }
    let n = Double(count)
    colourSpread = (max(0, cb2 / n - cb / n * cb / n) + max(0, cr2 / n - cr / n * cr / n)).squareRoot()
    var (below, median) = (0, 0)
    while median < 255, below + histogram[median] < count / 2 {
      below += histogram[median]
      median += 1
    }
    glare = median < Self.brightPaper ? Double(bright) / n : nil
    edgeWidth = zone.flatMap { Self.edgeWidth(of: $0, in: picture) }
  }

  /// Returns the contrast of the zone's strokes over their steepest slope: the width of an edge with a constant slope.
  private static func edgeWidth(of zone: ZoneReading, in picture: PixelBuffer) -> Double? {
    let (left, right) = zone.lastLine
    let length = left.distance(to: right)
    let steps = Int(length * 2)
    guard steps > 20 else { return nil }
    let level = PageLuma.Level(picture)
    let (dx, dy) = ((right.x - left.x) / length, (right.y - left.y) / length)
    var widths: [Double] = []
    for row in [-0.25, 0, 0.25] {
      let aside = row * zone.capHeight
      let values = (0..<steps).map { i in
        let u = Double(i) / 2
        return Double(level.value(at: Point(x: left.x + dx * u - dy * aside, y: left.y + dy * u + dx * aside)))
      }
      let sorted = values.sorted()
      let contrast = sorted[steps * 95 / 100] - sorted[steps * 5 / 100]
      guard contrast > 20 else { continue }
      let slopes = zip(values.dropFirst(2), values).map { abs($0 - $1) }.sorted()
      // A high percentile of the slopes, over one pixel; the very steepest are noise.
      widths.append(contrast / max(1, slopes[slopes.count * 95 / 100]))
    }
    guard !widths.isEmpty else { return nil }
    return widths.reduce(0, +) / Double(widths.count) / zone.capHeight
  }
}
