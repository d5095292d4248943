import ArgumentParser
import FaceVerifyCapture
import FaceVerifyJourney

struct VerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a person: alive, present, and the holder of the document.",
    discussion: """
      The selfie is a video in which the person answers --script or --nonce. A
      video without them passes only with --policy passive-only, and a photo only
      with --presence photo. The person is compared with a chip, with photos of
      the document (of a card or a driving licence: the front, then the back), or
      with a portrait. A document without an authenticated chip passes only with
      --accept. What was not checked has not passed.

      With --reader the chip is read from the document on a smart card reader,
      and opened with --mrz, --can or the zone of --document. It must prove that
      it is not a copy, if its signed data announce that it can.

      Examples:
        faceverify verify --selfie clip.mp4 --script blink,left --chip chip/ \\
          --trust csca/
        faceverify verify --selfie clip.mp4 --script blink,left \\
          --document passport.jpg --accept page-only
        faceverify verify --selfie clip.mp4 --script blink,left --reader \\
          --document passport.jpg --trust csca/
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

  @Option(help: .init("The video or photo of the person.", "file"), completion: .file()) var selfie: String?
  @OptionGroup var chip: ChipOption
  @OptionGroup var reader: ReaderOptions
  @Option(
    help: .init("A photo of the document's page; of a card's or licence's front and back, in this order.", "file"),
    completion: .file())
  var document: [String] = []
  @Option(help: .init("A photo or template of the person it should be.", "file"), completion: .file())
  var portrait: String?
  @OptionGroup var fmr: FMROption
  @Option(
    help: .init(
      "The minimum presence that passes: \(Assurance.Presence.names); default: challenge-answered, with --policy passive-only "
        + "passive-video.", "level"))
  var presence: Assurance.Presence?
  @OptionGroup var acceptance: AcceptOption
  @OptionGroup var liveness: LivenessOptions
  @OptionGroup var request: NonceOptions
  @Flag(help: "Read the printed text of the pages, and compare it with the machine-readable data.") var text = false
  @OptionGroup var trust: TrustOption
  @OptionGroup var date: DateOption
  @Option(help: .init("Write a report with pictures into an HTML file.", "file")) var html: String?
  @Option(help: .init("Write a signed record of the decision.", "file")) var record: String?
  @Option(help: .init("The private key that signs the record (`faceverify keys new`).", "file")) var signingKey: String?
  @Option(help: .init("Write the evidence, frames and files, encrypted for --recipient.", "file")) var evidence: String?
  @Option(
    help: .init(
      "The public key that the evidence is encrypted for (`faceverify keys new --encryption`).", "file"))
  var recipient: String?
  @Option(help: .init("Your identifier of this check, at most 100 characters, in the record.", "text"))
  var reference: String?
  @Flag(help: "Include the document's personal data in the record.") var personal = false
  @Flag(help: .init("Print the states and calls of a journey as a Mermaid diagram.", visibility: .private))
  var states = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    guard !states else { return }
    try require(selfie != nil, "name the person's video or photo with --selfie")
    try require(chip.chip == nil || reader.reader == nil, "name one of --chip and --reader")
    try require(
      (portrait == nil) != (chip.chip == nil && reader.reader == nil && document.isEmpty),
      "name one: --portrait FILE, or a document with --chip or --reader, --document or both")
    try require(!text || !document.isEmpty, "--text reads the pages: name them with --document")
    try require(
      reader.reader == nil || (reader.mrz ?? reader.can ?? document.first) != nil,
      "--reader needs --mrz, --can, or the document's page with --document")
    try require(
      (record == nil && evidence == nil) == (signingKey == nil),
      "a record needs the key that signs it: `faceverify keys new signing.pem`, then --signing-key signing.pem")
    try require((evidence == nil) == (recipient == nil), "--evidence needs --recipient, the public key of the reader")
  }

  func run(on console: Console) throws -> ExitStatus {
    if states {
      try console.write(JourneyTable.diagram)
      return .done
    }
    try console.prepare(html, record, evidence)
    try require(evidence != "-", "evidence cannot be written to standard output")
    let signer = try signingKey.map { try SigningKey(PrivateKey(path: $0)) }
    let engine = try engine.engine()
    var files = try chip.files()
    if reader.reader != nil {
      let day = try date.day()
      let read = try reader.read(page: document.first, by: { engine }, on: day, budget: .unlimited, console: console)
      guard let read else { return .refused }
      files = read
    }
    // Without a recipient, nothing is stored.
    let archive = Lock(
      try recipient.map { try EvidenceBundleWriter(path: evidence ?? "", recipient: PublicKey(path: $0)) })
    var run = try VerifyRun(configuration(on: console, engine), engine: engine) { input, content in
      try archive.withLock { try $0?.add(input, content) }
    }
    let result = try run.result(selfie: selfie ?? "", pages: document, chip: files, isPhoto: isPhoto, on: console)
    try console.show(run.journey.recordBody(), VerifyText.text(result, on: console))
    if let signer {
      let record = try DecisionRecord(body: run.journey.recordBody(), signedBy: signer)
      try console.save(record.bytes, to: self.record)
      try archive.withLock { archive in
        try archive?.add(record.bytes, as: EvidenceBundle.recordName)
        try archive?.finish()
      }
    }
    let page = VerifyPage(
      result: result, configuration: run.journey.configuration, selfie: selfie ?? "", portrait: portrait ?? "",
      reference: reference)
    try console.save(page.text.utf8, to: html, permissions: 0o600)
    return VerifyText.status(result)
  }

  private var isPhoto: Bool { selfie.map(Input.isPhoto) ?? false }

  private func configuration(on console: Console, _ engine: FaceEngine) throws -> JourneyConfiguration {
    var configuration = JourneyConfiguration()
    let isPhoto = isPhoto
    let nonce = try request.bytes()
    try require(!isPhoto || liveness.script == nil && nonce.isEmpty, "a photo cannot answer a script")
    let policy = liveness.named(isPhoto: isPhoto)?.name
    if let policy, isPhoto { try require(policy == "photo", "a photo is judged by the policy photo, not by \(policy)") }
    let passive: ScanMode = liveness.script != nil || !nonce.isEmpty ? .liveness : .passive
    configuration.faceModes = [isPhoto ? .faceManual : policy == "strict" ? .strict : passive]
    configuration.assurance.presence = presence ?? (policy == "passive-only" ? .passiveVideo : .challengeAnswered)
    configuration.assurance.accepted = Set(acceptance.accepted)
    configuration.maximumTries = 1
    if !nonce.isEmpty { configuration.nonce = nonce }
    configuration.script = try liveness.script.map(LivenessOptions.script)
    configuration.isMirrored = liveness.mirrored
    configuration.timeout = JourneyConfiguration.timeouts.upperBound
    configuration.comparison.falseMatchRate = fmr.rate
    (configuration.trust, configuration.authentication) = (try trust.store(on: console), trust.policy)
    configuration.date = try date.day()
    (configuration.userReference, configuration.recordsPersonalData) = (reference, personal)
    configuration.keepsPictures = html != nil
    configuration.givesInstantFeedback = false
    if let portrait {
      configuration.requests = [.init(.face)]
      configuration.portrait = try Input.face(portrait)
      return configuration
    }
    configuration.requests = [.init(.id), .init(.face)]
    configuration.documentModes = [.file]
    (configuration.readsPages, configuration.readsText) = (!document.isEmpty, text)
    let hasChip = chip.chip != nil || reader.reader != nil
    (configuration.readsChip, configuration.requiresChip) = (hasChip, hasChip)
    return configuration
  }
}

extension EvidenceBundleWriter {
  fileprivate func add(_ input: JourneyInput, _ content: JourneyInput.Content) throws {
    switch content {
    case .picture(let picture):
      try add(picture.encodedAsPNG(), as: EvidenceBundle.inputName(input.index, suffix: "rgb.png"))
    case .bytes(let bytes): try add(bytes, as: EvidenceBundle.inputName(input.index, suffix: "bin"))
    }
  }
}
