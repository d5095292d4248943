import ArgumentParser
import CPage
import FaceVerify

struct CompareCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Decide whether a selfie shows the person of a portrait, or the holder of a document.",
    discussion: """
      Each side is a photo or a template made by `faceverify template`, detected by
      its content. The quality of a template was judged when it was made. With
      several portraits, the selfie is compared with each, and the worst result
      determines the exit code: 3 before 1 before 4 before 0.
      In place of the portrait, --chip takes that of a passport's chip, and
      --document that of a photo of its page; the result says how far the portrait
      is trusted. A chip that was altered or lacks a file, and a document with a
      failed check or that has expired, is refused, whatever the faces say.

      Examples:
        faceverify compare selfie.jpg portrait.jpg
        faceverify compare selfie.jpg portrait.jpg --fmr 1e-4
        faceverify compare selfie.jpg portrait.jpg --annotate decision.png
        faceverify compare selfie.jpg a.jpg b.jpg c.fvt --json
        faceverify compare selfie.jpg chip.jp2 --portrait-quality chip
        faceverify compare - enrolled.fvt < selfie.jpg
        faceverify compare selfie.jpg --chip chip/ --trust csca/
        faceverify compare selfie.jpg --document passport.jpg

      Exit codes:
        0  match, with every portrait
        1  no match
        2  usage error
        3  runtime error: no face, unreadable file, missing model, disk full...
        4  refused: a photo is not good enough, or the document is not trusted
      """, helpNames: .long)

  @Argument(help: "The photo, or template, of the person who is here.", completion: .file()) var selfie: String
  @Argument(help: "Photos, or templates, of the person it should be.", completion: .file()) var portraits: [String] = []
  @OptionGroup var chip: ChipOption
  @Option(help: .init("Compare with the document in this photo.", "file"), completion: .file()) var document: String?
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @OptionGroup var fmr: FMROption
  @OptionGroup var quality: QualityOption
  @Option(help: .init("Required quality of portraits, by their kind; default: document.", "kind"))
  var portraitQuality: Quality = .document
  @Option(help: .init("Draw both photos and the decision into a PNG file.", "file")) var annotate: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    try require(
      portraits.isEmpty != (chip.chip == nil && document == nil),
      "name portraits, or a document with --chip, --document or both")
    try require(annotate == nil || portraits.count <= 1, "--annotate takes one portrait, not \(portraits.count)")
  }

  func run(on console: Console) throws -> ExitStatus {
    // A heap for each thread that loads networks takes 6 MiB more, and no less time (benchmarks' photos, 2026-11).
    cpage_share_heap()
    let budget = time.budget()
    try console.prepare(annotate)
    let a = try input(selfie)
    var rules = ComparisonPolicy()
    (rules.selfie, rules.portrait, rules.falseMatchRate) = (quality.policy, portraitQuality.policy, fmr.rate)
    let engine = try engine.engine()
    if portraits.count > 1 {
      return try compare(
        engine.compare(
          selfie: a, portraits: portraits.map { path in { try input(path) } }, policy: rules, budget: budget),
        by: engine, on: console)
    }
    if let portrait = portraits.first {
      let b = try input(portrait)
      let decision = try engine.compare(selfie: a, portrait: b, policy: rules, budget: budget)
      try console.show(decision.jsonValue, text(decision, portrait, on: console))
      try console.save(sheet(decision, a, b, portrait).encodedAsPNG(), to: annotate)
      return decision.result.status
    }
    let reading = try engine.readDocument(
      pages: document.map { [try Input.photo($0, limits: photo.limits)] } ?? [], chip: chip.files(),
      trust: trust.store(on: console), authentication: trust.policy, date: DateTime(date.day()), budget: budget)
    let decision = try engine.compare(selfie: a, portrait: .document(reading), policy: rules, budget: budget)
    let name = [chip.chip, document].compactMap { $0 }.joined(separator: " and ")
    try console.show(
      decision.jsonValue,
      text(decision, name, on: console)
        + DocumentText.text(reading, names: document.map { [$0] } ?? [], on: console))
    if annotate != nil, let portrait = reading.portrait {
      let b = FaceInput.photo(try Photo(bytes: portrait.bytes))
      try console.save(sheet(decision, a, b, name).encodedAsPNG(), to: annotate)
    }
    return decision.result.status
  }

  private func input(_ path: String) throws -> FaceInput {
    let input = try Input.face(path, limits: photo.limits)
    guard case .photo(let photo) = input else { return input }
    return .photo(photo.keepingPictures(if: annotate != nil))
  }

  private func compare(
    _ decisions: [Result<FaceDecision, any Error>], by engine: FaceEngine, on console: Console
  ) throws -> ExitStatus {
    var results = PhotoResults(on: console)
    var table = Table()
    table.head(["result", "score", "similarity", "portrait"])
    for (portrait, decision) in zip(portraits, decisions) {
      do {
        let decision = try decision.get()
        let comparison = decision.comparison
        table.add(
          .init(decision.result.rawValue, decision.result.style),
          .init(comparison.map { Text.number($0.score, 2) } ?? "-", right: true),
          .init(comparison.map { Text.number($0.similarity, 0) } ?? "-", right: true), .init(portrait))
        for reason in reasons(decision.reasons) { table.add(.init(""), .init(""), .init(""), .init(reason.text)) }
        results.add(portrait, decision.result.status, "", decision.jsonValue)
      } catch {
        let error = VerifyError(any: error)
        results.add(portrait, VerifyError(error.code, error.message(naming: portrait)).advised)
      }
    }
    try console.show(
      [
        "version": .string(FaceVerifyVersion.string), "models": engine.modelVersion.jsonValue,
        "comparisons": .array(results.records),
      ], table.text(on: console))
    return results.status
  }

  /// Without the reason that the title states.
  private func reasons(_ all: [FaceDecision.Reason]) -> [FaceDecision.Reason] {
    all.filter { $0.code != "score-beyond-threshold" }
  }

  private func text(_ decision: FaceDecision, _ portrait: String, on console: Console) -> String {
    var table = Table()
    for (name, value) in DecisionText.lines(decision) { table.add(name, value) }
    for (name, path, side) in [("selfie", selfie, decision.selfie), ("portrait", portrait, decision.portrait)] {
      table.add(name, "\(Input.name(path)): \(DecisionText.describe(side))")
      for note in side.sample?.notes ?? [] { table.add("", note) }
    }
    for reason in reasons(decision.reasons) {
      table.add(.init(decision.result == .refused ? "reason" : "note", .caution), .init(reason.text))
    }
    return console.styled(DecisionText.title(decision), decision.result.style) + "\n"
      + table.text(indent: 2, on: console)
  }

  private func sheet(
    _ decision: FaceDecision, _ a: FaceInput, _ b: FaceInput, _ portrait: String
  ) throws -> PixelBuffer {
    let colour = decision.result.style.colour
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
    var lines = [Sheet.Line(text: DecisionText.title(decision), colour: colour, isTitle: true)]
    lines += DecisionText.scores(decision).map { .init(name: $0, text: $1) }
    lines += reasons(decision.reasons).map { .init(text: $0.text, colour: Style.caution.colour) }
    return try Sheet.make(pictures, captions: captions, lines: lines)
  }
}
