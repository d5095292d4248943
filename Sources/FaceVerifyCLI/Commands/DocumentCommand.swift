import ArgumentParser
import FaceVerify

struct DocumentCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "document",
    abstract: "Read a document from photos of its pages, its chip, or a licence's code.",
    discussion: """
      Pages may be turned as they like; name several if the portrait and the
      zone are on different sides. Every field has passed (a check digit, a sure
      reading or the chip's signature vouches for it), failed (do not use it) or
      is not checked.

      --back is a photo of the back of a North American driving licence, whose
      code is read; --code is a file with what that code holds, as a scanner
      gave it. A photo of the front then adds the portrait.

      A document passes if its chip is authentic; a page alone, or a licence,
      whose code carries no signature, passes only with --accept.

      Exit code 0 if the document passed; 1 if a field is wrong, the document has
      expired, page and chip differ, the chip lacks a file or is not genuine; 3 if
      nothing could be read; 4 if not all could be checked.

      Examples:
        faceverify document passport.jpg
        faceverify document front.jpg back.jpg --annotate marked.png
        faceverify document passport.jpg --chip chip/ --trust csca/ --json
        faceverify document passport.jpg --portrait portrait.png --image page.png
        faceverify document front.jpg --back back.jpg
        faceverify document --code payload.bin
        faceverify document front.jpg --code payload.bin --json
        faceverify document passport.jpg --accept page-only
      """, helpNames: .long)

  @Argument(help: "Photos of the document's pages.", completion: .file())
  var pages: [String] = []

  @Option(help: ArgumentHelp("A folder with the chip's files.", valueName: "folder"), completion: .directory)
  var chip: String?

  @Option(
    help: ArgumentHelp("A photo of a driving licence's back, whose code is read.", valueName: "file"),
    completion: .file())
  var back: String?

  @Option(
    help: ArgumentHelp("A file with the bytes of the code on a driving licence's back.", valueName: "file"),
    completion: .file())
  var code: String?

  @Option(help: ArgumentHelp("Draw what was found into a PNG file.", valueName: "file"))
  var annotate: String?

  @Option(help: ArgumentHelp("Write the portrait that was found into a file.", valueName: "file"))
  var portrait: String?

  @Option(
    help: ArgumentHelp("Write the document, cut out of its photo and upright, into a PNG file.", valueName: "file"))
  var image: String?

  @OptionGroup var acceptance: AcceptOption
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    if pages.isEmpty && (back ?? code) == nil {
      throw ValidationError("Name photos of the document's pages, or a licence's --back or --code.")
    }
    if pages.isEmpty && (annotate ?? portrait ?? image) != nil {
      throw ValidationError("--annotate, --portrait and --image need photos of the document's pages.")
    }
    if [chip, back, code].count(where: { $0 != nil }) > 1 {
      throw ValidationError("Give one of --chip, --back and --code.")
    }
  }

  /// The content of a licence's code; nil if none was given.
  private func payload(_ budget: Budget) throws -> [UInt8]? {
    guard let back else { return try code.map { try RegularFile.read(path: $0, maximumBytes: 1 << 16) } }
    let seen = try CodeReader(formats: [.pdf417]).read(Photo(path: back, limits: photo.limits), budget: budget)
    guard let found = seen.readings.first else {
      throw VerifyError(.unreadable, "\(back): \(seen.fault?.advice ?? "")")
    }
    return found.bytes
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    let payload = try payload(budget)
    if pages.isEmpty, let payload {
      // Without pictures no models are needed.
      let day = try date.day()
      let reading = DocumentReading(
        try DrivingLicence(payload: payload, on: day), accepted: acceptance.kinds, on: day)
      try console.write(output.json ? reading.json : DocumentText.text(reading, names: [], on: console))
      return DocumentText.status(reading.report)
    }
    let isNeededAgain = annotate != nil || image != nil
    let photos = try pages.map {
      try Photo(path: $0, limits: photo.limits).keepingPictures(if: isNeededAgain)
    }
    let files = try chip.map { try ChipFiles(folder: $0) }
    let reading = try engine.engine().readDocument(
      pages: photos, chip: files, code: payload, trust: trust.store(on: console), authentication: trust.policy,
      date: DateTime(date.day()), accepted: acceptance.kinds, budget: budget)
    try console.write(output.json ? reading.json : DocumentText.text(reading, names: pages, on: console))
    if let portrait {
      guard let found = reading.portrait else {
        throw VerifyError(.noFace, reading.portraitProblem ?? "there is no portrait to write")
      }
      try RegularFile.write(found.bytes, to: portrait)
    }
    if let image {
      let cut = try zip(reading.pages, photos).lazy.compactMap { page, photo in try page.image(from: photo) }.first
      guard let cut else {
        throw VerifyError(.unreadable, "without a machine readable zone it is not known where the document lies")
      }
      try RegularFile.write(cut.encodedAsPNG(), to: image)
    }
    if let annotate {
      try RegularFile.write(DocumentSheet.make(reading, photos: photos, names: pages).encodedAsPNG(), to: annotate)
    }
    return DocumentText.status(reading.report)
  }
}
