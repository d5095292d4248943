import FaceVerify

/// A liveness decision as text.
enum LivenessText {
  static func title(_ decision: LivenessDecision) -> String {
    switch decision.result {
    case .live:
      "live by \(Self.presence(decision.presence())), by the policy \"\(decision.policy.name)\""
    case .presentationAttack: "presentation attack, by the policy \"\(decision.policy.name)\""
    case .undecided:
      "could not tell, by the policy \"\(decision.policy.name)\"" + (decision.retry.map { ": \($0.rawValue)" } ?? "")
    }
  }

  private static func presence(_ presence: Assurance.Presence) -> String {
    switch presence {
    case .none, .photo: "one photo alone: nobody was shown to be present"
    case .passiveVideo: "a video in which nothing was asked"
    case .challengeAnswered, .trustedCapture: "challenges that were answered"
    }
  }

  static func style(_ result: LivenessDecision.Result) -> Style {
    switch result {
    case .live: .good
    case .presentationAttack: .bad
    case .undecided: .caution
    }
  }

  static func colour(_ result: LivenessDecision.Result) -> UInt32 {
    switch result {
    case .live: FaceMarks.Colour.taken
    case .presentationAttack: FaceMarks.Colour.refused
    case .undecided: FaceMarks.Colour.caution
    }
  }

  static func text(_ decision: LivenessDecision, on console: Console) -> String {
    var text = console.styled(title(decision), style(decision.result)) + "\n"
    var table = Table()
    for check in decision.checks {
      let (word, style) = word(check.status)
      table.add(
        .init(check.signal.rawValue), .init(word, style), .init(value(check), right: true), .init(range(check)),
        .init(check.text))
    }
    text += table.text(indent: 2, on: console)
    for answer in decision.answers { text += "  \(describe(answer, from: decision.span?.lowerBound ?? 0))\n" }
    if let span = decision.span {
      let count = decision.chain.count
      text += "  \(count) frame\(count == 1 ? "" : "s") in \(Text.number(span.upperBound - span.lowerBound, 2)) s"
      if decision.refusedFrames > 0 { text += ", \(decision.refusedFrames) refused" }
      text += ", models \(decision.modelVersion.set)\n"
    }
    return text + measured(decision.policy, on: console)
  }

  /// The attacks that a policy without challenges is known to accept.
  private static func measured(_ policy: LivenessPolicy, on console: Console) -> String {
    guard !policy.required.contains(.challengeCompliance), !policy.measured.isEmpty else { return "" }
    let rates = policy.measured.map { measured in
      "\(measured.accepted) of \(measured.of) \(measured.species)" + (measured.isSimulated ? " (simulated)" : "")
    }
    return console.styled(
      "  attacks that this policy took for living when it was measured: \(rates.joined(separator: ", "))", .faint)
      + "\n"
  }

  /// - Parameter start: the first time of the stream, whose clock has any origin.
  static func describe(_ answer: ScriptProgress.Answer, from start: Double) -> String {
    let asked = answer.asked.map { "asked at \(Text.number($0 - start, 2)) s, " } ?? "not asked yet, "
    let movement = answer.movement.map { " (\($0.rawValue))" } ?? ""
    let ended = Text.number(answer.ended - start, 2)
    return "\(answer.challenge): \(asked)\(answer.outcome.rawValue)\(movement) at \(ended) s"
  }

  static func word(_ status: CheckStatus) -> (String, Style) {
    switch status {
    case .passed: ("passed", .good)
    case .failed: ("failed", .bad)
    case .notChecked: ("not checked", .faint)
    }
  }

  static func value(_ check: LivenessCheck) -> String { check.value.map(Text.short) ?? "-" }

  static func range(_ check: LivenessCheck) -> String {
    switch (check.minimum, check.maximum) {
    case (let low?, let high?): "\(Text.limit(low)) to \(Text.limit(high)) \(check.unit)"
    case (let low?, nil): "at least \(Text.limit(low)) \(check.unit)"
    case (nil, let high?): "at most \(Text.limit(high)) \(check.unit)"
    case (nil, nil): check.unit
    }
  }
}
