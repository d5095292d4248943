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
