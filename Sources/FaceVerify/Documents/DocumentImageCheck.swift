/// One check of a document's picture.
public struct DocumentImageCheck: Sendable {
  /// Why the picture of a document is rejected.
  public struct Reason: RawRepresentable, Sendable, Hashable, CaseIterable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The document has no colour: a black-and-white copy.
    public static let blackWhiteCopy = Reason(rawValue: "black-white-copy")
    /// A printed copy of a document.
    public static let colourPhotocopy = Reason(rawValue: "colour-photocopy")
    /// A document shown on a display.
    public static let digitalCopy = Reason(rawValue: "digital-copy")
    /// A zone was found, but its characters could not be read.
    public static let notReadable = Reason(rawValue: "not-readable")
    /// Nothing in the picture resembles a document.
    public static let noDocument = Reason(rawValue: "no-document")
    /// The side with the zone is not shown.
    public static let missingBack = Reason(rawValue: "missing-back")
    public static let blurry = Reason(rawValue: "blurry")
    /// The document extends beyond the picture.
    public static let missingPart = Reason(rawValue: "missing-part")
    /// Something covers a part of the document.
    public static let hiddenPart = Reason(rawValue: "hidden-part")
    public static let damaged = Reason(rawValue: "damaged-document")
    public static let glare = Reason(rawValue: "glare")
    /// Not the selected document, or not an accepted one: checked by journeys, not for pictures.
    public static let unsupportedDocument = Reason(rawValue: "unsupported-document")
    /// The side with the portrait is not shown: checked by journeys, not for pictures.
    public static let missingFront = Reason(rawValue: "missing-front")

    public static let allCases: [Reason] = [
      .blackWhiteCopy, .colourPhotocopy, .digitalCopy, .notReadable, .noDocument, .missingBack, .blurry, .missingPart,
      .hiddenPart, .damaged, .glare,
    ]
  }

  public let reason: Reason
  /// ``CheckStatus/failed`` if the picture should be rejected for this reason.
  public let status: CheckStatus
  /// The measured value in ``unit``; nil if nothing was measured, as for yes-or-no checks.
  public let value: Double?
  /// "level" (of 255), "share" (0 to 1) or "cap height"; empty if nothing was measured.
  public let unit: String
  /// The check fails beyond this value; nil if nothing was measured.
  public let limit: Double?
  /// One sentence: what to do, or why the check was not made.
  public let text: String
}

extension DocumentImageCheck {
  /// Chroma levels: grey copies have almost none, whatever the tint of the light. (Chosen between grey scans of
  /// specimens, 0 to 0.3, and the palest in colour, 2.5.)
  private static let minimumColourSpread = 1.5
  /// The share of a page under glare above which it is rejected. (Chosen.)
  private static let maximumGlare = 0.02
  /// Width of an edge from dark to light, in cap heights. (In 77 synthetic pages, clean ones have 0.09 to 0.14,
  /// degraded ones that are read exactly up to 0.31, misread ones 0.19 to 0.33.)
  private static let maximumEdgeWidth = 0.33
  /// The share of the page that may be outside: the outline is derived from the zone, and is off by some millimetres.
  private static let maximumOutside = 0.06

  /// Returns all checks of one picture, in a fixed order.
  ///
  /// - Parameters:
  ///   - place: the zone, and the document's outline derived from it; nil without a zone.
  ///   - isRead: whether the zone could be read; nil without a zone.
  static func all(
    picture: PixelBuffer, place: (zone: ZoneReading, frame: PageOutline)?, isRead: Bool?, hasFace: Bool
  ) -> [DocumentImageCheck] {
    let measures = place.map { place in
      PageMeasures(
        page: place.frame.rectified(picture, resolution: min(4, place.frame.scale)), zone: place.zone, in: picture)
    }
    func check(
      _ reason: Reason, isWrong: Bool? = nil, advice: String = "", without: String = ""
    ) -> DocumentImageCheck {
      DocumentImageCheck(
        reason: reason, status: isWrong.map { $0 ? .failed : .passed } ?? .notChecked, value: nil, unit: "", limit: nil,
        text: isWrong.map { $0 ? advice : "" } ?? without)
    }
    func measured(
      _ reason: Reason, _ value: Double?, _ unit: String, limit: Double, isWrong: (Double, Double) -> Bool = (>),
      advice: String, without: String
    ) -> DocumentImageCheck {
      guard let value else { return check(reason, without: without) }
      let isWrong = isWrong(value, limit)
      return DocumentImageCheck(
        reason: reason, status: isWrong ? .failed : .passed, value: value, unit: unit, limit: limit,
        text: isWrong ? advice : "")
    }
    let noZone = "Not checked: without a machine-readable zone the position of the document is unknown."
    func untested(_ what: String) -> String { "Not checked: there are no photos of \(what) to measure this on." }
    return [
      measured(
        .blackWhiteCopy, measures?.colourSpread, "level", limit: minimumColourSpread, isWrong: (<),
        advice: "The document has no colour: photograph the document itself, not a copy.", without: noZone),
      check(.colourPhotocopy, without: untested("colour copies")),
      check(.digitalCopy, without: untested("documents on displays")),
      check(
        .notReadable, isWrong: isRead.map { !$0 },
        advice: "There is a machine-readable zone, but it cannot be read: come closer, and hold still.",
        without: "Not checked: no machine-readable zone was found."),
      check(
        .noDocument, isWrong: isRead != nil ? false : hasFace ? nil : true,
        advice: "Neither a machine-readable zone nor a portrait: photograph the page with the portrait.",
        without: "Not checked: there is a face and no machine-readable zone, as on a card's front and on any photo."),
      check(.missingBack, without: "Not checked: one picture does not show whether the document has another side."),
      measured(
        .blurry, measures?.edgeWidth, "cap height", limit: maximumEdgeWidth,
        advice: "The text is blurred: hold still, let the camera focus, come closer.", without: noZone),
      measured(
        .missingPart, place?.frame.shareOutside(width: picture.width, height: picture.height), "share",
        limit: maximumOutside, advice: "A part of the document is outside the picture: show all of it.",
        without: noZone),
      check(.hiddenPart, without: "Not checked: an object on a document cannot be distinguished from its print."),
      check(.damaged, without: untested("damaged documents")),
      measured(
        .glare, measures?.glare, "share", limit: maximumGlare,
        advice: "Light is reflected by the document: tilt it, or move the lamp.",
        without: place == nil ? noZone : "Not checked: the paper is about as bright as glare."),
    ]
  }
}

extension DocumentImageCheck: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "reason": .string(reason.rawValue), "status": .string(status.rawValue), "value": .rounded(value, 3),
      "unit": .string(unit), "limit": .rounded(limit, 3), "text": .string(text),
    ]
  }
}
