/// What was proved of a person and their document, on three independent axes. A result never claims more than this.
///
/// docs/glossary.md defines the levels and names their sources.
public struct Assurance: Sendable, Hashable {
  /// How strongly the presence of a living person was proved.
  public enum Presence: String, Sendable, Codable, CaseIterable, Comparable, JSONMemberValue {
    /// No person, a presentation attack, or undecided.
    case none
    /// A single picture, judged by its texture.
    case photo
    /// A stream of frames without a challenge.
    case passiveVideo = "passive-video"
    /// The person answered the script's challenges.
    case challengeAnswered = "challenge-answered"
    /// As ``challengeAnswered``, from a non-virtual camera under the caller's control, against injected video (CEN/TS
    /// 18099).
    case trustedCapture = "trusted-capture"

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// The reference that the person's face matched.
  public enum Binding: String, Sendable, Codable, CaseIterable, Comparable, JSONMemberValue {
    /// Nothing: no comparison, or no match.
    case none
    /// Both sides are copies of one picture, which prove nothing about each other.
    case samePicture = "same-picture"
    /// A photo supplied by the caller.
    case suppliedPhoto = "supplied-photo"
    /// The portrait on a document's page.
    case pagePortrait = "page-portrait"
    /// The portrait on a document's chip.
    case chipPortrait = "chip-portrait"
    /// A template that the caller enrolled earlier.
    case enrolledTemplate = "enrolled-template"

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  public var presence = Presence.none
  public var document = DocumentAssurance.none
  public var binding = Binding.none

  public init(presence: Presence = .none, document: DocumentAssurance = .none, binding: Binding = .none) {
    (self.presence, self.document, self.binding) = (presence, document, binding)
  }
}

/// The levels required for a result to be `passed`. An axis that was not requested is not required.
public struct AssurancePolicy: Sendable, Hashable {
  /// The minimum presence.
  public var presence = Assurance.Presence.challengeAnswered
  /// The minimum for each document, unless its kind is ``accepted`` without a chip.
  public var document = DocumentAssurance.pageConsistent
  /// Kinds of documents that pass without an authenticated chip. Accepting one waives its chip, which the holder may
  /// then withhold.
  public var accepted: Set<UnauthenticatedDocument> = []
  /// The minimum binding.
  public var binding = Assurance.Binding.suppliedPhoto

  public init() {}
}

/// What an outcome rests on. nil means not requested; evidence that was requested and is missing has the level `none`.
package struct Evidence: Sendable, Hashable {
  package struct Presence: Sendable, Hashable {
    package var result: LivenessDecision.Result
    /// The level that a live decision proves.
    package var level: Assurance.Presence
    /// The screen's light was requested, but no reflection was detected on the face.
    package var isLightMissing = false
    package var isMovementDeclined = false

    package init(
      result: LivenessDecision.Result, level: Assurance.Presence, isLightMissing: Bool = false,
      isMovementDeclined: Bool = false
    ) {
      (self.result, self.level) = (result, level)
      (self.isLightMissing, self.isMovementDeclined) = (isLightMissing, isMovementDeclined)
    }

    /// The worst of each part.
    package func worst(_ other: Self) -> Self {
      let order: [LivenessDecision.Result] = [.presentationAttack, .undecided, .live]
      return Self(
        result: order.first { [result, other.result].contains($0) } ?? .undecided, level: min(level, other.level),
        isLightMissing: isLightMissing || other.isLightMissing,
        isMovementDeclined: isMovementDeclined || other.isMovementDeclined)
    }
  }

  package struct Document: Sendable, Hashable {
    package var result: CheckStatus
    package var level: DocumentAssurance
    /// It has no chip, and the policy accepts its kind by name.
    package var isAccepted = false

    package init(result: CheckStatus, level: DocumentAssurance, isAccepted: Bool = false) {
      (self.result, self.level, self.isAccepted) = (result, level, isAccepted)
    }
  }

  package struct Binding: Sendable, Hashable {
    /// nil if no comparison could be made.
    package var result: FaceDecision.Result?
    /// The level that a match proves.
    package var level: Assurance.Binding
    /// Failed if both sides are copies of one picture.
    package var differentPictures = CheckStatus.notChecked

    package init(
      result: FaceDecision.Result?, level: Assurance.Binding, differentPictures: CheckStatus = .notChecked
    ) {
      (self.result, self.level, self.differentPictures) = (result, level, differentPictures)
    }

    /// How much the comparison proves: a copy proves at most the level of a copy, all else but a match nothing.
    private var rank: Int {
      let isCopy = differentPictures == .failed
      return result == .noMatch ? 0 : isCopy ? 2 : result == .match ? 3 : 1
    }

    /// The comparison that proves less, with the lower level.
    package func worst(_ other: Self) -> Self {
      var worst = rank <= other.rank ? self : other
      worst.level = min(level, other.level)
      return worst
    }
  }

  package var presence: Presence?
  package var documents: [Document] = []
  package var binding: Binding?

  package init(presence: Presence? = nil, documents: [Document] = [], binding: Binding? = nil) {
    (self.presence, self.documents, self.binding) = (presence, documents, binding)
  }

  /// Adds the evidence of another credential. The worst counts, so that another person does not hide an attack.
  package mutating func add(_ other: Evidence) {
    presence = other.presence.map { presence?.worst($0) ?? $0 } ?? presence
    documents += other.documents
    binding = other.binding.map { binding?.worst($0) ?? $0 } ?? binding
  }
}

/// The result of a check and how much it proved. Only this type decides `passed`.
public struct Outcome: Sendable, Hashable {
  public let result: CheckStatus
  public let assurance: Assurance
  /// Where the evidence falls short of the policy, as codes and sentences; may be empty. Reasons for negative evidence
  /// are reported with the evidence, not here.
  public let shortfalls: [FaceDecision.Reason]

  package init(_ evidence: Evidence, policy: AssurancePolicy) {
    var assurance = Assurance()
    var results: [CheckStatus] = []
    var shortfalls: [FaceDecision.Reason] = []
    func lack(_ code: String, _ text: String) {
      results.append(.notChecked)
      shortfalls.append(.init(code: code, text: text, status: .notChecked))
    }

    if let presence = evidence.presence {
      switch presence.result {
      case .presentationAttack: results.append(.failed)
      case .undecided: results.append(.notChecked)
      case .live:
        assurance.presence = presence.level
        results.append(.passed)
        if presence.level < policy.presence {
          lack(
            "presence.below-policy",
            "The person was seen by \(presence.level.rawValue), and the policy requires \(policy.presence.rawValue).")
        }
        if presence.isMovementDeclined {
          lack("presence.movement-declined", "The person declined a requested movement.")
        }
        if presence.isLightMissing {
          lack("presence.light-missing", "The screen's light was requested, and the face did not visibly reflect it.")
        }
      }
    }

    assurance.document = evidence.documents.map(\.level).min() ?? .none
    for document in evidence.documents {
      results.append(document.result)
      if document.result == .passed, document.level < policy.document, !document.isAccepted {
        lack(
          "document.below-policy",
          "The document is proved by \(document.level.rawValue), and the policy requires \(policy.document.rawValue).")
      }
    }

    if let binding = evidence.binding {
      let isCopy = binding.differentPictures == .failed
      switch binding.result {
      case .noMatch?: results.append(.failed)
      case .match? where !isCopy:
        assurance.binding = binding.level
        results.append(.passed)
        if binding.level < policy.binding {
          lack(
            "comparison.below-policy",
            "The person was compared with \(binding.level.rawValue), and the policy requires "
              + "\(policy.binding.rawValue).")
        }
      case .match?, .refused?, nil:
        // The comparison has the reasons.
        results.append(.notChecked)
        if isCopy { assurance.binding = min(binding.level, .samePicture) }
      }
    }

    result = results.isEmpty ? .notChecked : .worst(results)
    (self.assurance, self.shortfalls) = (assurance, shortfalls)
  }
}

extension LivenessDecision {
  /// Returns the presence level that this decision proves: the level of the strictest shipped policy that its checks
  /// satisfy, independent of the policy that made the decision.
  public func presence(isCaptureTrusted: Bool = false) -> Assurance.Presence {
    let statuses = checks.reduce(into: [LivenessSignal: CheckStatus]()) { $0[$1.name] = $1.status }
    func satisfies(_ policy: LivenessPolicy) -> Bool { policy.result(of: statuses) == .live }
    guard result == .live else { return .none }
    if script != nil, satisfies(.standard) {
      return isCaptureTrusted && statuses[.cameraDevice] == .passed ? .trustedCapture : .challengeAnswered
    }
    return satisfies(.passiveOnly) ? .passiveVideo : satisfies(.photo) ? .photo : .none
  }
}

extension Assurance: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "presence": .string(presence.rawValue), "document": .string(document.rawValue),
      "binding": .string(binding.rawValue),
    ]
  }
}

extension DocumentAssurance: JSONMemberValue {}
extension UnauthenticatedDocument: JSONMemberValue {}

extension AssurancePolicy: JSONTable {
  package static let subject = "an assurance policy"
  package static var blank: Self { Self() }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("presence", \.presence), .init("document", \.document), .init("binding", \.binding),
      .init("accepted", \.accepted),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}

extension Evidence.Document {
  package init(_ report: DocumentReport) {
    self.init(result: report.result, level: report.assurance, isAccepted: report.evidence.isAccepted)
  }
}
