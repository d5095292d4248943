/// The state of a code in one frame, in the vocabulary of secure-code scanners.
public enum CodeFrameState: String, Sendable, CaseIterable {
  /// A code of the issuer that meets all requirements. Without a ``CodeOwnership``: any code.
  case ok
  /// No code could be read, or not all pattern centres of a secure code were found.
  case unreadable
  /// The issuer's, but smaller than the judge requires.
  case tooSmall = "too-small"
  /// The issuer's, but less sharp than the judge requires.
  case blurry
  /// A code, but not the issuer's.
  case notProprietary = "not-proprietary"
  /// The issuer's, but the zone next to it that is to be judged is outside the frame.
  case zoneNotInFrame = "zone-not-in-frame"
  /// The issuer's, but without a feature to judge.
  case noAuthentication = "no-authentication"
}

/// A scanner's report on a frame: whether scanning continues, and the state of the code.
public struct CodeReport: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Processing has stopped: ``CodeScanner/start()`` restarts it.
    case completed
    case inProgress = "in-progress"
    /// The camera does not meet the judge's requirements. Processing stops if a code was found.
    case unsupported
  }

  public let kind: Kind
  public let state: CodeFrameState

  /// Nil for a combination that is never reported.
  init?(_ kind: Kind, _ state: CodeFrameState) {
    guard Self.allowed[kind, default: []].contains(state) else { return nil }
    self.kind = kind
    self.state = state
  }

  /// Whether the scanner stopped with this report.
  public var isFinal: Bool {
    switch kind {
    case .completed: true
    case .inProgress: false
    case .unsupported: state != .unreadable
    }
  }

  /// The combinations that are reported; the other nine of the twenty-one are not.
  public static let allowed: [Kind: Set<CodeFrameState>] = [
    .completed: [.ok, .blurry, .notProprietary, .noAuthentication],
    .inProgress: [.ok, .blurry, .unreadable, .zoneNotInFrame, .tooSmall],
    .unsupported: [.unreadable, .ok, .notProprietary],
  ]
}

extension CodeReport: JSONConvertible {
  public var jsonValue: JSONValue {
    ["kind": .string(kind.rawValue), "state": .string(state.rawValue), "isFinal": .bool(isFinal)]
  }
}
