/// What was proved of a person and their document, on three independent axes. A result never says more than this.
///
/// docs/glossary.md defines the levels and names their sources.
public struct Assurance: Sendable, Hashable {
  /// How much was proved of a living person in front of the camera.
  public enum Presence: String, Sendable, Codable, CaseIterable, Comparable {
    /// Nobody, or a presentation attack, or undecided.
    case none
    /// One picture, judged by its texture.
    case photo
    /// A stream of frames for which nothing was asked of the person.
    case passiveVideo = "passive-video"
    /// The person did what a script asked for.
    case challengeAnswered = "challenge-answered"
    /// The same with a camera that the caller controls, against injected video (CEN/TS 18099).
    case trustedCapture = "trusted-capture"

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// What the person's face was bound to by a match.
  public enum Binding: String, Sendable, Codable, CaseIterable, Comparable {
    /// Nothing: no comparison, or no match.
    case none
    /// Both sides are copies of one picture, which prove nothing about each other.
    case samePicture = "same-picture"
    /// A photo of the caller's.
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

/// What must have been proved before a result is `passed`. What was not asked for is not required.
public struct AssurancePolicy: Sendable, Hashable {
  /// The least presence.
  public var presence = Assurance.Presence.challengeAnswered
  /// The least of a document with an authenticated chip, and of each document.
  public var document = DocumentAssurance.pageConsistent
  /// Kinds of documents that pass without an authenticated chip. Whoever accepts one waives its chip: the holder may
  /// withhold it.
  public var accepted: Set<UnauthenticatedDocument> = []
  /// The least binding.
  public var binding = Assurance.Binding.suppliedPhoto

  public init() {}
}

/// What an outcome rests on. nil is what nobody asked for; what was asked for and is missing has the level `none`.
struct Evidence: Sendable, Hashable {
  struct Presence: Sendable, Hashable {
    var result: LivenessDecision.Result
    /// What a live decision proves.
    var level: Assurance.Presence
    /// The light of the screen was asked for, and the face was not seen to reflect it.
    var isLightMissing = false
    var isMovementDeclined = false
  }

  struct Document: Sendable, Hashable {
    var result: CheckStatus
    var level: DocumentAssurance
    /// Its kind is accepted by name.
    var isAccepted = false
  }

  struct Binding: Sendable, Hashable {
    /// nil if no comparison could be made.
    var result: FaceDecision.Result?
    /// What a match proves.
    var level: Assurance.Binding
    /// Failed for two copies of one picture.
    var differentPictures = CheckStatus.notChecked
  }

  var presence: Presence?
  var documents: [Document] = []
  var binding: Binding?

  /// Joins what another credential gave.
  mutating func add(_ other: Evidence) {
    presence = other.presence ?? presence
    documents += other.documents
    binding = other.binding ?? binding
  }
}

/// The result of a check and how much it proved: the one place that says `passed`.
public struct Outcome: Sendable, Hashable {
  public let result: CheckStatus
  public let assurance: Assurance
  /// What the evidence lacks for the policy, as codes and sentences; empty unless it lacks something. What the evidence
  /// itself says stands with its reasons.
  public let shortfalls: [FaceDecision.Reason]

  init(_ evidence: Evidence, policy: AssurancePolicy) {
    var assurance = Assurance()
    var results: [CheckStatus] = []
    var shortfalls: [FaceDecision.Reason] = []
    func lack(_ code: String, _ text: String) {
      results.append(.notChecked)
      shortfalls.append(.init(code: code, text: text))
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
            "The person was seen by \(presence.level.rawValue), and the policy asks for \(policy.presence.rawValue).")
        }
        if presence.isMovementDeclined {
          lack("presence.movement-declined", "The person declined a movement that was asked for.")
        }
        if presence.isLightMissing {
          lack("presence.light-missing", "The screen's light was asked for, and the face was not seen to reflect it.")
        }
      }
    }

    assurance.document = evidence.documents.map(\.level).min() ?? .none
    for document in evidence.documents {
      results.append(document.result)
      if document.result == .passed, document.level < policy.document, !document.isAccepted {
        lack(
          "document.below-policy",
          "The document is proved by \(document.level.rawValue), and the policy asks for \(policy.document.rawValue).")
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
            "The person was compared with \(binding.level.rawValue), and the policy asks for "
              + "\(policy.binding.rawValue).")
        }
      case .match?, .refused?, nil:
        // The comparison says why.
        results.append(.notChecked)
        if isCopy { assurance.binding = min(binding.level, .samePicture) }
      }
    }

    result = results.isEmpty ? .notChecked : .worst(results)
    self.assurance = assurance
    self.shortfalls = shortfalls
  }
}

extension LivenessDecision {
  /// What this decision proves: the level of the strictest shipped policy that its checks satisfy, whatever policy it was
  /// made by.
  public func presence(isCaptureTrusted: Bool = false) -> Assurance.Presence {
    let statuses = checks.reduce(into: [LivenessSignal: CheckStatus]()) { $0[$1.signal] = $1.status }
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

extension AssurancePolicy: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "presence": .string(presence.rawValue), "document": .string(document.rawValue),
      "binding": .string(binding.rawValue), "accepted": .array(accepted.map(\.rawValue).sorted().map(JSONValue.string)),
    ]
  }

  /// Reads what ``jsonValue`` writes; each member may be left out.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` for a level or a member that does not exist.
  init(_ json: JSONValue) throws {
    self.init()
    var reader = try MemberReader(json, of: "an assurance policy")
    func level<Level: RawRepresentable & CaseIterable>(_ name: String, _ standard: Level) throws -> Level
    where Level.RawValue == String {
      guard let text = try reader.text(name) else { return standard }
      guard let level = Level(rawValue: text) else {
        throw reader.wrong(name, "one of \(Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    }
    presence = try level("presence", presence)
    document = try level("document", document)
    binding = try level("binding", binding)
    accepted = try Set(
      (reader.names("accepted") ?? []).map { name in
        guard let kind = UnauthenticatedDocument(rawValue: name) else {
          throw reader.wrong(
            "accepted", "of \(UnauthenticatedDocument.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
      })
    try reader.end()
  }
}
