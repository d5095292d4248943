/// What was captured of a credential.
struct CredentialProgress {
  enum Outcome {
    case pages([TakenPage])
    case chip(ChipFiles)
    case liveness(LivenessDecision, ScanMode)
  }

  let request: JourneyConfiguration.Request
  /// Selectable documents; empty for other categories.
  let choices: [DocumentChoice]
  var wasStarted = false
  var choice: DocumentChoice?
  var parts: [JourneyPart]
  var outcomes: [JourneyPart: Outcome] = [:]
  /// The number of tries of each part, including aborted parts.
  var tries: [JourneyPart: Int] = [:]
  var modes: [JourneyPart: ScanMode] = [:]
  var licence: DrivingLicence?
  var hasZone = false
  var wasChipOffered = false
  /// The person declined a movement, in this or an earlier try.
  var hasDeclined = false
  private(set) var isComplete = false
  private(set) var reading: DocumentReading?

  init(_ request: JourneyConfiguration.Request, _ configuration: JourneyConfiguration) {
    self.request = request
    choices = request.category == .id ? DocumentChoice.all(request, extractsOnly: configuration.extractsOnly) : []
    parts =
      switch request.category {
      case .face: [.face]
      case .document: [.document]
      case .id, .data: []
      }
  }

  var countries: [String] {
    choices.reduce(into: []) { countries, choice in
      if countries.last != choice.country { countries.append(choice.country) }
    }
  }

  /// Whether all parts are captured, except a chip that was offered in addition to the pages.
  var isCaptured: Bool { !parts.isEmpty && parts.allSatisfy { outcomes[$0] != nil || $0 == .chip && wasChipOffered } }

  func offersChip(_ configuration: JourneyConfiguration) -> Bool {
    request.category == .id && !wasChipOffered && !parts.contains(.chip)
      && (configuration.requiresChip || configuration.readsChip && hasZone)
  }

  var liveness: (LivenessDecision, ScanMode)? {
    if case .liveness(let decision, let mode)? = outcomes[.face] { (decision, mode) } else { nil }
  }

  var pages: [TakenPage] {
    parts.flatMap { part in
      if case .pages(let pages)? = outcomes[part] { pages } else { [] as [TakenPage] }
    }
  }

  mutating func complete(
    by engine: FaceEngine, _ configuration: JourneyConfiguration, at now: Double, budget: Budget
  ) throws {
    if request.category == .id {
      var chip: ChipFiles?
      if case .chip(let files)? = outcomes[.chip] { chip = files }
      let read = try engine.withText(
        pages.compactMap { taken in taken.page.map { ($0, taken.photo) } }, ofAll: configuration.readsText,
        hasChip: chip != nil, budget: budget)
      reading = try engine.readDocument(
        read: read, chip: chip, licence: licence, trust: configuration.trust,
        authentication: configuration.authentication, date: configuration.date(at: now),
        chipExpected: configuration.requiresChip, accepted: configuration.assurance.accepted, budget: budget)
    }
    isComplete = true
  }
}
