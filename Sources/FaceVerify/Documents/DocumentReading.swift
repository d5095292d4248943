/// Everything that was read from one document: its pages, its chip, and what they say together.
public struct DocumentReading: Sendable {
  /// The portrait that a selfie is compared with.
  public struct Portrait: Sendable {
    /// The portrait's file: of the chip as it is stored, of a page as a PNG that was cut out.
    public let bytes: [UInt8]
    /// How far it is trusted.
    public let trust: PortraitTrust
    /// Its quality, and its template unless its quality is refused.
    public let sample: FaceSample
  }

  /// What each photo shows, in the order given.
  public let pages: [DocumentPage]
  /// The page's machine readable zone, as it was read or typed; nil if there is none.
  public let zone: MachineReadableZone?
  /// nil if no chip was given.
  public let chip: DocumentChip?
  /// The chip's portrait, or the page's if there is no chip; nil if there is none with a face.
  public let portrait: Portrait?
  /// Why there is no portrait, or why it is not the chip's; nil if all is well.
  public let portraitProblem: String?
  public let report: DocumentReaderReport
  /// The day for which all was judged.
  public let date: CalendarDate

  init(
    pages: [DocumentPage], zone: MachineReadableZone?, chip: DocumentChip?, portrait: Portrait?,
    portraitProblem: String?, report: DocumentReaderReport, date: CalendarDate
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
  public init(_ zone: MachineReadableZone, on date: CalendarDate) throws {
    let report = DocumentReaderReport(
      optical: OpticalMRZ(text: zone), chip: nil, portrait: nil, on: date,
      configuration: try DocumentReaderConfiguration(readRFID: false))
    self.init(pages: [], zone: zone, chip: nil, portrait: nil, portraitProblem: nil, report: report, date: date)
  }
}
