import FaceVerify

/// A picture that others are put on.
struct Canvas {
  private(set) var picture: PixelBuffer

  init(width: Int, height: Int, colour: UInt32) throws {
    picture = try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: 0, count: 3 * width * height))
    fill(0, 0, Double(width), Double(height), colour)
  }

  /// - Parameters:
  ///   - x: where its left edge comes to lie; it must fit.
  ///   - y: where its upper edge comes to lie.
  mutating func put(_ other: PixelBuffer, x: Int, y: Int) throws {
    guard x >= 0, y >= 0, x + other.width <= picture.width, y + other.height <= picture.height else { return }
    var rgb = picture.rgb
    for row in 0..<other.height {
      let start = 3 * ((y + row) * picture.width + x)
      let source = 3 * row * other.width
      rgb.replaceSubrange(start..<start + 3 * other.width, with: other.rgb[source..<source + 3 * other.width])
    }
    picture = try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb)
  }

  /// - Parameter size: the height of a capital.
  mutating func write(_ text: String, x: Int, baseline: Int, size: Double, colour: UInt32) {
    picture.drawText(
      Self.drawable(text), at: Point(x: Double(x), y: Double(baseline)), size: size, colour: colour)
  }

  /// - Parameter plated: on a dark plate, for what lies on a picture.
  mutating func write(
    _ text: String, at x: Double, _ baseline: Double, size: Double, colour: UInt32, align: Alignment = .left,
    plated: Bool = false
  ) {
    let text = Self.drawable(text)
    let width = align == .left ? 0 : PixelBuffer.widthOfText(text, size: size)
    let start = align == .left ? x : align == .right ? x - width : x - width / 2
    picture.drawText(text, at: Point(x: start, y: baseline), size: size, colour: colour, plated: plated)
  }

  enum Alignment { case left, middle, right }

  mutating func fill(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: UInt32, opacity: Double = 1
  ) {
    picture.fill(Rectangle(x: x, y: y, width: width, height: height), colour: colour, opacity: opacity)
  }

  mutating func line(from a: Point, to b: Point, _ colour: UInt32, thickness: Double = 1) {
    picture.drawLine(from: a, to: b, colour: colour, thickness: thickness)
  }

  /// A line of dashes.
  mutating func dashes(from a: Point, to b: Point, _ colour: UInt32, thickness: Double = 1) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let (dash, gap) = (8.0, 6.0)
    for start in stride(from: 0, to: length, by: dash + gap) {
      let (s, t) = (start / length, min(length, start + dash) / length)
      line(
        from: Point(x: a.x + s * dx, y: a.y + s * dy), to: Point(x: a.x + t * dx, y: a.y + t * dy), colour,
        thickness: thickness)
    }
  }

  mutating func disc(_ centre: Point, radius: Double, _ colour: UInt32) {
    picture.drawDisc(centre: centre, radius: radius, colour: colour)
  }

  /// The text, or its beginning, that finds room in so many pixels; empty if not even two letters do.
  static func fitting(_ text: String, size: Double, width: Double) -> String {
    let text = drawable(text)
    if PixelBuffer.widthOfText(text, size: size) <= width { return text }
    var count = text.count - 1
    while count > 1, PixelBuffer.widthOfText(String(text.prefix(count)) + "..", size: size) > width { count -= 1 }
    return count > 1 ? String(text.prefix(count)) + ".." : ""
  }

  /// Lines of words that find room in so many pixels.
  static func wrapped(_ text: String, size: Double, width: Double) -> [String] {
    var lines = [""]
    for word in drawable(text).split(separator: " ") {
      let longer = lines[lines.count - 1].isEmpty ? String(word) : lines[lines.count - 1] + " " + word
      if lines[lines.count - 1].isEmpty || PixelBuffer.widthOfText(longer, size: size) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The letters that the drawing font has.
  static func drawable(_ text: String) -> String {
    String(text.printable.map { $0.isASCII ? $0 : $0 == "×" ? "x" : $0 == "–" ? "-" : "?" })
  }
}
