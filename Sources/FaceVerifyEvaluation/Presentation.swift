/// One recording or photo of an evaluation, and its outcome.
package struct Presentation: Sendable {
  package enum Outcome: Sendable {
    /// Live, attack, or undecided (non-response).
    case decided(LivenessDecision.Result)
    /// No face was found in any frame.
    case notAcquired
    /// The file could not be read or judged.
    case unreadable(VerifyError)
  }

  package let path: String
  package let label: PresentationLabel
  /// The subject; nil if unknown.
  package let subject: String?
  /// The data set, camera or site; nil if unknown.
  package let source: String?
  package let outcome: Outcome
  /// The name of the policy that judged it.
  package let policy: String
  /// Empty if the recording could not be read.
  package let script: [Challenge]
  package let reasons: [FaceDecision.Reason]
  package let retry: RetryReason?
  package let checks: [LivenessCheck]
  package let frames: Int
  package let seconds: Double
  /// Why the recording ended early; nil if it did not.
  package let interruption: String?

  /// - Parameter facesSeen: the number of frames with a face.
  package init(
    path: String, label: PresentationLabel, subject: String?, source: String?, decision: LivenessDecision,
    facesSeen: Int, interruption: String?
  ) {
    self.init(
      path: path, label: label, subject: subject, source: source, policy: decision.policy.name,
      outcome: facesSeen > 0 ? .decided(decision.result) : .notAcquired, decision: decision, interruption: interruption)
  }

  /// - Parameter decision: nil for a presentation without one.
  package init(
    path: String, label: PresentationLabel, subject: String? = nil, source: String? = nil, policy: String,
    outcome: Outcome, decision: LivenessDecision? = nil, interruption: String? = nil
  ) {
    (self.path, self.label, self.subject, self.source) = (path, label, subject, source)
    (self.policy, self.outcome, self.interruption) = (policy, outcome, interruption)
    script = decision?.script?.prompts.map(\.challenge) ?? []
    (reasons, retry, checks) = (decision?.reasons ?? [], decision?.retry, decision?.checks ?? [])
    frames = decision?.chain.count ?? 0
    seconds = decision?.span.map { $0.upperBound - $0.lowerBound } ?? 0
  }

  /// "live", "presentation-attack", "undecided", "not-acquired" or "unreadable".
  package var result: String {
    switch outcome {
    case .decided(let result): result.rawValue
    case .notAcquired: "not-acquired"
    case .unreadable: "unreadable"
    }
  }

  /// Why the recording could not be read; nil if it could.
  package var error: VerifyError? {
    if case .unreadable(let error) = outcome { error } else { nil }
  }

  /// An attack classified as live, or the reverse.
  package var isError: Bool { isClassified(as: label.isBonaFide ? .presentationAttack : .live) }
  /// Classified correctly.
  package var isRight: Bool { isClassified(as: label.isBonaFide ? .live : .presentationAttack) }

  private func isClassified(as result: LivenessDecision.Result) -> Bool {
    if case .decided(result) = outcome { true } else { false }
  }
}

/// What was presented to the camera: a living person, or an attack with an instrument of one species.
package struct PresentationLabel: Sendable, Hashable {
  /// For example "print"; nil for a bona fide presentation.
  package let species: String?
  /// Made from a living person's pictures, not filmed; weaker evidence than a real attack.
  package let isSimulated: Bool

  package var isBonaFide: Bool { species == nil }

  /// A display name; marks simulated species.
  package var name: String {
    guard let species else { return "live" }
    return isSimulated && !species.hasPrefix(Self.simulated) ? "\(species) (simulated)" : species
  }

  private static let simulated = "simulated-"

  /// - Parameters:
  ///   - label: "live" or "bona-fide"; or "attack", "spoof" or "simulated" with a species; or a species. A species is
  ///     simulated if its name begins with "simulated-".
  ///   - species: empty if only the label states it.
  ///   - isSimulated: whether it is marked as simulated other than by the label.
  /// - Throws: ``VerifyError/Code/badArgument`` for a label that does not identify the presentation.
  package init(_ label: String, species: String = "", isSimulated: Bool = false) throws {
    switch (label.lowercased(), species.isEmpty) {
    case ("live", true), ("bona-fide", true), ("bonafide", true):
      (self.species, self.isSimulated) = (nil, false)
    case ("live", false), ("bona-fide", false), ("bonafide", false):
      throw VerifyError(.badArgument, "\"\(label)\" is not an attack and has no species such as \"\(species)\"")
    case ("attack", true), ("spoof", true), ("fake", true), ("simulated", true), ("", true):
      throw VerifyError(
        .badArgument, "\"\(label)\" does not name the species of the attack, such as \"print\" or \"screen\"")
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
