/// Everything that was read from one document: its pages, its chip, and what they say together.
public struct DocumentReading: Sendable {
  /// What each photo shows, in the order given.
  public let pages: [DocumentPage]
  /// The page's machine readable zone, as it was read or typed; nil if there is none.
  public let zone: MachineReadableZone?
  /// nil if no chip was given.
  public let chip: DocumentChip?
  /// The chip's portrait, or the page's if the chip has none; nil if there is none with a face.
  public let portrait: DocumentPortrait?
  /// Why there is no portrait, or why it is not the chip's; nil if all is well.
  public let portraitProblem: String?
  public let report: DocumentReport
  /// The day for which all was judged.
  public let date: CalendarDate

  init(
    pages: [DocumentPage], zone: MachineReadableZone?, chip: DocumentChip?, portrait: DocumentPortrait?,
    portraitProblem: String?, report: DocumentReport, date: CalendarDate
  ) {
    self.pages = pages
    self.zone = zone
    self.chip = chip
    self.portrait = portrait
    self.portraitProblem = portraitProblem
    self.report = report
    self.date = date
  }

  /// What a zone says that was given as text: nothing but its check digits vouches for it.
  public init(_ zone: MachineReadableZone, on date: CalendarDate) {
    self.init(
      pages: [], zone: zone, chip: nil, portrait: nil, portraitProblem: nil,
      report: DocumentReport(page: PageZone(text: zone), chip: nil, on: date), date: date)
  }
}

/// The holder's portrait, which a selfie is compared with. How far it is trusted follows from where it comes from: one
/// of the chip as far as the chip (``PassiveAuthentication/verdict``), one of a page not at all.
public struct DocumentPortrait: Sendable {
  public enum Source: String, Sendable, Codable, CaseIterable {
    /// Stored on the chip.
    case chip
    /// Cut out of a photo of the page: nothing tells whether the page is genuine.
    case page
  }

  public let source: Source
  /// The portrait's file: of the chip as it is stored, of a page as a PNG that was cut out, upright.
  public let bytes: [UInt8]
  /// Its quality, and its template unless the quality policy refuses it. The SHA-256 in it is that of ``bytes``.
  public let sample: FaceSample
}

/// Whether a person is the holder of a document: what the faces say, and how far the portrait is trusted.
public struct DocumentDecision: Sendable {
  /// What the comparison of the faces says by itself.
  public let comparison: FaceDecision
  public let document: DocumentReading

  /// The result of the comparison, but never a match with the portrait of a chip that is not genuine, or not in date.
  public var result: FaceDecision.Result {
    document.portrait?.source == .chip && document.chip?.authentication.status == .failed
      ? .refused : comparison.result
  }

  /// The reasons of the comparison, and what there is to know about the portrait: "document.portrait-page", or
  /// "document.portrait-" and the verdict on the chip.
  public var reasons: [FaceDecision.Reason] {
    guard let portrait = document.portrait else { return comparison.reasons }
    guard portrait.source == .chip, let authentication = document.chip?.authentication else {
      return [
        .init(
          code: "document.portrait-page",
          text: "The portrait is from a photo of the page: nothing tells whether the page is genuine.")
      ] + comparison.reasons
    }
    let why = authentication.explanation
    let text: String
    switch authentication.verdict {
    case .authentic:
      return
        (authentication.outOfDate.map { why in
          [.init(code: "document.chip-out-of-date", text: "The chip is genuine, but not in date: \(why).")]
        } ?? []) + comparison.reasons
    case .validWithoutAnchor: text = "Nobody vouches for the chip's portrait: \(why)."
    case .invalid: text = "The chip's portrait proves nothing: \(why)."
    default: text = "The chip's portrait could not be authenticated: \(why)."
    }
    return [.init(code: "document.portrait-\(authentication.verdict.rawValue)", text: text)] + comparison.reasons
  }
}
