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
    func notChecked(_ reason: Reason, _ text: String) -> DocumentImageCheck {
      DocumentImageCheck(reason: reason, status: .notChecked, value: nil, unit: "", limit: nil, text: text)
    }
    func checked(
      _ reason: Reason, _ value: Double?, _ unit: String, limit: Double, failsAbove: Bool = true, advice: String,
      without: String
    ) -> DocumentImageCheck {
      guard let value else { return notChecked(reason, without) }
      let failed = failsAbove ? value > limit : value < limit
      return DocumentImageCheck(
        reason: reason, status: failed ? .failed : .passed, value: value, unit: unit, limit: limit,
        text: failed ? advice : "")
    }
    func told(
      _ reason: Reason, isWrong: Bool?, advice: String, without: String = ""
    ) -> DocumentImageCheck {
      guard let isWrong else { return notChecked(reason, without) }
      return DocumentImageCheck(
        reason: reason, status: isWrong ? .failed : .passed, value: nil, unit: "", limit: nil,
        text: isWrong ? advice : "")
    }
    let noZone = "Not checked: without a machine readable zone it is not known where the document lies."
    return [
      checked(
        .blackWhiteCopy, measures?.colourSpread, "level", limit: minimumColourSpread,
        failsAbove: false, advice: "The document has no colour: photograph the document itself, not a copy.",
        without: noZone),
      notChecked(.colourPhotocopy, "Not checked: there are no photos of colour copies to measure this on."),
      notChecked(.digitalCopy, "Not checked: there are no photos of documents on displays to measure this on."),
      told(
        .notReadable, isWrong: isRead.map { !$0 },
        advice: "There is a machine readable zone, but it cannot be read: come closer, and hold still.",
        without: "Not checked: no machine readable zone was found."),
      told(
        .noDocument, isWrong: isRead != nil ? false : hasFace ? nil : true,
        advice: "Neither a machine readable zone nor a portrait: photograph the page with the portrait.",
        without: "Not checked: there is a face and no machine readable zone, as on a card's front and on any photo."),
      notChecked(.missingBack, "Not checked: one picture does not tell whether the document has another side."),
      checked(
        .blurry, measures?.edgeWidth, "cap height", limit: maximumEdgeWidth,
        advice: "The text is blurred: hold still, let the camera focus, come closer.", without: noZone),
      checked(
        .missingPart, place?.frame.shareOutside(width: picture.width, height: picture.height), "share",
        limit: maximumOutside,
        advice: "A part of the document lies outside the picture: show it whole.", without: noZone),
      notChecked(.hiddenPart, "Not checked: what lies on a document cannot be told from what is printed on it."),
      notChecked(.damaged, "Not checked: there are no photos of damaged documents to measure this on."),
      checked(
        .glare, measures?.glare, "share", limit: maximumGlare,
        advice: "Light is reflected by the document: tilt it, or move the lamp.",
        without: place == nil ? noZone : "Not checked: the paper is about as bright as glare."),
    ]
  }
}
