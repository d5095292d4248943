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
    /// Portraits of several documents are in the picture.
    public static let severalDocuments = Reason(rawValue: "several-documents")
    /// The machine-readable zone is not printed in OCR-B.
    public static let wrongFont = Reason(rawValue: "wrong-font")
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
      .hiddenPart, .damaged, .glare, .severalDocuments, .wrongFont,
    ]
  }

  public let reason: Reason
  /// ``CheckStatus/failed`` if the picture should be rejected for this reason.
  public let status: CheckStatus
  /// The measured value in ``unit``; nil if nothing was measured, as for yes-or-no checks.
  public let value: Double?
  /// "level" (of 255), "share" (0 to 1), "score" (0 to 1), "cap height" or "pixel/mm"; empty if nothing was measured.
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
  /// The share of the page that may be outside: an outline derived from the zone is off by some millimetres.
  private static let maximumOutside = 0.06
  /// The score above which a document is a copy. (Chosen: none of 44 simulated photos of held documents is above it.)
  private static let maximumCopyScore = 0.85
  /// The score above which a zone is not in OCR-B. (Chosen: above it are 633 of 712 simulated zones in fonts that were not
  /// used for training, 0 of 588 in OCR-B, and no specimen in OCR-B; one on a bent page has 0.65.)
  private static let maximumFontScore = 0.7
  /// Pixels of the photo per millimetre below which a page without a legible zone is too small: characters of a zone are
  /// then 6 pixels wide (2.54 mm each, ICAO 9303-3, 4.2.1).
  private static let minimumResolution = 2.4

  /// Returns all checks of one picture, in a fixed order.
  ///
  /// - Parameters:
  ///   - zone: the zone that was read.
  ///   - frame: the document's outline, derived from the zone or found by its edges.
  ///   - resolution: the pixels of the photo per millimetre of the document; nil without an outline.
  ///   - isRead: whether the zone could be read; nil without a zone.
  ///   - copies: how likely the document is a copy; nil if it was not measured.
  ///   - hasOthers: whether there are further documents with a portrait; nil if this one's edges or portrait were not
  ///     found.
  ///   - otherFont: how likely the zone is not in OCR-B; nil if it was not measured.
  static func all(
    picture: PixelBuffer, zone: ZoneReading?, frame: PageOutline?, resolution: Double?, isRead: Bool?, hasFace: Bool,
    copies: CopyDetector.Scores?, hasOthers: Bool? = nil, otherFont: Double? = nil
  ) -> [DocumentImageCheck] {
    let measures = frame.map { frame in
      PageMeasures(page: frame.rectified(picture, resolution: min(4, frame.scale)), zone: zone, in: picture)
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
    let noFrame = "Not checked: neither a machine-readable zone nor the edges of the document were found."
    // Without a legible zone, too few pixels are a reason of their own.
    let isTooSmall = zone == nil && resolution.map { $0 < minimumResolution } == true
    let isTooCoarse = resolution.map { $0 < CopyDetector.minimumResolution } == true
    func copy(_ reason: Reason, _ score: Double?, advice: String) -> DocumentImageCheck {
      measured(
        reason, score, "score", limit: maximumCopyScore, advice: advice + " Photograph the document itself.",
        without: frame == nil
          ? noFrame
          : isTooCoarse
            ? "Not checked: the document is too small in the picture for this."
            : "Not checked: too little of the document is in the picture.")
    }
    return [
      measured(
        .blackWhiteCopy, measures?.colourSpread, "level", limit: minimumColourSpread, isWrong: (<),
        advice: "The document has no colour: photograph the document itself, not a copy.", without: noFrame),
      copy(.colourPhotocopy, copies?.print, advice: "The document looks like a print."),
      copy(.digitalCopy, copies?.display, advice: "The document looks like one on a display."),
      isTooSmall
        ? measured(
          .notReadable, resolution, "pixel/mm", limit: minimumResolution, isWrong: (<),
          advice: "The document is too small in the picture: come closer.", without: "")
        : check(
          .notReadable, isWrong: isRead.map { !$0 },
          advice: "There is a machine-readable zone, but it cannot be read: come closer, and hold still.",
          without: "Not checked: no machine-readable zone was found."),
      check(
        .noDocument, isWrong: isRead != nil || hasFace && frame != nil ? false : hasFace || frame != nil ? nil : true,
        advice: "Neither a machine-readable zone nor a portrait: photograph the page with the portrait.",
        without: hasFace
          ? "Not checked: there is a face, but neither a machine-readable zone nor the edges of a document."
          : "Not checked: there are the edges of a document, but neither a machine-readable zone nor a portrait."),
      check(.missingBack, without: "Not checked: one picture does not show whether the document has another side."),
      measured(
        .blurry, measures?.edgeWidth, "cap height", limit: maximumEdgeWidth,
        advice: "The text is blurred: hold still, let the camera focus, come closer.",
        without: "Not checked: this is measured on the characters of a machine-readable zone."),
      measured(
        .missingPart, frame?.shareOutside(width: picture.width, height: picture.height), "share",
        limit: maximumOutside, advice: "A part of the document is outside the picture: show all of it.",
        without: noFrame),
      check(.hiddenPart, without: "Not checked: an object on a document cannot be distinguished from its print."),
      check(.damaged, without: "Not checked: there are no photos of damaged documents to measure this on."),
      measured(
        .glare, measures?.glare, "share", limit: maximumGlare,
        advice: "Light is reflected by the document: tilt it, or move the lamp.",
        without: frame == nil ? noFrame : "Not checked: the paper is about as bright as glare."),
      check(
        .severalDocuments, isWrong: hasOthers, advice: "There are several documents in the picture: show one.",
        without: "Not checked: the edges of a document with a portrait were not found."),
      measured(
        .wrongFont, otherFont, "score", limit: maximumFontScore,
        advice: "The machine-readable zone is not in the font OCR-B: photograph the original document, straight on.",
        without: zone == nil
          ? "Not checked: no machine-readable zone was read."
          : "Not checked: too few characters of the machine-readable zone are large and clear enough."),
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
