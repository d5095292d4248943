/// One thing that may be wrong with the picture of a document.
public struct DocumentImageCheck: Sendable {
  /// Why the picture of a document is rejected. The numbers are those of the identity-check kits that embedders know.
  public struct Reason: RawRepresentable, Sendable, Hashable, CaseIterable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 102: without colour, as a copy is.
    public static let blackWhiteCopy = Reason(rawValue: "black-white-copy")
    /// 103: a print of a document.
    public static let colourPhotocopy = Reason(rawValue: "colour-photocopy")
    /// 104: a document on a display.
    public static let digitalCopy = Reason(rawValue: "digital-copy")
    /// 200: there is a zone, but its characters cannot be told.
    public static let notReadable = Reason(rawValue: "not-readable")
    /// 201: nothing that looks like a document.
    public static let noDocument = Reason(rawValue: "no-document")
    /// 206: the side with the zone is not shown.
    public static let missingBack = Reason(rawValue: "missing-back")
    /// 2001
    public static let blurry = Reason(rawValue: "blurry")
    /// 2003: the document reaches beyond the picture.
    public static let missingPart = Reason(rawValue: "missing-part")
    /// 2004: something lies on it.
    public static let hiddenPart = Reason(rawValue: "hidden-part")
    /// 2005
    public static let damaged = Reason(rawValue: "damaged-document")
    /// 2006
    public static let glare = Reason(rawValue: "glare")

    public static let allCases: [Reason] = [
      .blackWhiteCopy, .colourPhotocopy, .digitalCopy, .notReadable, .noDocument, .missingBack, .blurry, .missingPart,
      .hiddenPart, .damaged, .glare,
    ]

    /// The number by which rejections are known: 102 to 2006.
    public var number: Int {
      [
        .blackWhiteCopy: 102, .colourPhotocopy: 103, .digitalCopy: 104, .notReadable: 200, .noDocument: 201,
        .missingBack: 206, .blurry: 2001, .missingPart: 2003, .hiddenPart: 2004, .damaged: 2005, .glare: 2006,
      ][self] ?? 0
    }
  }

  public let reason: Reason
  /// ``CheckStatus/failed`` if the picture is to be rejected for it.
  public let status: CheckStatus
  /// What was measured, in ``unit``; nil if nothing was, as where the answer is yes or no.
  public let value: Double?
  public let unit: String
  /// The check fails beyond it; nil if nothing was measured.
  public let limit: Double?
  /// One sentence: what to do, or why it was not checked.
  public let text: String
}
