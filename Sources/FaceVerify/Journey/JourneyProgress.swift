/// How far a journey has come: what a page of a program shows beside the active part's picture.
public struct JourneyProgress: Sendable {
  public struct Credential: Sendable {
    public let isDone: Bool
    public let choice: DocumentChoice?
    /// Empty until the document is chosen.
    public let parts: [JourneyPart]
    /// Those that must still be scanned.
    public let open: [JourneyPart]
    /// Those that may be scanned, and may be left out.
    public let optional: [JourneyPart]
  }

  public struct Part: Sendable {
    public let part: JourneyPart
    /// What is due now: one of the sides of a part that has several.
    public let side: JourneyPart
    public let mode: ScanMode
    /// Of ``JourneyConfiguration/maximumTries``: this one is counted.
    public let tries: Int
    /// When this try ends, in seconds on the caller's clock; nil for what no clock ends.
    public let deadline: Double?
    /// What kept the code of a licence from being read in the last picture; nil if it was, or was not looked for.
    public let codeFault: CodeFault?
  }

  /// By the number of the item.
  public let decisions: [Int: Bool]
  public let credentials: [Credential]
  /// The credential that is active; nil for none.
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
