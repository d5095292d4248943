import FaceVerify

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
