import FaceVerifyBase
import FaceVerifyCapture
import FaceVerifyJourney

struct VerifyRun {
  let journey: JourneyController
  private let engine: FaceEngine
  /// The start in seconds since 1970; a recording's own time is added to it.
  private let start: Double
  private var now: Double

  init(
    _ configuration: JourneyConfiguration, engine: FaceEngine,
    evidence: @escaping @Sendable (JourneyInput, JourneyInput.Content) throws -> Void
  ) throws {
    start = wallClock()
    now = start
    self.engine = engine
    journey = try JourneyController(engine: engine, configuration: configuration, at: start, evidence: evidence)
  }

  private mutating func call(_ calls: JourneyCall...) throws {
    for call in calls where journey.state != .finished {
      try journey.perform(call, at: now)
      // A recording is not tried again.
      if [.failed, .halted, .rejected].contains(journey.state) { try journey.perform(.cancel, at: now) }
    }
  }

  mutating func result(
    selfie: String, pages: [String], chip: ChipFiles?, isPhoto: Bool, on console: Console
  ) throws -> JourneyResult {
    try call(.start)
    if journey.configuration.requests.contains(where: { $0.category == .id }) {
      try showDocument(pages.map { try Input.photo($0).keepingPictures() }, chip: chip)
    }
    try showFace(selfie, isPhoto: isPhoto, on: console)
    try call(.finish)
    guard let result = journey.result else {
      throw VerifyError(.internalFailure, "the journey stopped in the state \(journey.state.rawValue)")
    }
    return result
  }

  private mutating func showDocument(_ pages: [Photo], chip: ChipFiles?) throws {
    let choice = try choice(pages, chip)
    try call(.startCredential(0), .configure(choice))
    let sides = choice.parts(isMultipart: false)
    guard pages.isEmpty || pages.count >= sides.count else {
      throw VerifyError(.badArgument, "a card needs both sides: --document FRONT --document BACK")
    }
    guard pages.count <= sides.count else {
      throw VerifyError(
        .badArgument,
        "\(pages.count) photos were named, but a \(choice.type) has \(Text.counted(sides.count, "side")); "
          + "`faceverify document` reads several pages")
    }
    for (side, page) in zip(sides, pages) { try call(.startPart(side, mode: .file), .attach(page), .finishPart) }
    if let chip {
      // Together with pages, the chip is offered after them.
      if !pages.isEmpty { try call(.finishCredential) }
      try call(.startPart(.chip, mode: nil), .attachChip(chip), .finishPart)
    }
    try call(.finishCredential)
  }

  /// The country and type of the document, from the zone of chip or page, or from the code of a licence.
  private func choice(_ pages: [Photo], _ chip: ChipFiles?) throws -> DocumentChoice {
    let today = try DateTime(secondsSince1970: start).calendarDate
    let day = journey.configuration.date ?? today
    if let zone = try? chip?.zone(on: today) { return DocumentChoice(zone) }
    for page in pages {
      if let zone = try engine.readZone(page, on: day)?.zone { return DocumentChoice(zone) }
    }
    if pages.count == 2, let code = try engine.licenceCode(in: pages[1], budget: .unlimited).readings.first,
      let licence = try? DrivingLicence(payload: code.bytes, on: day), let country = licence.country
    {
      return DocumentChoice(country: country, type: .drivingLicence, variant: .plastic)
    }
    throw VerifyError(
      .unreadable,
      pages.isEmpty
        ? "the chip has no readable machine-readable zone"
        : "the photos of the document show no readable zone and no readable licence code; come closer, hold still, "
          + "avoid glare")
  }

  private mutating func showFace(_ selfie: String, isPhoto: Bool, on console: Console) throws {
    guard journey.state != .finished else { return }
    let index = journey.configuration.requests.count - 1
    if isPhoto {
      try call(.startCredential(index), .startPart(.face, mode: nil), .attach(Input.photo(selfie)), .finishPart)
      return try call(.finishCredential)
    }
    let source = try FrameSource.video(selfie)
    try call(.startCredential(index), .startPart(.face, mode: nil))
    let begin = now
    var first: Double?
    while journey.state == .scanning {
      let frame: VideoFrame
      do {
        guard let next = try source.next() else { break }
        frame = next
      } catch let error as VerifyError where first != nil {
        console.warn(error.message)
        break
      }
      now = max(now, begin + (frame.time - (first ?? frame.time)))
      first = first ?? frame.time
      do {
        try call(.frame(JourneyFrame(frame.pixels, time: frame.time)))
      } catch let error as VerifyError where error.code == .badArgument { continue }
    }
    try call(.finishPart, .finishCredential)
  }
}
