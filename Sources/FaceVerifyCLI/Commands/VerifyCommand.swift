import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct VerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify a person: alive, present, and the holder of the document.",
    discussion: """
      The selfie is a video in which the person answers --script or --nonce. A
      video without them passes only with --policy passive-only, and a photo only
      with --presence photo. The person is compared with a chip, with photos of
      the document (of a card or a driving licence: the front, then the back), or
      with a portrait. A document without an authenticated chip passes only with
      --accept. What was not checked has not passed.

      Examples:
        faceverify verify --selfie clip.mp4 --script blink,left --chip chip/ \\
          --trust csca/
        faceverify verify --selfie clip.mp4 --script blink,left \\
          --document passport.jpg --accept page-only
        faceverify verify --selfie clip.mp4 --policy passive-only \\
          --portrait enrolled.fvt
        faceverify verify --selfie selfie.jpg --presence photo \\
          --portrait portrait.jpg --json
        faceverify verify --selfie clip.mp4 --script blink,left \\
          --portrait photo.jpg --html check.html
        faceverify keys new signing.pem
        faceverify verify --selfie clip.mp4 --script blink,left --chip chip/ \\
          --trust csca/ --record record.json --signing-key signing.pem
        faceverify record verify record.json --trusted-key signing.pub.pem

      Exit codes:
        0  passed: everything requested is proved
        1  failed: a presentation attack, another person, or a failed document
        2  usage error
        3  runtime error: unreadable file, missing model, disk full...
        4  not checked: something is not proved; the first line says what
        5  passed with --presence photo: presence was not proved
      """, helpNames: .long)

  @Option(help: .init("The video or photo of the person.", valueName: "file"), completion: .file())
  var selfie: String?
  @OptionGroup var chip: ChipOption
  @Option(
    help: .init(
      "A photo of the document's page; of a card's or licence's front and back, in this order.", valueName: "file"),
    completion: .file())
  var document: [String] = []
  @Option(help: .init("A photo or template of the person it should be.", valueName: "file"), completion: .file())
  var portrait: String?
  @OptionGroup var fmr: FMROption
  @Option(
    help: .init(
      "The minimum presence that passes: \(PresenceOption.names); default: challenge-answered, with --policy passive-only "
        + "passive-video.", valueName: "level"))
  var presence: PresenceOption?
  @OptionGroup var acceptance: AcceptOption
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var request: NonceOptions
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @Option(help: .init("Write a report with pictures into an HTML file.", valueName: "file"))
  var html: String?
  @Option(help: .init("Write a signed record of the decision.", valueName: "file"))
  var record: String?
  @Option(help: .init("The private key that signs the record (`faceverify keys new`).", valueName: "file"))
  var signingKey: String?
  @Option(help: .init("Write the evidence, frames and files, encrypted for --recipient.", valueName: "file"))
  var evidence: String?
  @Option(
    help: .init(
      "The public key that the evidence is encrypted for (`faceverify keys new --encryption`).", valueName: "file"))
  var recipient: String?
  @Option(help: .init("Your identifier of this check, at most 100 characters, in the record.", valueName: "text"))
  var reference: String?
  @Flag(help: "Include the document's personal data in the record.")
  var personal = false
  @Flag(help: .init("Print the states and calls of a journey as a Mermaid diagram.", visibility: .private))
  var states = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    guard !states else { return }
    guard selfie != nil else { throw ValidationError("name the person's video or photo with --selfie") }
    guard (portrait == nil) != (chip.chip == nil && document.isEmpty) else {
      throw ValidationError("name one: --portrait FILE, or a document with --chip, --document or both")
    }
    guard (record == nil && evidence == nil) == (signingKey == nil) else {
      throw ValidationError(
        "a record needs the key that signs it: `faceverify keys new signing.pem`, then --signing-key signing.pem")
    }
    guard (evidence == nil) == (recipient == nil) else {
      throw ValidationError("--evidence needs --recipient, the public key of the reader")
    }
  }

  func run(on console: Console) throws -> ExitStatus {
    if states {
      try console.write(JourneyTable.diagram)
      return .done
    }
    try console.prepare(html, record, evidence)
    if evidence == "-" { throw ValidationError("evidence cannot be written to standard output") }
    let signer = try signingKey.map { try SigningKey(PrivateKey(path: $0)) }
    let engine = try engine.engine()
    let archive = try VerifyArchive(path: evidence, recipient: recipient)
    var run = try VerifyRun(configuration(on: console, engine), engine: engine, archive: archive)
    let result = try run.result(
      selfie: selfie ?? "", pages: document, chip: chip.chip, isPhoto: isPhoto, on: console)
    try console.show(run.journey.recordBody(), VerifyText.text(result, on: console))
    if let signer {
      let record = try DecisionRecord(body: run.journey.recordBody(), signedBy: signer)
      try console.save(record.bytes, to: self.record)
      try archive.finish(record)
    }
    try console.save(VerifyPage(result, run, names: names).text.utf8, to: html, permissions: 0o600)
    return VerifyText.status(result)
  }

  private var isPhoto: Bool { selfie.map(Input.isPhoto) ?? false }
  private var names: VerifyPage.Names {
    .init(selfie: selfie ?? "", portrait: portrait ?? chip.chip ?? document.first ?? "", reference: reference)
  }

  private func configuration(on console: Console, _ engine: FaceEngine) throws -> JourneyConfiguration {
    var configuration = JourneyConfiguration()
    let isPhoto = isPhoto
    let nonce = try request.bytes()
    if isPhoto && (liveness.script != nil || !nonce.isEmpty) {
      throw ValidationError("a photo cannot answer a script")
    }
    let policy = liveness.named(isPhoto: isPhoto)?.name
    if isPhoto, let name = policy, name != "photo" {
      throw ValidationError("a photo is judged by the policy photo, not by \(name)")
    }
    let mode: ScanMode =
      isPhoto
      ? .faceManual
      : policy == "strict"
        ? .strict : liveness.script != nil || !nonce.isEmpty ? .liveness : .passive
    configuration.faceModes = [mode]
    configuration.assurance.presence =
      presence?.level ?? (policy == "passive-only" ? .passiveVideo : .challengeAnswered)
    configuration.assurance.accepted = acceptance.kinds
    configuration.maximumTries = 1
    if !nonce.isEmpty { configuration.nonce = nonce }
    configuration.challengeCount = request.challenges
    configuration.script = try liveness.script.map(LivenessOptions.script)
    configuration.isMirrored = liveness.mirrored
    configuration.rotation = liveness.rotation
    configuration.timeout = JourneyConfiguration.timeouts.upperBound
    configuration.comparison.falseMatchRate = fmr.rate
    configuration.trust = try trust.store(on: console)
    configuration.authentication = trust.policy
    configuration.date = try date.day()
    configuration.userReference = reference
    configuration.recordsPersonalData = personal
    configuration.keepsPictures = html != nil
    configuration.givesInstantFeedback = false
    if let portrait {
      configuration.requests = [.init(.face)]
      configuration.portrait = try Input.face(portrait)
      return configuration
    }
    configuration.requests = [.init(.id), .init(.face)]
    configuration.documentModes = [.file]
    configuration.readsPages = !document.isEmpty
    configuration.readsChip = chip.chip != nil
    configuration.requiresChip = chip.chip != nil
    return configuration
  }
}

/// Stores the evidence of a journey, encrypted; nothing without a recipient.
final class VerifyArchive: Sendable {
  private let writer: Lock<EvidenceBundleWriter?>

  init(path: String?, recipient: String?) throws {
    guard let path, let recipient else {
      writer = Lock(nil)
      return
    }
    writer = Lock(try EvidenceBundleWriter(path: path, recipient: PublicKey(path: recipient)))
  }

  func add(_ input: JourneyInput, _ content: JourneyInput.Content) throws {
    try writer.withLock { writer in
      guard let writer else { return }
      switch content {
      case .picture(let picture):
        try writer.add(picture.encodedAsPNG(), as: EvidenceBundle.inputName(input.index, suffix: "rgb.png"))
      case .bytes(let bytes): try writer.add(bytes, as: EvidenceBundle.inputName(input.index, suffix: "bin"))
      }
    }
  }

  func finish(_ record: DecisionRecord) throws {
    try writer.withLock { writer in
      try writer?.add(record.bytes, as: EvidenceBundle.recordName)
      try writer?.finish()
    }
  }
}
