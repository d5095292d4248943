import FaceVerify

/// Marked photos side by side, with lines of text below.
struct Sheet {
  struct Line {
    var text: String
    var colour: UInt32 = FaceMarks.Colour.text
    var isTitle = false
  }

  /// How large a photo is drawn: for one, and for each of two.
  static let single = (width: 1200, height: 1000)
  static let double = (width: 760, height: 800)

  static func make(_ pictures: [PixelBuffer], captions: [String], lines: [Line]) throws -> PixelBuffer {
    let gap = 12
    let size = 13.0
    let step = 30
    let charactersPerPixel = 1 / (size * 0.8)
    let width = max(900, pictures.reduce(gap) { $0 + $1.width + gap })
    let wrapped = lines.flatMap { line in
      wrap(line.text, Int(Double(width - 2 * gap) * charactersPerPixel / (line.isTitle ? 1.5 : 1))).map {
        Line(text: $0, colour: line.colour, isTitle: line.isTitle)
      }
    }
    let pictureHeight = pictures.map(\.height).max() ?? 0
    let textHeight = wrapped.reduce(0) { $0 + ($1.isTitle ? step + 14 : step) }
    var sheet = try Canvas(
      width: width, height: gap + pictureHeight + step + textHeight + gap * 2, colour: FaceMarks.Colour.paper)
    var x = gap + (width - pictures.reduce(gap) { $0 + $1.width + gap }) / 2
    for (picture, caption) in zip(pictures, captions) {
      try sheet.put(picture, x: x, y: gap + (pictureHeight - picture.height) / 2)
      let room = Int(Double(picture.width) * charactersPerPixel)
      sheet.write(
        String(caption.prefix(max(1, room))), x: x, baseline: gap + pictureHeight + step - 6, size: size,
        colour: FaceMarks.Colour.faint)
      x += picture.width + gap
    }
    var y = gap + pictureHeight + step + gap
    for line in wrapped {
      y += line.isTitle ? step + 14 : step
      sheet.write(
        line.text, x: gap, baseline: y - (line.isTitle ? 14 : 10), size: line.isTitle ? size * 1.5 : size,
        colour: line.colour)
    }
    return sheet.picture
  }

  /// A picture in the place of one that there is not.
  static func blank(_ text: String, width: Int, height: Int) throws -> PixelBuffer {
    var canvas = try Canvas(width: width, height: height, colour: 0x2A2F3A)
    canvas.write(
      text, x: max(10, width / 2 - text.count * 6), baseline: height / 2, size: 13, colour: FaceMarks.Colour.faint)
    return canvas.picture
  }

  private static func wrap(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty && line.count + 1 + word.count > columns {
        lines.append(line)
        line = "    " + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
