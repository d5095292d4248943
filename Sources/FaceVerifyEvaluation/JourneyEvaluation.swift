/// A complete identity check with known ground truth: a person or an attack instrument before the camera, and the
/// portrait of the claimed identity.
package struct Journey: Sendable {
  package enum Label: Sendable, Hashable {
    /// The person of the portrait.
    case genuine
    /// Another living person.
    case impostor
    /// A presentation attack with the face of the portrait.
    case attack(PresentationLabel)

    package init(_ label: String, species: String, isSimulated: Bool) throws {
      switch (label.lowercased(), species.isEmpty) {
      case ("genuine", true): self = .genuine
      case ("impostor", true): self = .impostor
      case ("live", _), ("bona-fide", _), ("bonafide", _):
        throw VerifyError(
          .badArgument, "\"\(label)\" does not state whose portrait it is: use \"genuine\" or \"impostor\"")
      default: self = .attack(try PresentationLabel(label, species: species, isSimulated: isSimulated))
      }
    }

    package var name: String {
      switch self {
      case .genuine: "genuine"
      case .impostor: "impostor"
      case .attack(let label): label.name
      }
    }
  }

  /// The stage at which the journey ended.
  package enum Outcome: String, Sendable, CaseIterable {
    case accepted
    /// No face was found, or no frame was good enough to compare.
    case notAcquired = "not-acquired"
    case presentationAttack = "presentation-attack"
    /// Liveness could not be decided.
    case undecided
    /// The document is not trusted, or its portrait's quality is too low.
    case portraitRefused = "portrait-refused"
    case noMatch = "no-match"
    /// A file could not be read; excluded from all rates.
    case unreadable
  }

  package let name: String
  package let label: Label
  package let subject: String?
  package let outcome: Outcome
  /// Human-readable reasons.
  package let reasons: [FaceDecision.Reason]
  /// The score of the comparison; nil if none was made.
  package let score: Double?
  package let error: VerifyError?

  /// - Parameter compare: compares a template with the portrait; called only if there is a template.
  package init(
    name: String, label: Label, subject: String?, liveness: LivenessDecision, facesSeen: Int,
    compare: (FaceTemplate) throws -> FaceDecision
  ) throws {
    (self.name, self.label, self.subject) = (name, label, subject)
    error = nil
    guard facesSeen > 0, let template = liveness.template else {
      // A detected attack counts as detected even without a template.
      outcome = facesSeen > 0 && liveness.result == .presentationAttack ? .presentationAttack : .notAcquired
      reasons = liveness.reasons
      score = nil
      return
    }
    let decision = try compare(template)
    score = decision.comparison?.score
    switch (liveness.result, decision.result) {
    case (.presentationAttack, _): (outcome, reasons) = (.presentationAttack, liveness.reasons)
    case (.undecided, _): (outcome, reasons) = (.undecided, liveness.reasons)
    case (.live, .refused): (outcome, reasons) = (.portraitRefused, decision.reasons)
    case (.live, .noMatch): (outcome, reasons) = (.noMatch, decision.reasons)
    case (.live, .match): (outcome, reasons) = (.accepted, decision.reasons)
    }
  }

  /// A journey with an unreadable file.
  package init(name: String, label: Label, subject: String?, error: VerifyError) {
    (self.name, self.label, self.subject, self.error) = (name, label, subject, error)
    (outcome, reasons, score) = (.unreadable, [], nil)
  }

  package var isError: Bool { outcome != .unreadable && (outcome == .accepted) != (label == .genuine) }
}

/// The counts of all journeys with one label.
package struct JourneyTally: Sendable {
  package let label: Journey.Label
  package let counts: [Journey.Outcome: Int]
  /// The number of subjects; nil if it is unknown for a journey.
  package let subjects: Int?

  /// Returns one tally per label: genuine, impostor, then attacks by name, simulated ones last.
  package static func each(_ journeys: [Journey]) -> [Self] {
    func rank(_ label: Journey.Label) -> (Int, String) {
      switch label {
      case .genuine: (0, "")
      case .impostor: (1, "")
      case .attack(let attack): (attack.isSimulated ? 3 : 2, attack.name)
      }
    }
    return Dictionary(grouping: journeys, by: \.label).sorted { rank($0.key) < rank($1.key) }.map { label, journeys in
      let people = journeys.compactMap(\.subject)
      return Self(
        label: label, counts: Dictionary(grouping: journeys, by: \.outcome).mapValues(\.count),
        subjects: people.count == journeys.count ? Set(people).count : nil)
    }
  }

  package subscript(outcome: Journey.Outcome) -> Int { counts[outcome] ?? 0 }
  package var count: Int { counts.values.reduce(0, +) }

  /// "FRR", "FAR" (ISO/IEC 19795-1: per transaction, including failures to acquire) or "IAPAR" (ISO/IEC 30107-3: attack
  /// presentations against the full system).
  package var rateName: String {
    switch label {
    case .genuine: "FRR"
    case .impostor: "FAR"
    case .attack: "IAPAR"
    }
  }

  /// The error rate among readable journeys.
  package var rate: ErrorRate {
    let readable = count - self[.unreadable]
    return ErrorRate(label == .genuine ? readable - self[.accepted] : self[.accepted], of: readable)
  }
}

extension Journey: JSONConvertible {
  package var jsonValue: JSONValue {
    let attack: PresentationLabel? = if case .attack(let attack) = label { attack } else { nil }
    return [
      "clip": .string(name), "label": .string(attack == nil ? label.name : "attack"),
      "species": .optional(attack?.species), "simulated": .bool(attack?.isSimulated ?? false),
      "subject": .optional(subject), "outcome": .string(outcome.rawValue), "score": .rounded(score, 4),
      "reasons": reasons.jsonValue, "error": error?.jsonValue["error"] ?? .null,
    ]
  }
}

extension JourneyTally: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "label": .string(label.name), "count": .integer(count), "subjects": .optional(subjects),
      "outcomes": .object(
        Dictionary(uniqueKeysWithValues: Journey.Outcome.allCases.map { ($0.rawValue, .integer(self[$0])) })),
      "rate": .string(rateName), "error": rate.jsonValue,
    ]
  }
}
