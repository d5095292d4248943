/// Presentation-attack-detection rates of one policy; rates of different policies are not comparable.
package struct LivenessEvaluation: Sendable {
  package let policy: LivenessPolicy
  /// Nil without bona fide presentations.
  package let bonaFide: SpeciesTally?
  /// Attack species by name, simulated ones last.
  package let species: [SpeciesTally]
  /// The source of the presentations; nil for all sources.
  package let source: String?
  /// The evaluation of each source, by name; empty unless there are at least two.
  package let sources: [LivenessEvaluation]

  package init(_ policy: LivenessPolicy, _ presentations: [Presentation]) {
    let judged = presentations.filter { $0.policy == policy.name }
    let bySource = Dictionary(grouping: judged.filter { $0.source != nil }) { $0.source ?? "" }
    self.init(
      policy, judged, source: nil,
      sources: bySource.count < 2
        ? []
        : bySource.sorted { $0.key < $1.key }.map {
          LivenessEvaluation(policy, $0.value, source: $0.key, sources: [])
        })
  }

  private init(_ policy: LivenessPolicy, _ judged: [Presentation], source: String?, sources: [LivenessEvaluation]) {
    (self.policy, self.source, self.sources) = (policy, source, sources)
    let tallies = Self.tallies(judged)
    bonaFide = tallies.first { $0.label.isBonaFide }
    species = tallies.filter { !$0.label.isBonaFide }
  }

  /// Returns one tally per label: bona fide first, simulated attacks last.
  private static func tallies(_ presentations: [Presentation]) -> [SpeciesTally] {
    var tallies: [PresentationLabel: SpeciesTally] = [:]
    for presentation in presentations {
      tallies[presentation.label, default: SpeciesTally(presentation.label)].add(presentation)
    }
    func rank(_ label: PresentationLabel) -> Int { label.isBonaFide ? 0 : label.isSimulated ? 2 : 1 }
    return tallies.values.sorted { (rank($0.label), $0.label.name) < (rank($1.label), $1.label.name) }
  }

  /// Returns one evaluation per policy with presentations, in the order of ``LivenessPolicy/all``.
  package static func each(_ presentations: [Presentation]) -> [LivenessEvaluation] {
    let names = Set(presentations.map(\.policy))
    return LivenessPolicy.all.filter { names.contains($0.name) }.map { LivenessEvaluation($0, presentations) }
  }

  package var tallies: [SpeciesTally] { (bonaFide.map { [$0] } ?? []) + species }

  /// The attack species with the highest APCER, which characterises the policy (ISO/IEC 30107-3). Simulated species are
  /// excluded. nil without classified attacks.
  package var worst: SpeciesTally? {
    func rank(_ tally: SpeciesTally) -> (Double, Double) {
      (tally.classificationError.value ?? 0, tally.classificationError.bounds?.upper ?? 0)
    }
    // Ties are broken by the higher upper bound.
    return species.filter { !$0.label.isSimulated && $0.classificationError.trials > 0 }.max { rank($0) < rank($1) }
  }

  /// Required signals that were not checked for any presentation; the policy can then never decide `live`.
  package var neverChecked: [LivenessSignal] {
    let checked = Set(tallies.flatMap(\.signals).filter { $0.passed + $0.failed > 0 }.map(\.signal))
    return LivenessSignal.allCases.filter { policy.required.contains($0) && !checked.contains($0) }
  }
}

extension LivenessEvaluation: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "policy": policy.jsonValue, "bonaFide": bonaFide?.jsonValue ?? .null, "species": species.jsonValue,
      "sources": .array(sources.map { ["source": .optional($0.source), "species": $0.tallies.jsonValue] }),
      "highestAPCER": worst.map {
        ["species": .string($0.label.name), "apcer": $0.classificationError.jsonValue]
      } ?? .null,
      "neverChecked": .array(neverChecked.map { .string($0.rawValue) }),
    ]
  }
}

extension Presentation: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "path": .string(path), "bonaFide": .bool(label.isBonaFide), "species": .optional(label.species),
      "simulated": .bool(label.isSimulated), "subject": .optional(subject), "source": .optional(source),
      "policy": .string(policy), "script": .array(script.map { .string($0.rawValue) }), "result": .string(result),
      "reasons": reasons.jsonValue, "retry": .optional(retry?.rawValue), "frames": .integer(frames),
      "seconds": .rounded(seconds, 3), "interruption": .optional(interruption),
      "error": error?.jsonValue["error"] ?? .null,
      "checks": .array(
        checks.map {
          ["signal": .string($0.name.rawValue), "status": .string($0.status.rawValue), "value": .rounded($0.value, 4)]
        }),
    ]
  }
}
