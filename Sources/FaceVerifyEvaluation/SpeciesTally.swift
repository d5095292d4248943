/// The presentations of one label under one policy, counted as in ISO/IEC 30107-3.
package struct SpeciesTally: Sendable {
  /// How often a check had each status.
  package struct SignalCount: Sendable {
    package let signal: LivenessSignal
    package internal(set) var passed = 0
    package internal(set) var failed = 0
    package internal(set) var notChecked = 0
  }

  package let label: PresentationLabel
  /// All presentations, including unreadable ones.
  package private(set) var presentations = 0
  package private(set) var unreadable = 0
  package private(set) var notAcquired = 0
  package private(set) var undecided = 0
  package private(set) var live = 0
  package private(set) var attacks = 0
  /// In the order of a decision's checks.
  package private(set) var signals: [SignalCount] = []
  private var seconds: [Double] = []
  private var people: Set<String> = []
  private var isAnonymous = false

  init(_ label: PresentationLabel) { self.label = label }

  mutating func add(_ presentation: Presentation) {
    presentations += 1
    if let subject = presentation.subject { people.insert(subject) } else { isAnonymous = true }
    switch presentation.outcome {
    case .unreadable: unreadable += 1
    case .notAcquired: notAcquired += 1
    case .decided(.undecided): undecided += 1
    case .decided(.live): live += 1
    case .decided(.presentationAttack): attacks += 1
    }
    if case .decided = presentation.outcome { seconds.append(presentation.seconds) }
    for check in presentation.checks {
      let i = signals.firstIndex { $0.signal == check.name } ?? signals.count
      if i == signals.count { signals.append(SignalCount(signal: check.name)) }
      switch check.status {
      case .passed: signals[i].passed += 1
      case .failed: signals[i].failed += 1
      case .notChecked: signals[i].notChecked += 1
      }
    }
  }

  /// The median time to the decision; nil without one.
  package var secondsToDecision: Double? { seconds.median }
  /// The number of subjects; nil if it is unknown for a presentation.
  package var subjects: Int? { isAnonymous ? nil : people.count }
  private var readable: Int { presentations - unreadable }

  /// The share of readable presentations without a face.
  package var failureToAcquire: ErrorRate { ErrorRate(notAcquired, of: readable) }
  /// The share of acquired presentations that are undecided (APNRR or BPNRR).
  package var nonResponse: ErrorRate { ErrorRate(undecided, of: readable - notAcquired) }
  /// The share of classified presentations that are misclassified (APCER or BPCER).
  package var classificationError: ErrorRate { ErrorRate(label.isBonaFide ? attacks : live, of: live + attacks) }
  /// The share of readable presentations classified as live.
  package var accepted: ErrorRate { ErrorRate(live, of: readable) }
}

extension SpeciesTally: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "species": .optional(label.species), "bonaFide": .bool(label.isBonaFide), "simulated": .bool(label.isSimulated),
      "presentations": .integer(presentations), "subjects": .optional(subjects), "unreadable": .integer(unreadable),
      "live": .integer(live), "presentationAttack": .integer(attacks), "failureToAcquire": failureToAcquire.jsonValue,
      label.isBonaFide ? "bpnrr" : "apnrr": nonResponse.jsonValue,
      label.isBonaFide ? "bpcer" : "apcer": classificationError.jsonValue,
      "accepted": accepted.jsonValue, "seconds": .rounded(secondsToDecision, 1),
      "signals": .array(
        signals.map {
          [
            "signal": .string($0.signal.rawValue), "passed": .integer($0.passed), "failed": .integer($0.failed),
            "notChecked": .integer($0.notChecked),
          ]
        }),
    ]
  }
}
