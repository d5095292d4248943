import FaceVerify

/// Drawing of pages.
extension PixelBuffer {
  enum Alignment { case left, middle, right }

  init(width: Int, height: Int, colour: UInt32) throws {
    try self.init(width: width, height: height, rgb: [UInt8](repeating: 0, count: 3 * width * height))
    fill(0, 0, Double(width), Double(height), colour)
  }

  /// Scales both sides to at least one pixel.
  func scaled(by scale: Double) -> PixelBuffer {
    let (width, height) = Self.size(width, height, scaledBy: scale)
    return resized(width: width, height: height)
  }

  static func size(_ width: Int, _ height: Int, scaledBy scale: Double) -> (width: Int, height: Int) {
    (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
  }

  /// Copies a picture, whose upper left corner is at `x` and `y`; it must fit.
  mutating func put(_ other: PixelBuffer, x: Int, y: Int) throws {
    guard x >= 0, y >= 0, x + other.width <= width, y + other.height <= height else { return }
    var rgb = rgb
    for row in 0..<other.height {
      let start = 3 * ((y + row) * width + x)
      let source = 3 * row * other.width
      rgb.replaceSubrange(start..<start + 3 * other.width, with: other.rgb[source..<source + 3 * other.width])
    }
    self = try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  /// Writes a line of text; `x` is its left end, middle or right end, and `size` the height of a capital letter.
  mutating func write(
    _ text: String, at x: Double, _ baseline: Double, size: Double, colour: UInt32, align: Alignment = .left,
    isStrong: Bool = false, isPlated: Bool = false
  ) {
    let text = text.printable
    let width = align == .left ? 0 : Self.widthOfText(text, size: size, isStrong: isStrong)
    let start = align == .left ? x : align == .right ? x - width : x - width / 2
    drawText(text, at: Point(x: start, y: baseline), size: size, colour: colour, isStrong: isStrong, isPlated: isPlated)
  }

  mutating func fill(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: UInt32, opacity: Double = 1
  ) { fill(Rectangle(x: x, y: y, width: width, height: height), colour: colour, opacity: opacity) }

  mutating func line(from a: Point, to b: Point, _ colour: UInt32, thickness: Double = 1) {
    drawLine(from: a, to: b, colour: colour, thickness: thickness)
  }

  mutating func dashes(from a: Point, to b: Point, _ colour: UInt32) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let (dash, gap) = (8.0, 6.0)
    for start in stride(from: 0, to: length, by: dash + gap) {
      let (s, t) = (start / length, min(length, start + dash) / length)
      line(from: Point(x: a.x + s * dx, y: a.y + s * dy), to: Point(x: a.x + t * dx, y: a.y + t * dy), colour)
    }
  }
}

extension Text {
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
    text.printable.split(separator: " ").reduce(into: [""]) { lines, word in
      let last = lines[lines.count - 1]
      let longer = last.isEmpty ? String(word) : last + " " + word
      if last.isEmpty || PixelBuffer.widthOfText(longer, size: size, isStrong: isStrong) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
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

/// Annotated photos side by side, with captions and a table of findings below.
struct Sheet {
  struct Line {
    /// The first column; empty for the title and for advice, which take the full width.
    var name = ""
    var text: String
    var colour: UInt32 = FaceMarks.Colour.text
    var isTitle = false
  }

  /// The maximum size of a single photo, and of each of two.
  static let single = (width: 1200, height: 1000)
  static let double = (width: 760, height: 800)

  private static let margin = 28.0
  private static let gap = 16.0
  private static let size = 11.0
  private static let titleSize = 17.0
  private static let step = 26.0

  static func make(_ pictures: [PixelBuffer], captions: [String], lines: [Line]) throws -> PixelBuffer {
    let photos = Double(pictures.reduce(0) { $0 + $1.width }) + gap * Double(max(0, pictures.count - 1))
    let width = max(900, photos + 2 * margin)
    let names = lines.map { PixelBuffer.widthOfText($0.name, size: size) }.max() ?? 0
    let rows = lines.map { line in
      let indent = line.name.isEmpty ? 0 : names + 2 * gap
      let texts = Text.wrapped(
        line.text, size: line.isTitle ? titleSize : size, width: width - 2 * margin - indent, isStrong: line.isTitle)
      return (line, texts, margin + indent, line.isTitle ? 2.2 * titleSize : step)
    }
    let photoHeight = Double(pictures.map(\.height).max() ?? 0)
    let textHeight = rows.reduce(0) { $0 + Double($1.1.count) * $1.3 }
    var sheet = try PixelBuffer(
      width: Int(width.rounded(.up)), height: Int((margin + photoHeight + step + textHeight + 2 * margin).rounded(.up)),
      colour: FaceMarks.Colour.paper)
    var x = (width - photos) / 2
    for (picture, caption) in zip(pictures, captions) {
      try sheet.put(picture, x: Int(x), y: Int(margin + (photoHeight - Double(picture.height)) / 2))
      sheet.write(
        Text.fitting(caption, size: size, width: Double(picture.width)), at: x, margin + photoHeight + step,
        size: size, colour: FaceMarks.Colour.faint)
      x += Double(picture.width) + gap
    }
    var y = margin + photoHeight + step + margin / 2
    for (line, texts, indent, height) in rows {
      for (i, text) in texts.enumerated() {
        y += height
        if i == 0 { sheet.write(line.name, at: margin, y, size: size, colour: FaceMarks.Colour.faint) }
        sheet.write(
          text, at: indent, y, size: line.isTitle ? titleSize : size, colour: line.colour, isStrong: line.isTitle)
      }
    }
    return sheet
  }

  static func blank(_ text: String, width: Int, height: Int) throws -> PixelBuffer {
    var canvas = try PixelBuffer(width: width, height: height, colour: 0x2A2F3A)
    canvas.write(
      text, at: Double(width) / 2, Double(height) / 2, size: size, colour: FaceMarks.Colour.faint, align: .middle)
    return canvas
  }
}
