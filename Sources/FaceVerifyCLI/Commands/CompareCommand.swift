import ArgumentParser
import FaceVerify

struct CompareCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Decide whether a selfie shows the person of a portrait, or the holder of a document.",
    discussion: """
      Each side is a photo or a template made by `faceverify template`, known by
      its content. Photos are \(PictureFormat.list).
      A template's quality was judged when it was made. In place of the portrait,
      --chip takes that of a passport's chip, and --document that of a photo of
      its page; the result says how far the portrait itself is trusted. A chip
      that was altered or lacks a file, and a document with a failed check or
      that has expired, is refused, whatever the faces say.

      Examples:
        faceverify compare selfie.jpg portrait.jpg
        faceverify compare selfie.jpg portrait.jpg --fmr 1e-4
        faceverify compare selfie.jpg portrait.jpg --annotate decision.png
        faceverify compare selfie.jpg chip.jp2 --portrait chip --json
        faceverify compare selfie.jpg enrolled.fvt
        faceverify compare selfie.jpg --chip chip/ --trust csca/
        faceverify compare selfie.jpg --document passport.jpg

      \(ExitStatus.help)
      """, helpNames: .long)

  @Argument(help: "The photo, or template, of the person who is here.", completion: .file())
  var selfie: String

  @Argument(help: "The photo, or template, of the person it should be.", completion: .file())
  var portrait: String?

  @Option(
    help: ArgumentHelp("Compare with the chip whose files are in this folder.", valueName: "folder"),
    completion: .directory)
  var chip: String?

  @Option(help: ArgumentHelp("Compare with the document on this photo.", valueName: "file"), completion: .file())
  var document: String?

  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption

  @Option(
    help: ArgumentHelp(
      "Decide at this false-match rate, 1e-2 to 1e-5: that share of strangers would match.", valueName: "rate"))
  var fmr = RateOption(rate: .oneIn1000)

  @Option(help: ArgumentHelp("How good the selfie must be: selfie, document or chip.", valueName: "policy"))
  var policy: PolicyOption = .selfie

  @Option(
    name: .customLong("portrait"),
    help: ArgumentHelp("What the portrait is: document, chip or selfie.", valueName: "policy"))
  var portraitPolicy: PolicyOption = .document

  @Option(help: ArgumentHelp("Draw both photos and the decision into a PNG file.", valueName: "file"))
  var annotate: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    guard (portrait == nil) != (chip == nil && document == nil) else {
      throw ValidationError("name one portrait, or a document with --chip, --document or both")
    }
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    let a = try input(selfie)
    var rules = ComparisonPolicy()
    rules.selfie = policy.policy
    rules.portrait = portraitPolicy.policy
    rules.falseMatchRate = fmr.rate
    if let portrait {
      let b = try input(portrait)
      let decision = try engine.engine().compare(selfie: a, portrait: b, policy: rules, budget: budget)
      let outcome = (decision.result, decision.reasons)
      try console.write(output.json ? decision.json : text(decision, outcome, portrait, on: console))
      if let annotate { try RegularFile.write(sheet(decision, outcome, a, b, portrait).encodedAsPNG(), to: annotate) }
      return status(decision.result)
    }
    let engine = try engine.engine()
    let reading = try engine.readDocument(
      pages: document.map { [try Photo(path: $0, limits: photo.limits)] } ?? [],
      chip: chip.map { try ChipFiles(folder: $0) },
      trust: trust.store(on: console), authentication: trust.policy, date: DateTime(date.day()), budget: budget)
    let decision = try engine.compare(selfie: a, document: reading, policy: rules, budget: budget)
    let name = [chip, document].compactMap { $0 }.joined(separator: " and ")
    let outcome = (decision.result, decision.reasons)
    try console.write(
      output.json
        ? decision.json
        : text(decision.comparison, outcome, name, on: console)
          + DocumentText.text(reading, names: document.map { [$0] } ?? [], on: console))
    if let annotate, let portrait = reading.portrait {
      let b = FaceInput.photo(try Photo(bytes: portrait.bytes))
      try RegularFile.write(sheet(decision.comparison, outcome, a, b, name).encodedAsPNG(), to: annotate)
    }
    return status(decision.result)
  }

  private func input(_ path: String) throws -> FaceInput {
    let input = try FaceInput(path: path, limits: photo.limits)
    guard case .photo(let photo) = input else { return input }
    return .photo(photo.keepingPictures(if: annotate != nil))
  }

  private func status(_ result: FaceDecision.Result) -> ExitStatus {
    switch result {
    case .match: .done
    case .noMatch: .noMatch
    case .refused: .refused
    }
  }

  /// The result and the reasons, including those of a document.
  private typealias Outcome = (result: FaceDecision.Result, reasons: [FaceDecision.Reason])

  private func title(_ decision: FaceDecision, _ outcome: Outcome) -> String {
    outcome.result == decision.result ? DecisionText.title(decision) : "refused: the document is not to be trusted"
  }

  private func text(_ decision: FaceDecision, _ outcome: Outcome, _ portrait: String, on console: Console) -> String {
    var text = console.styled(title(decision, outcome), DecisionText.style(outcome.result)) + "\n"
    var table = Table()
    for (name, value) in DecisionText.lines(decision) { table.add(.init(name, .faint), .init(value)) }
    for (name, path, side) in [
      ("selfie", selfie, decision.selfie), ("portrait", portrait, decision.portrait),
    ] {
      table.add(.init(name, .faint), .init("\(path): \(DecisionText.describe(side))"))
      for warning in side.sample?.warnings ?? [] { table.add(.init(""), .init(warning.text)) }
      if let choice = side.sample?.choice { table.add(.init(""), .init(choice)) }
    }
    for reason in outcome.reasons where reason.code != "score-beyond-threshold" {
      table.add(.init(outcome.result == .refused ? "reason" : "note", .caution), .init(reason.text))
    }
    text += table.text(indent: 2, on: console)
    return text
  }

  private func sheet(
    _ decision: FaceDecision, _ outcome: Outcome, _ a: FaceInput, _ b: FaceInput, _ portrait: String
  ) throws -> PixelBuffer {
    let colour = DecisionText.colour(outcome.result)
    let size = Sheet.double
    let pictures = try [(a, decision.selfie), (b, decision.portrait)].map { input, side in
      guard case .photo(let photo) = input else {
        return try Sheet.blank("template: no picture", width: size.width / 2, height: size.height / 2)
      }
      var marks = try FaceMarks(photo, width: size.width, height: size.height)
      marks.draw(side.sample?.faces ?? [], colour: colour)
      return marks.picture
    }
    let captions = [(selfie, decision.selfie), (portrait, decision.portrait)].map {
      "\(FileName.last($0)): \(DecisionText.describe($1))"
    }
    var lines = [Sheet.Line(text: title(decision, outcome), colour: colour, isTitle: true)]
    lines += DecisionText.scores(decision).map { .init(name: $0, text: $1) }
    lines += outcome.reasons.filter { $0.code != "score-beyond-threshold" }.map {
      .init(text: $0.text, colour: FaceMarks.Colour.caution)
    }
    return try Sheet.make(pictures, captions: captions, lines: lines)
  }
}
