/// The progress of a journey, for display next to the active part's picture.
public struct JourneyProgress: Sendable {
  public struct Credential: Sendable {
    public let isDone: Bool
    public let choice: DocumentChoice?
    /// Empty until the document is selected.
    public let parts: [JourneyPart]
    /// Parts that must still be scanned.
    public let open: [JourneyPart]
    /// Optional parts that were not scanned yet.
    public let optional: [JourneyPart]
  }

  public struct Part: Sendable {
    public let part: JourneyPart
    /// The side due now; differs from ``part`` for a part with several sides.
    public let side: JourneyPart
    public let mode: ScanMode
    /// The number of this try, at most ``JourneyConfiguration/maximumTries``.
    public let tries: Int
    /// The end of this try, in seconds on the caller's clock; nil without a time limit.
    public let deadline: Double?
    /// Why the code of a licence was not read in the last picture; nil if it was read, or not searched for.
    public let codeFault: CodeFault?
  }

  /// The person's consents, by the number of the item.
  public let decisions: [Int: Bool]
  public let credentials: [Credential]
  /// The index of the active credential; nil for none.
  public let active: Int?
  public let part: Part?
}

extension JourneyMachine {
  var progress: JourneyProgress {
    JourneyProgress(
      decisions: decisions,
      credentials: credentials.map { credential in
        let left = credential.parts.filter { credential.outcomes[$0] == nil }
        let optional = left.filter {
          $0 == .chip && credential.wasChipOffered && !configuration.requiresChip
        }
        return .init(
          isDone: credential.isComplete, choice: credential.choice, parts: credential.parts,
          open: left.filter { !optional.contains($0) }, optional: optional)
      },
      active: active,
      part: part.map { part in
        .init(
          part: part.part, side: part.side, mode: part.mode, tries: part.tries,
          deadline: state == .scanning && part.session == nil ? part.began + configuration.partTimeout : nil,
          codeFault: part.codeFault)
      })
  }
}

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
