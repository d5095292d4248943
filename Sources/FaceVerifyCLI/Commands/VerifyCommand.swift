import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct VerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "The whole check in one: is this person alive, and the holder of this document?",
    discussion: """
      The selfie is a video in which the person answers --script or --nonce. A
      video without them passes only with --policy passive-only, and a photo only
      with --presence photo. Who the person should be is given by a chip, by
      photos of the document (of a card or a driving licence: the front, then the
      back), or by a portrait. A document without an authenticated chip passes
      only with --accept. What was not checked has not passed.

      Examples:
        faceverify verify --selfie clip.mp4 --script blink,left --chip chip/ --trust csca/
        faceverify verify --selfie clip.mp4 --script blink,left --document passport.jpg --accept page-only
        faceverify verify --selfie clip.mp4 --policy passive-only --portrait enrolled.fvt
        faceverify verify --selfie selfie.jpg --presence photo --portrait portrait.jpg --json
        faceverify verify --selfie clip.mp4 --script blink,left --portrait photo.jpg --report check.html
        faceverify keys new signing.pem
        faceverify verify --selfie clip.mp4 --script blink,left --chip chip/ --trust csca/ --record record.json --key signing.pem
        faceverify record verify record.json --key signing.pub.pem

      Exit codes:
        0  passed: everything that was asked for is proved
        1  failed: a presentation attack, another person, or a document with a failed check
        2  usage error
        3  runtime error: unreadable file, missing model, disk full...
        4  not checked: something is not proved; the first line says what
        5  passed with --presence photo: nobody was shown to be present
      """, helpNames: .long)

  @Option(help: ArgumentHelp("The video or photo of the person.", valueName: "file"), completion: .file())
  var selfie: String?
  @Option(help: ArgumentHelp("A folder with the chip's files.", valueName: "folder"), completion: .directory)
  var chip: String?
  @Option(
    help: ArgumentHelp(
      "A photo of the document's page; of a card's or licence's front and back, in this order.", valueName: "file"),
    completion: .file())
  var document: [String] = []
  @Option(
    help: ArgumentHelp("A photo or template of the person it should be.", valueName: "file"), completion: .file())
  var portrait: String?
  @Option(
    help: ArgumentHelp(
      "Decide at this false-match rate, 1e-2 to 1e-5: that share of strangers would match.", valueName: "rate"))
  var fmr = RateOption(rate: .oneIn1000)
  @Option(
    help: ArgumentHelp(
      "The least presence that passes: \(PresenceOption.names); default: challenge-answered, with --policy passive-only "
        + "passive-video.", valueName: "level"))
  var presence: PresenceOption?
  @OptionGroup var acceptance: AcceptOption
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var request: NonceOptions
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption

  @Option(help: ArgumentHelp("Write a report for people: one HTML file with pictures.", valueName: "file"))
  var report: String?
  @Option(help: ArgumentHelp("Write a signed record of the decision.", valueName: "file"))
  var record: String?
  @Option(help: ArgumentHelp("The private key that signs the record (`faceverify keys new`).", valueName: "file"))
  var key: String?
  @Option(help: ArgumentHelp("Write the evidence, frames and files, encrypted to --recipient.", valueName: "file"))
  var evidence: String?
  @Option(
    help: ArgumentHelp("Whose public key the evidence is encrypted to (`keys new --encryption`).", valueName: "file"))
  var recipient: String?
  @Option(help: ArgumentHelp("Your own name for this check, at most 100 characters, in the record.", valueName: "text"))
  var reference: String?
  @Flag(help: "The record has the document's personal data.")
  var personal = false
  @Flag(help: ArgumentHelp("Print which calls a journey takes when, as a Mermaid diagram.", visibility: .private))
  var states = false

  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    guard !states else { return }
    guard selfie != nil else { throw ValidationError("name the person's video or photo with --selfie") }
    guard (portrait == nil) != (chip == nil && document.isEmpty) else {
      throw ValidationError("name one: --portrait FILE, or a document with --chip, --document or both")
    }
    guard (record == nil && evidence == nil) == (key == nil) else {
      throw ValidationError(
        "a record needs the key that signs it: `faceverify keys new signing.pem`, then --key signing.pem")
    }
    guard (evidence == nil) == (recipient == nil) else {
      throw ValidationError("evidence needs --recipient, the public key of who may read it")
    }
  }

  func run(on console: Console) throws -> ExitStatus {
    if states {
      try console.write(JourneyTable.diagram)
      return .done
    }
    let signer = try key.map { try SigningKey(PrivateKey(path: $0)) }
    let engine = try engine.engine()
    let archive = try VerifyArchive(path: evidence, recipient: recipient)
    var run = try VerifyRun(configuration(on: console, engine), engine: engine, archive: archive)
    let result = try run.result(
      selfie: selfie ?? "", pages: document, chip: chip, isPhoto: isPhoto, on: console)
    try console.write(output.json ? try run.journey.recordBody().text : VerifyText.text(result, on: console))
    if let signer {
      let record = try DecisionRecord(body: run.journey.recordBody(), signedBy: signer)
      if let path = self.record { try RegularFile.write(record.bytes, to: path) }
      try archive.finish(record)
    }
    if let report {
      try RegularFile.write(Array(VerifyPage(result, run, names: names).text.utf8), to: report, permissions: 0o600)
    }
    return VerifyText.status(result)
  }

  private var isPhoto: Bool { selfie.map(FrameSource.isPhoto) ?? false }
  private var names: VerifyPage.Names {
    .init(selfie: selfie ?? "", portrait: portrait ?? chip ?? document.first ?? "", reference: reference)
  }

  private func configuration(on console: Console, _ engine: FaceEngine) throws -> JourneyConfiguration {
    var configuration = JourneyConfiguration()
    let isPhoto = isPhoto
    let nonce = try request.bytes()
    if isPhoto && (liveness.script != nil || !nonce.isEmpty) {
      throw ValidationError("A photo cannot answer a script.")
    }
    if isPhoto, let name = liveness.policy?.policy.name, name != "photo" {
      throw ValidationError("A photo is judged by the policy photo, not by \(name).")
    }
    let mode: ScanMode =
      isPhoto
      ? .faceManual
      : liveness.policy?.policy.name == "strict"
        ? .strict : liveness.script != nil || !nonce.isEmpty ? .liveness : .passive
    configuration.faceModes = [mode]
    configuration.assurance.presence =
      presence?.level ?? (liveness.policy?.policy.name == "passive-only" ? .passiveVideo : .challengeAnswered)
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
    configuration.keepsPictures = report != nil
    configuration.givesInstantFeedback = false
    if let portrait {
      configuration.requests = [.init(.face)]
      switch try FaceInput(path: portrait) {
      case .photo(let photo): configuration.portrait = .photo(photo)
      case .template(let template): configuration.portrait = .template(template)
      }
      return configuration
    }
    configuration.requests = [.init(.id), .init(.face)]
    configuration.documentModes = [.file]
    configuration.readsPages = !document.isEmpty
    configuration.readsChip = chip != nil
    configuration.requiresChip = chip != nil
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
