import FaceVerify

/// Annotated photos of a document, next to the portrait.
enum DocumentSheet {
  static func make(_ reading: DocumentReading, photos: [Photo], names: [String]) throws -> PixelBuffer {
    var pictures: [PixelBuffer] = []
    var captions: [String] = []
    for ((photo, page), name) in zip(zip(photos, reading.pages), names) {
      let size = photos.count > 1 ? Sheet.double : (width: 1000, height: 800)
      var marks = try FaceMarks(photo, width: size.width, height: size.height)
      marks.outline(page.corners, colour: FaceMarks.Colour.mesh)
      marks.outline(page.zoneCorners, colour: FaceMarks.Colour.taken)
      if let face = page.face { marks.outline(face.box.corners, colour: FaceMarks.Colour.eye) }
      pictures.append(marks.picture)
      captions.append("\(FileName.last(name)): \(photo.width)×\(photo.height)")
    }
    if let portrait = reading.portrait {
      let picture = try Photo(bytes: portrait.bytes).pixels()
      let fit = min(280 / Double(picture.width), 360 / Double(picture.height))
      pictures.append(
        picture.resized(
          width: max(1, Int(Double(picture.width) * fit)), height: max(1, Int(Double(picture.height) * fit))))
      captions.append("portrait of the \(portrait.source.rawValue)")
    }
    let report = reading.report
    let colour = report.result.style.colour
    var lines = [Sheet.Line(text: DocumentText.title(report), colour: colour, isTitle: true)]
    for name in [DocumentFieldName.mrzLines, .documentNumber, .surnameAndGivenNames, .dateOfBirth, .dateOfExpiry] {
      let field = report.data[name]
      guard let value = field.value else { continue }
      for (i, part) in value.split(separator: "\n").enumerated() {
        lines.append(
          .init(
            name: i == 0 ? "\(name)" : "", text: i == 0 ? "\(part)  \(field.status.rawValue)" : "\(part)",
            colour: field.status == .failed ? FaceMarks.Colour.refused : FaceMarks.Colour.text))
      }
    }
    for check in reading.pages.flatMap(\.rejections) {
      lines.append(.init(text: check.text, colour: FaceMarks.Colour.caution))
    }
    return try Sheet.make(pictures, captions: captions, lines: lines)
  }
}
