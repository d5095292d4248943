/// The state of a journey.
public enum JourneyState: String, Sendable, Codable, CaseIterable {
  /// Created, not started.
  case created
  /// Consent is incomplete.
  case consenting
  /// No credential is active.
  case ready
  /// A credential has started; its country and kind of document are not selected yet.
  case configuring
  /// Legal advice must be acknowledged first.
  case advising
  /// A credential is active, but no part.
  case choosing
  /// A part accepts frames, photos or files.
  case scanning
  /// Paused; frames are dropped.
  case paused
  /// The person must accept or reject the picture.
  case confirming
  /// The picture is not good enough and must be taken again.
  case rejected
  /// The part is undecided and must be retried.
  case retrying
  /// The part is complete.
  case captured
  /// A retryable error occurred.
  case failed
  /// A permanent error occurred.
  case halted
  /// The result is being computed.
  case finishing
  case finished

  var hasPart: Bool { [.scanning, .paused, .confirming, .rejected, .retrying, .captured].contains(self) }
}

/// Why a call was refused: an error of the calling program, not related to the person. The call has no effect on the
/// journey.
public enum LogicalError: String, Error, Sendable, Codable, CaseIterable {
  case dependencyWrongVersion = "dependency-wrong-version"
  case notYetImplemented = "not-yet-implemented"
  case deadController = "dead-controller"
  case errorNotRetryable = "error-not-retryable"
  case needToConsentFirst = "need-to-consent-first"
  case controllerNotCompleted = "controller-not-completed"
  case isBeingFinished = "is-being-finished"
  case multipleCredentials = "multiple-credentials"
  case unknownCredential = "unknown-credential"
  case deadCredential = "dead-credential"
  case credentialNotCompleted = "credential-not-completed"
  case multipleScanParts = "multiple-scan-parts"
  case unknownScanPart = "unknown-scan-part"
  case scanPartNotCompleted = "scan-part-not-completed"
  case deadScanPart = "dead-scan-part"
  case noFallbackAvailable = "no-fallback-available"
  case takePictureNotAllowed = "take-picture-not-allowed"
  case tokenValidationFailed = "token-validation-failed"
  case dataCentreValidationFailed = "data-centre-validation-failed"
  /// Any other call that is not due.
  case wrongOrder = "wrong-order"

  /// One sentence: what was wrong, and what to do.
  public var text: String {
    switch self {
    case .dependencyWrongVersion: "The program was made for another version of the library: rebuild it."
    case .notYetImplemented: "This is not implemented."
    case .deadController: "The journey is finished: create a new one."
    case .errorNotRetryable: "The error cannot be retried: cancel, and start a new journey."
    case .needToConsentFirst: "Consent to every item is required first."
    case .controllerNotCompleted: "Not all credentials are finished."
    case .isBeingFinished: "The journey is being finished."
    case .multipleCredentials: "A credential is active: finish or cancel it first."
    case .unknownCredential: "The journey has no such credential."
    case .deadCredential: "No such credential is active, or it is already finished."
    case .credentialNotCompleted: "The credential still needs parts."
    case .multipleScanParts: "A part is active: finish or cancel it first."
    case .unknownScanPart: "The credential has no such part, or it cannot be scanned in this way."
    case .scanPartNotCompleted: "The part is not captured yet."
    case .deadScanPart: "No part is active, or it is already finished."
    case .noFallbackAvailable: "There is no other way to scan this part."
    case .takePictureNotAllowed: "The part takes its pictures automatically, or no frame has arrived."
    case .tokenValidationFailed: "The token is missing, altered, expired, or for another purpose."
    case .dataCentreValidationFailed: "The region is unknown."
    case .wrongOrder: "The call is not allowed in this state."
    }
  }
}

/// The single table of allowed calls per state and their transitions. ``JourneyMachine`` uses it, the tests cover every
/// pair of state and call, and `faceverify verify --states` draws it.
public enum JourneyTable {
  /// One call: the states in which it is allowed, each with its possible next states.
  struct Row {
    let call: JourneyCall.Kind
    let moves: [(from: [JourneyState], to: [JourneyState])]
    /// The error in any other state.
    let otherwise: LogicalError

    init(_ call: JourneyCall.Kind, _ moves: [(from: [JourneyState], to: [JourneyState])], _ otherwise: LogicalError) {
      (self.call, self.moves, self.otherwise) = (call, moves, otherwise)
    }
  }

  private static let captures: [JourneyState] = [.scanning, .confirming, .rejected, .retrying, .captured]
  private static let parts = JourneyState.allCases.filter(\.hasPart)
  private static let open: [JourneyState] = [.ready, .configuring, .advising, .choosing] + parts

  static let rows: [Row] = [
    Row(.start, [([.created], [.consenting, .ready])], .wrongOrder),
    Row(.consent, [([.consenting, .ready], [.consenting, .ready])], .wrongOrder),
    Row(.startCredential, [([.ready], [.configuring, .advising, .choosing])], .multipleCredentials),
    Row(.configure, [([.configuring, .choosing], [.advising, .choosing])], .deadCredential),
    Row(.acknowledge, [([.advising], [.choosing])], .wrongOrder),
    Row(.startPart, [([.choosing], [.scanning])], .multipleScanParts),
    Row(.frame, [([.scanning], captures), ([.paused], [.paused])], .deadScanPart),
    Row(.takePicture, [([.scanning], captures)], .takePictureNotAllowed),
    Row(.attach, [([.scanning], captures)], .deadScanPart),
    Row(.attachChip, [([.scanning], [.captured])], .deadScanPart),
    Row(.attachCode, [([.scanning], [.captured, .rejected])], .deadScanPart),
    Row(.pause, [([.scanning], [.paused])], .deadScanPart),
    Row(.resume, [([.paused], [.scanning])], .deadScanPart),
    Row(.fallback, [([.scanning, .paused, .retrying], [.scanning])], .noFallbackAvailable),
    Row(.decline, [.scanning, .paused, .retrying].map { ([$0], [$0]) }, .deadScanPart),
    Row(.confirm, [([.confirming], [.scanning, .captured])], .deadScanPart),
    Row(.retake, [([.confirming, .rejected], [.scanning])], .deadScanPart),
    Row(.retryPart, [([.retrying], [.scanning])], .deadScanPart),
    Row(.finishPart, [([.captured], [.choosing]), ([.scanning], [.choosing, .retrying])], .scanPartNotCompleted),
    Row(.cancelPart, [(parts, [.choosing])], .deadScanPart),
    Row(.finishCredential, [([.choosing], [.ready, .choosing])], .scanPartNotCompleted),
    Row(.cancelCredential, [([.configuring, .advising, .choosing] + parts, [.ready])], .deadCredential),
    Row(.report, [([.created, .consenting] + open, [.failed, .halted])], .wrongOrder),
    Row(.retry, [([.failed], [.created, .consenting] + open)], .errorNotRetryable),
    Row(.finish, [([.ready], [.finished])], .controllerNotCompleted),
    Row(.cancel, [([.created, .consenting, .failed, .halted] + open, [.finished])], .wrongOrder),
    Row(.tick, ([.created, .consenting, .failed, .halted] + open).map { ([$0], [$0]) }, .wrongOrder),
  ]

  private static let byCall = Dictionary(uniqueKeysWithValues: rows.map { ($0.call, $0) })

  /// The possible next states of a call; nil if it is an error.
  static func moves(_ call: JourneyCall.Kind, in state: JourneyState) -> [JourneyState]? {
    byCall[call]?.moves.first { $0.from.contains(state) }?.to
  }

  /// The error of a call in a state; nil if it is allowed.
  public static func error(_ call: JourneyCall.Kind, in state: JourneyState) -> LogicalError? {
    guard moves(call, in: state) == nil, let row = byCall[call] else { return nil }
    let needsConsent = call != .start && call != .retry && call != .finish
    switch state {
    case .finished: return .deadController
    case .finishing: return .isBeingFinished
    case .halted: return .errorNotRetryable
    case .created where needsConsent, .consenting where needsConsent: return .needToConsentFirst
    case .ready where row.otherwise == .multipleScanParts || row.otherwise == .scanPartNotCompleted:
      return .deadCredential
    case .configuring, .advising:
      let isOfParts = row.otherwise == .multipleScanParts || call == .finishCredential
      return isOfParts ? .credentialNotCompleted : row.otherwise
    case .choosing where call == .finishPart: return .deadScanPart
    case .failed where call != .finish: return .wrongOrder
    default: return row.otherwise
    }
  }

  /// The states that deadlines lead to: a deadline halts the journey, or ends a part's try.
  static func deadlines(in state: JourneyState) -> [JourneyState] {
    guard ![.halted, .finishing, .finished].contains(state) else { return [] }
    return state == .scanning ? [.retrying, .halted] : [.halted]
  }

  /// The table as a Mermaid state diagram, without calls that are allowed almost everywhere: cancel, report, tick.
  public static var diagram: String {
    var lines = ["stateDiagram-v2", "  [*] --> created"]
    for state in JourneyState.allCases {
      var targets: [JourneyState: [String]] = [:]
      for row in rows where ![.cancel, .report, .tick].contains(row.call) {
        for next in moves(row.call, in: state) ?? [] where next != state {
          targets[next, default: []].append(row.call.rawValue)
        }
      }
      // A retry returns to the interrupted state.
      for next in JourneyState.allCases where state != .failed {
        guard let calls = targets[next] else { continue }
        lines.append("  \(state.rawValue) --> \(next.rawValue): \(calls.joined(separator: ", "))")
      }
    }
    return
      (lines + [
        "  failed --> [*]: retry leads back, cancel ends", "  halted --> finished: cancel", "  finished --> [*]",
      ])
      .joined(separator: "\n") + "\n"
  }
}
