internal import Glibc

/// The result of reading one photo of a document's page.
public struct DocumentPage: Sendable {
  /// SHA-256 of the photo's file, lower-case hexadecimal.
  public let sha256: String
  /// Pixels of the upright photo.
  public let width: Int
  public let height: Int
  /// The machine-readable zone; nil if there is none or it is unreadable.
  public let reading: MRZReading?
  /// The zones of other documents in the photo.
  public let otherReadings: [MRZReading]
  /// Corners of the zone in the photo, clockwise from its upper left as it is read. Empty without a zone.
  public let zoneCorners: [Point]
  /// The printed lines of the page in reading order, without those of a zone that was read; nil if they were not
  /// requested. Unlike the zone, they have no check digits.
  public internal(set) var text: [PrintedLine]?
  /// The fields that have a caption in ``text``; nil if it was not requested. None is verified: ``DocumentReport/printData``
  /// has the result of comparing them with another source.
  public var printedFields: [DocumentFieldName: PrintedField]? {
    visualZone?.fields(on: day).mapValues { found in
      PrintedField(
        field: found.field, confidence: found.confidence, corners: found.line.flatMap { text?[$0].corners } ?? [])
    }
  }
  /// The document's title in ``text``, such as "DRIVER LICENSE"; nil if none was read or ``text`` was not requested. It
  /// verifies nothing: ``DocumentReport/data`` has the type that a machine-readable zone, chip or code states.
  public var printedTitle: PrintedTitle? {
    guard let title = visualZone?.title, let line = text?[title.line] else { return nil }
    return PrintedTitle(type: title.type, line: line)
  }
  /// Corners of the document in the photo, in the same order; may lie outside the photo. They are found by the document's
  /// edges, or derived from the zone. Empty if neither was found.
  public var corners: [Point] { frame?.corners ?? [] }
  /// The document's rotation in the photo, clockwise degrees in -180...180; nil without ``corners``. Without a zone, it
  /// is that of the portrait to a quarter; without a portrait, the document's longer side is taken for its upper one.
  public var turn: Double? { frame.map { $0.angle * 180 / .pi } }
  /// The face that the portrait was cropped around, in pixels of the photo.
  public let face: Face?
  /// nil if no face was found in the photo or in the crop.
  public let portrait: DocumentPortrait?
  /// Every check, in a fixed order.
  public let checks: [DocumentImageCheck]

  /// The day for which the page was read.
  let day: CalendarDate
  let frame: PageOutline?
  /// Whether the portrait is on the page with the zone.
  let isPortraitWithZone: Bool
  /// Of ``text``.
  var visualZone: VisualZone?

  /// Returns the document cropped from its photo, upright, at the photo's resolution; nil without ``corners``. Tilt
  /// towards the camera is corrected if the document's edges were found: a zone does not determine it.
  ///
  /// - Parameter photo: the photo that was read.
  /// - Throws: ``VerifyError`` if it cannot be decoded.
  public func image(from photo: Photo) throws -> PixelBuffer? {
    try frame.map { $0.rectified(try DecodedPhoto(photo).picture(reduction: 1), resolution: $0.scale) }
  }

  /// The failed checks, for which the picture should be rejected.
  public var rejections: [DocumentImageCheck] { checks.filter { $0.status == .failed } }
}

/// A printed field of a page, found by its caption.
public struct PrintedField: Sendable, Hashable, JSONConvertible {
  /// Not checked. The value is nil if no plausible text was read at the caption, or a date whose century or order of day
  /// and month is open. The reason is ``DocumentReason/lowConfidence`` if the text may be misread or another one.
  public let field: DocumentField
  /// The lower of the confidences of the text and of its caption, 0 to 1; nil if no plausible text was read.
  public let confidence: Double?
  /// Corners of the text's line in the photo, which may include its caption; empty if no plausible text was read.
  public let corners: [Point]

  public var jsonValue: JSONValue {
    [
      "value": .optional(field.value), "status": .string(field.status.rawValue),
      "reason": .optional(field.reason?.rawValue), "confidence": .rounded(confidence, 3),
      "corners": .array(corners.map { .array([.rounded($0.x, 1), .rounded($0.y, 1)]) }),
    ]
  }
}

/// The printed title of a document.
public struct PrintedTitle: Sendable, JSONConvertible {
  /// The type that it names: a residence permit is an ``DocumentType/idCard``.
  public let type: DocumentType
  public let line: PrintedLine

  public var jsonValue: JSONValue {
    ["type": .string(type.rawValue), "text": .string(line.text), "confidence": .rounded(line.confidence, 3)]
  }
}

extension DocumentPage: JSONConvertible {
  public var jsonValue: JSONValue {
    func points(_ points: [Point]) -> JSONValue {
      .array(points.map { .array([.rounded($0.x, 1), .rounded($0.y, 1)]) })
    }
    var fields: [String: JSONValue] = [:]
    for (name, field) in printedFields ?? [:] { fields[name.rawValue] = field.jsonValue }
    return [
      "input": ["sha256": .string(sha256), "width": .integer(width), "height": .integer(height)],
      "mrz": reading?.jsonValue ?? .null, "otherZones": otherReadings.jsonValue, "zoneCorners": points(zoneCorners),
      "corners": points(corners),
      "text": text?.jsonValue ?? .null, "printedTitle": printedTitle?.jsonValue ?? .null,
      "printedFields": text == nil ? .null : .object(fields),
      "turn": .rounded(turn, 1), "checks": checks.jsonValue, "face": face?.jsonValue ?? .null,
      "portrait": portrait?.jsonValue ?? .null,
    ]
  }
}

extension VisualZone {
  /// Without the lines across the page.
  init(_ lines: [PrintedLine]) {
    func direction(_ line: PrintedLine) -> SIMD2<Double> {
      let (left, right) = (line.corners[0], line.corners[1])
      return SIMD2(right.x - left.x, right.y - left.y)
    }
    let sum = lines.reduce(SIMD2(0, 0)) { $0 + direction($1) }
    let upright = AffineMap(scale: 1, angle: -atan2(sum.y, sum.x), origin: Point(x: 0, y: 0))
    self.init(
      lines.enumerated().compactMap { number, line in
        let corners = line.corners.map { upright($0) }
        let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
        // (Chosen: half of the angle to a line across.)
        guard abs(corners[1].y - corners[0].y) < corners[1].x - corners[0].x else { return nil }
        // The edges' middles: a tilted line does not reach into the lines around it.
        return Line(
          text: line.text, confidence: line.confidence, left: (xs[0] + xs[1]) / 2, top: (ys[0] + ys[1]) / 2,
          right: (xs[2] + xs[3]) / 2, bottom: (ys[2] + ys[3]) / 2, number: number)
      })
  }
}
