import FaceVerify

struct Canvas {
  private(set) var picture: PixelBuffer

  init(width: Int, height: Int, colour: UInt32) throws {
    picture = try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: 0, count: 3 * width * height))
    fill(0, 0, Double(width), Double(height), colour)
  }

  /// - Parameters:
  ///   - x: the position of its left edge; it must fit.
  ///   - y: the position of its upper edge.
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

  /// Writes a line of text; `x` is its left end, middle or right end.
  ///
  /// - Parameters:
  ///   - size: The height of a capital letter.
  ///   - isPlated: On a dark plate, legible on any picture.
  mutating func write(
    _ text: String, at x: Double, _ baseline: Double, size: Double, colour: UInt32, align: Alignment = .left,
    isStrong: Bool = false, isPlated: Bool = false
  ) {
    let text = text.printable
    let width = align == .left ? 0 : PixelBuffer.widthOfText(text, size: size, isStrong: isStrong)
    let start = align == .left ? x : align == .right ? x - width : x - width / 2
    picture.drawText(
      text, at: Point(x: start, y: baseline), size: size, colour: colour, isStrong: isStrong, isPlated: isPlated)
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

  /// Returns the text, truncated with an ellipsis to at most `width` pixels; empty if not even two letters fit.
  static func fitting(_ text: String, size: Double, width: Double) -> String {
    let text = text.printable
    if PixelBuffer.widthOfText(text, size: size) <= width { return text }
    var count = text.count - 1
    while count > 1, PixelBuffer.widthOfText(text.prefix(count) + "…", size: size) > width { count -= 1 }
    return count > 1 ? text.prefix(count) + "…" : ""
  }

  /// Returns the text wrapped between words into lines of at most `width` pixels.
  static func wrapped(_ text: String, size: Double, width: Double, isStrong: Bool = false) -> [String] {
    var lines = [""]
    for word in text.printable.split(separator: " ") {
      let longer = lines[lines.count - 1].isEmpty ? String(word) : lines[lines.count - 1] + " " + word
      if lines[lines.count - 1].isEmpty || PixelBuffer.widthOfText(longer, size: size, isStrong: isStrong) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

/// Colours on a dark background that are distinguishable with any colour blindness, also by brightness (Okabe and Ito
/// 2008).
enum Palette {
  static let paper: UInt32 = 0x12161C
  static let panel: UInt32 = 0x1B2129
  static let line: UInt32 = 0x39424E
  static let text: UInt32 = 0xF2F4F8
  static let faint: UInt32 = 0xA7AFBC
  static let blue: UInt32 = 0x56B4E9
  static let orange: UInt32 = 0xE69F00
  static let white: UInt32 = 0xE8ECF1
  static let vermilion: UInt32 = 0xFF7A33
  static let purple: UInt32 = 0xE39BC6

  static let passed = blue
  static let failed = vermilion
}
