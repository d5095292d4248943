/// One recording or photo of an evaluation, and what came of it.
package struct Presentation: Sendable {
  package enum Outcome: Sendable {
    /// Live, an attack, or (no response) undecided.
    case decided(LivenessDecision.Result)
    /// No face was seen in any frame: there was nothing to judge.
    case notAcquired
    /// It could not be read or judged at all.
    case unreadable(VerifyError)
  }

  package let path: String
  package let label: PresentationLabel
  /// Who was presented, where that is told.
  package let subject: String?
  /// Where it was recorded: a data set, a camera, a site; where that is told.
  package let source: String?
  package let outcome: Outcome
  /// The name of the policy that judged it.
  package let policy: String
  /// Empty if it could not be read.
  package let script: [Challenge]
  package let reasons: [FaceDecision.Reason]
  package let retry: RetryReason?
  package let checks: [LivenessCheck]
  package let frames: Int
  package let seconds: Double
  /// Why the recording ended before its end.
  package let interruption: String?

  /// - Parameter facesSeen: in how many frames there was a face.
  package init(
    path: String, label: PresentationLabel, subject: String?, source: String?, decision: LivenessDecision,
    facesSeen: Int, interruption: String?
  ) {
    self.path = path
    self.label = label
    self.subject = subject
    self.source = source
    outcome = facesSeen > 0 ? .decided(decision.result) : .notAcquired
    policy = decision.policy.name
    script = decision.script?.prompts.map(\.challenge) ?? []
    reasons = decision.reasons
    retry = decision.retry
    checks = decision.checks
    frames = decision.chain.count
    seconds = decision.span.map { $0.upperBound - $0.lowerBound } ?? 0
    self.interruption = interruption
  }

  /// One of which there is no more to tell.
  package init(
    path: String, label: PresentationLabel, subject: String? = nil, source: String? = nil, policy: String,
    outcome: Outcome
  ) {
    self.path = path
    self.label = label
    self.subject = subject
    self.source = source
    self.outcome = outcome
    self.policy = policy
    script = []
    reasons = []
    retry = nil
    checks = []
    frames = 0
    seconds = 0
    interruption = nil
  }

  /// "live", "presentation-attack", "undecided", "not-acquired" or "unreadable".
  package var result: String {
    switch outcome {
    case .decided(let result): result.rawValue
    case .notAcquired: "not-acquired"
    case .unreadable: "unreadable"
    }
  }

  /// Why it could not be read; nil if it could.
  package var error: VerifyError? {
    if case .unreadable(let error) = outcome { error } else { nil }
  }

  /// An attack that was taken for a living person, or the reverse.
  package var isError: Bool {
    switch outcome {
    case .decided(.live): !label.isBonaFide
    case .decided(.presentationAttack): label.isBonaFide
    default: false
    }
  }

  /// Taken for what it was.
  package var isRight: Bool {
    switch outcome {
    case .decided(.live): label.isBonaFide
    case .decided(.presentationAttack): !label.isBonaFide
    default: false
    }
  }
}

/// What was presented to the camera: a living person, or an attack with an instrument of one species.
package struct PresentationLabel: Sendable, Hashable {
  /// Such as "print"; nil for a living person (a bona fide presentation).
  package let species: String?
  /// Made from a living person's pictures, not filmed: it tells less than a real attack.
  package let isSimulated: Bool

  package var isBonaFide: Bool { species == nil }

  /// For people; says that it is simulated.
  package var name: String {
    guard let species else { return "live" }
    return isSimulated && !species.hasPrefix(Self.simulated) ? "\(species) (simulated)" : species
  }

  private static let simulated = "simulated-"

  /// - Parameters:
  ///   - label: "live" or "bona-fide"; or "attack", "spoof" or "simulated" with a species; or a species. A species is
  ///     simulated if its name begins with "simulated-".
  ///   - species: empty if it is not told beside the label.
  ///   - isSimulated: whether that is told beside the label.
  /// - Throws: ``VerifyError/Code/badArgument`` for a label that does not tell what was presented.
  package init(_ label: String, species: String = "", isSimulated: Bool = false) throws {
    switch (label.lowercased(), species.isEmpty) {
    case ("live", true), ("bona-fide", true), ("bonafide", true):
      (self.species, self.isSimulated) = (nil, false)
    case ("live", false), ("bona-fide", false), ("bonafide", false):
      throw VerifyError(.badArgument, "\"\(label)\" is no attack and has no species such as \"\(species)\"")
    case ("attack", true), ("spoof", true), ("fake", true), ("simulated", true), ("", true):
      throw VerifyError(
        .badArgument, "\"\(label)\" does not tell the species of the attack, such as \"print\" or \"screen\"")
    case ("real", _), ("genuine", _), ("true", _), ("false", _), ("0", _), ("1", _):
      throw VerifyError(
        .badArgument, "\"\(label)\" may mean anything: call it \"live\", or by the species of the attack")
    default:
      let name = species.isEmpty ? label : species
      self.species = name
      let isSaid = label.lowercased() == "simulated" || label.lowercased().hasPrefix(Self.simulated)
      self.isSimulated = isSimulated || isSaid || name.lowercased().hasPrefix(Self.simulated)
    }
  }
}
