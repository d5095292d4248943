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
