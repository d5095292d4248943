import ArgumentParser
import FaceVerify

struct DocumentCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "document", abstract: "Read a document from photos of its pages, its chip, or a code.",
    discussion: """
      Pages may be rotated; name several if the portrait and the zone are on
      different sides. Every field is passed (supported by a check digit, a certain
      reading or the chip's signature), failed (do not use it) or not checked.

      --back is a photo of the back of a North American driving licence, whose
      code is read; --code is a file with the content of that code, from a
      scanner. A photo of the front adds the portrait.

      The visible digital seal of a visa or an emergency travel document is read
      from a photo of its page, or with --code from a scanner. It is verified with
      the certificates in the --trust folder: its signer's, and the CSCA's. A seal
      that is wrong fails the document; a right one is reported.

      A document passes if its chip is authentic; a page alone, or a licence,
      whose code carries no signature, passes only with --accept.

      Examples:
        faceverify document passport.jpg
        faceverify document front.jpg back.jpg --annotate marked.png
        faceverify document passport.jpg --chip chip/ --trust csca/ --json
        faceverify document passport.jpg --save-portrait face.png --save-page page.png
        faceverify document card.jpg --text
        faceverify document front.jpg --back back.jpg
        faceverify document --code payload.bin
        faceverify document front.jpg --code payload.bin --json
        faceverify document passport.jpg --accept page-only
        faceverify document visa.jpg --trust csca/
        faceverify document --code - < payload.bin

      Exit codes:
        0  passed
        1  a field is wrong, the document has expired, page and chip differ, the
           chip lacks a file or is not genuine, the seal is not genuine or of
           another document
        2  usage error
        3  runtime error, or no document was found
        4  not checked: something is not proved, or the code was not read
      """, helpNames: .long)

  @Argument(help: "Photos of the document's pages.", completion: .file()) var pages: [String] = []
  @OptionGroup var chip: ChipOption
  @Option(help: .init("A photo of a driving licence's back, whose code is read.", "file"), completion: .file())
  var back: String?
  @Option(
    help: .init("A file with the bytes of the code on a driving licence's back, or of a seal.", "file"),
    completion: .file())
  var code: String?
  @Flag(help: "Read the printed text of the pages, and compare it with the machine-readable data.") var text = false
  @Option(help: .init("Draw what was found into a PNG file.", "file")) var annotate: String?
  @Option(help: .init("Write the portrait into a file.", "file")) var savePortrait: String?
  @Option(help: .init("Write the page, cropped and upright, into a PNG file.", "file")) var savePage: String?
  @OptionGroup var acceptance: AcceptOption
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    try require(
      !pages.isEmpty || (back ?? code) != nil, "name photos of the document's pages, or --back or --code")
    try require(
      !pages.isEmpty || (annotate ?? savePortrait ?? savePage) == nil && !text,
      "--text, --annotate, --save-portrait and --save-page need photos of the document's pages")
    try require([chip.chip, back, code].count { $0 != nil } <= 1, "name one of --chip, --back and --code")
  }

  /// The content of a code; nil if none was given, or none can be read from its photo, which is reported.
  private func payload(_ budget: Budget, on console: Console) throws -> [UInt8]? {
    guard let back else { return try code.map { try Input.bytes($0, maximumBytes: 1 << 16) } }
    let seen = try CodeReader(formats: [.pdf417], modelsFolder: engine.folder.named)
      .read(Input.photo(back, limits: photo.limits), budget: budget)
    if seen.readings.isEmpty { console.warn("\(back): \((seen.fault ?? .noneThere).advice)") }
    return seen.readings.first?.bytes
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    try console.prepare(annotate, savePortrait, savePage)
    let payload = try payload(budget, on: console)
    if back != nil && payload == nil {
      if console.isJSON { try console.write(VerifyError(.unreadable, "\(back ?? ""): no code was read").json) }
      return .refused
    }
    if pages.isEmpty, let payload {
      // Without pictures no models are needed.
      let day = try date.day()
      let reading =
        DigitalSeal.isSeal(payload)
        ? try DocumentReading(
          seal: payload, trust: trust.store(on: console), authentication: trust.policy, date: DateTime(day))
        : DocumentReading(
          try DrivingLicence(payload: payload, on: day), accepted: Set(acceptance.accepted), on: day)
      try console.show(reading.jsonValue, DocumentText.text(reading, names: [], on: console))
      return DocumentText.status(reading.report)
    }
    let isNeededAgain = annotate != nil || savePage != nil
    let photos = try pages.map { try Input.photo($0, limits: photo.limits).keepingPictures(if: isNeededAgain) }
    let files = try chip.files()
    let reading = try engine.engine().readDocument(
      pages: photos, chip: files, code: payload, trust: trust.store(on: console), authentication: trust.policy,
      date: DateTime(date.day()), accepted: Set(acceptance.accepted), readsText: text, budget: budget)
    try console.show(reading.jsonValue, DocumentText.text(reading, names: pages, on: console))
    if savePortrait != nil {
      guard let found = reading.portrait else {
        throw VerifyError(.noFace, reading.portraitProblem ?? "the document shows no portrait")
      }
      try console.save(found.bytes, to: savePortrait)
    }
    if savePage != nil {
      let cut = try zip(reading.pages, photos).lazy.compactMap { page, photo in try page.image(from: photo) }.first
      guard let cut else {
        throw VerifyError(
          .unreadable, "no page can be cropped: neither a machine-readable zone nor the edges of a document were found")
      }
      try console.save(cut.encodedAsPNG(), to: savePage)
    }
    try console.save(DocumentSheet.make(reading, photos: photos, names: pages).encodedAsPNG(), to: annotate)
    return DocumentText.status(reading.report)
  }
}
