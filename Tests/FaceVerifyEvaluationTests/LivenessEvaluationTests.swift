import Testing

@testable import FaceVerify
@testable import FaceVerifyEvaluation

@Suite("Liveness evaluation")
struct LivenessEvaluationTests {
  private func presentations(
    _ label: String, species: String = "", live: Int = 0, attacks: Int = 0, undecided: Int = 0, noFace: Int = 0,
    unreadable: Int = 0, policy: LivenessPolicy = .photo, source: String? = nil
  ) throws -> [Presentation] {
    let label = try PresentationLabel(label, species: species)
    let outcomes: [(Int, Presentation.Outcome)] = [
      (live, .decided(.live)), (attacks, .decided(.presentationAttack)), (undecided, .decided(.undecided)),
      (noFace, .notAcquired), (unreadable, .unreadable(VerifyError(.damaged, "x"))),
    ]
    return outcomes.flatMap { count, outcome in
      (0..<count).map {
        Presentation(path: "\($0)", label: label, source: source, policy: policy.name, outcome: outcome)
      }
    }
  }

  @Test("rates are those of ISO/IEC 30107-3: errors among responses, with non-responses separate")
  func rates() throws {
    let all =
      try presentations("live", live: 7, attacks: 3, undecided: 5, noFace: 2, unreadable: 1)
      + presentations("print", live: 1, attacks: 9, undecided: 4, noFace: 3, unreadable: 2)
    let evaluation = LivenessEvaluation(.photo, all)
    let live = try #require(evaluation.bonaFide)
    #expect(live.presentations == 18 && live.unreadable == 1)
    #expect(live.failureToAcquire == ErrorRate(2, of: 17))
    #expect(live.nonResponse == ErrorRate(5, of: 15))
    #expect(live.classificationError == ErrorRate(3, of: 10))
    #expect(live.accepted == ErrorRate(7, of: 17))
    let prints = try #require(evaluation.species.first)
    #expect(prints.classificationError == ErrorRate(1, of: 10))
    #expect(prints.nonResponse == ErrorRate(4, of: 14) && prints.accepted == ErrorRate(1, of: 17))
  }

  @Test("the worst species counts, but no simulated one")
  func worst() throws {
    let all =
      try presentations("screen", live: 1, attacks: 3) + presentations("print", live: 2, attacks: 2)
      + presentations("mask", undecided: 3) + presentations("simulated-mask", live: 3)
      + presentations("simulated", species: "print", live: 4)
    let evaluation = LivenessEvaluation(.photo, all)
    #expect(evaluation.worst?.label.name == "print")
    #expect(
      evaluation.species.map(\.label.name) == ["mask", "print", "screen", "print (simulated)", "simulated-mask"])
    #expect(evaluation.bonaFide == nil)
  }

  @Test("each source has separate rates in addition to the overall ones, unless it is the only one")
  func sources() throws {
    let phone =
      try presentations("live", live: 5, source: "phone") + presentations("print", live: 1, attacks: 1, source: "phone")
    let webcam = try presentations("live", live: 1, attacks: 2, source: "webcam")
    let evaluation = LivenessEvaluation(.photo, try webcam + phone + presentations("print", attacks: 2))
    #expect(evaluation.sources.map(\.source) == ["phone", "webcam"])
    #expect(evaluation.sources.map { $0.bonaFide?.classificationError } == [ErrorRate(0, of: 5), ErrorRate(2, of: 3)])
    #expect(evaluation.sources.map { $0.species.map(\.classificationError) } == [[ErrorRate(1, of: 2)], []])
    #expect(evaluation.bonaFide?.classificationError == ErrorRate(2, of: 8))
    #expect(evaluation.species.first?.classificationError == ErrorRate(1, of: 4))
    #expect(LivenessEvaluation(.photo, phone).sources.isEmpty)
  }

  @Test("policies are evaluated separately")
  func policies() throws {
    let all = try presentations("live", live: 1) + presentations("live", attacks: 2, policy: .passiveOnly)
    let evaluations = LivenessEvaluation.each(all)
    #expect(evaluations.map(\.policy.name) == ["passive-only", "photo"])
    #expect(evaluations.map { $0.bonaFide?.classificationError } == [ErrorRate(2, of: 2), ErrorRate(0, of: 1)])
    // No signal was checked.
    #expect(evaluations.allSatisfy { $0.neverChecked.count == $0.policy.required.count })
  }

  @Test("labels must state what was presented")
  func labels() throws {
    #expect(try PresentationLabel("Live").isBonaFide && PresentationLabel("bona-fide").isBonaFide)
    let attack = try PresentationLabel("attack", species: "print")
    #expect(try attack == PresentationLabel("print") && !attack.isSimulated)
    let simulated = try PresentationLabel("simulated", species: "print")
    #expect(simulated.isSimulated && simulated.species == "print" && simulated != attack)
    #expect(try PresentationLabel("simulated-print").isSimulated)
    for (label, species) in [
      ("attack", ""), ("", ""), ("real", ""), ("1", ""), ("genuine", "x"), ("live", "print"), ("simulated", ""),
    ] {
      #expect(throws: VerifyError.self, "\(label)") { try PresentationLabel(label, species: species) }
    }
  }
}
