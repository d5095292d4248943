/// What one frame showed of a code, as scanners of secure codes say it.
public enum CodeFrameState: String, Sendable, CaseIterable {
  /// A code of the issuer's, and all that is asked of it is met. Without an ``CodeOwnership``: a code.
  case ok
  /// No code could be read, or of a secure code not all centres of patterns were found.
  case unreadable
  /// The issuer's, but smaller than the judge needs it.
  case tooSmall = "too-small"
  /// The issuer's, but less sharp than the judge needs it.
  case blurry
  /// A code, but not the issuer's.
  case notProprietary = "not-proprietary"
  /// The issuer's, but the zone beside it that is to be judged is not in the frame.
  case zoneNotInFrame = "zone-not-in-frame"
  /// The issuer's, without anything to judge it by.
  case noAuthentication = "no-authentication"
}

/// What a scanner says of a frame: whether it goes on, and what it saw.
public struct CodeReport: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Processing has stopped: ``CodeScanner/start()`` begins anew.
    case completed
    case inProgress = "in-progress"
    /// The camera cannot give what a judge needs. Processing stops if a code was seen.
    case unsupported
  }

  public let kind: Kind
  public let state: CodeFrameState

  /// Nil for a pair that no scanner reports.
  init?(_ kind: Kind, _ state: CodeFrameState) {
    guard Self.allowed[kind, default: []].contains(state) else { return nil }
    self.kind = kind
    self.state = state
  }

  /// Whether the scanner stopped with it.
  public var isFinal: Bool {
    switch kind {
    case .completed: true
    case .inProgress: false
    case .unsupported: state != .unreadable
    }
  }

  /// The pairs that are reported; the other nine of the twenty-one are not.
  public static let allowed: [Kind: Set<CodeFrameState>] = [
    .completed: [.ok, .blurry, .notProprietary, .noAuthentication],
    .inProgress: [.ok, .blurry, .unreadable, .zoneNotInFrame, .tooSmall],
    .unsupported: [.unreadable, .ok, .notProprietary],
  ]
}
