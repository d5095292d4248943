/// What a journey shows after a call: one consistent value that never changes.
public struct JourneySnapshot: Sendable {
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

  /// The number of calls before it: a later snapshot has a higher one.
  public let version: Int
  public internal(set) var state: JourneyState
  /// The person's consents, by the number of the item.
  public let decisions: [Int: Bool]
  public let credentials: [Credential]
  /// The index of the active credential; nil for none.
  public let active: Int?
  public let part: Part?
  /// The mode that ``JourneyCall/fallback`` would switch to; nil for none.
  public let fallback: ScanMode?
  /// Whether ``JourneyCall/takePicture`` is due: frames are previewed, but not analysed.
  public let isShutterEnabled: Bool
  /// The text to be acknowledged; nil in other states than ``JourneyState/advising``.
  public let advice: String?
  /// Why the picture was rejected; empty in other states than ``JourneyState/rejected``.
  public let rejections: [DocumentImageCheck.Reason]
  /// Why the part must be retried; nil in other states than ``JourneyState/retrying``.
  public let retryReason: RetryReason?
  /// The error that interrupted or ended the journey; nil for none.
  public let error: JourneyError?
  /// The picture to be confirmed; nil for none.
  public private(set) var picture: Photo?
  /// The feedback on the last frame of a face; nil without one.
  public private(set) var feedback: LivenessFeedback?
  /// nil until the end.
  public private(set) var result: JourneyResult?
  /// The machine-readable zone on the pages that the active credential has so far, which opens the chip; nil if there is
  /// none.
  package private(set) var zone: MachineReadableZone?
  /// The sequence of screen colours that light the face in this try; empty without a session. The person must not learn
  /// a colour before it is shown.
  package let colours: [ColourSequence.Interval]

  /// The same without what was read or seen of the person.
  package var cleared: Self {
    var copy = self
    (copy.picture, copy.feedback, copy.result, copy.zone) = (nil, nil, nil, nil)
    return copy
  }
}

extension JourneySnapshot {
  init(_ machine: JourneyMachine) {
    let (state, active, part) = (machine.state, machine.active, machine.part)
    let configuration = machine.configuration
    version = machine.version
    self.state = state
    decisions = machine.decisions
    credentials = machine.credentials.map { credential in
      let left = credential.parts.filter { credential.outcomes[$0] == nil }
      let optional = left.filter { $0 == .chip && credential.wasChipOffered && !configuration.requiresChip }
      return Credential(
        isDone: credential.isComplete, choice: credential.choice, parts: credential.parts,
        open: left.filter { !optional.contains($0) }, optional: optional)
    }
    self.active = active
    self.part = part.map { part in
      Part(
        part: part.part, side: part.side, mode: part.mode, tries: part.tries,
        deadline: state == .scanning && part.session == nil ? part.began + configuration.partTimeout : nil,
        codeFault: part.codeFault)
    }
    fallback = state.hasPart ? machine.fallback : nil
    isShutterEnabled = state == .scanning && (part?.mode == .manual || part?.mode == .faceManual)
    advice = state == .advising ? machine.choice.flatMap { configuration.legalAdvice[$0.country] } : nil
    rejections = state == .rejected ? part?.rejections ?? [] : []
    retryReason = state == .retrying ? part?.retryReason : nil
    error = machine.error
    picture = part?.candidate?.photo
    feedback = part?.feedback
    result = machine.result
    zone = machine.zone
    colours = part?.colours ?? []
  }
}
