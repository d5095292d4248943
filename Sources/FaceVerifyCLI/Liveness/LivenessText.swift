import FaceVerify
import Glibc

enum LivenessText {
  static func title(_ decision: LivenessDecision) -> String {
    let policy = "by the policy \"\(decision.policy.name)\""
    return switch decision.result {
    case .live: "live by \(presence(decision.presence())), \(policy)"
    case .presentationAttack: "presentation attack, \(policy)"
    case .undecided: "undecided, \(policy)" + (decision.retry.map { ": \($0.rawValue)" } ?? "")
    }
  }

  private static func presence(_ presence: Assurance.Presence) -> String {
    switch presence {
    case .none, .photo: "one photo alone: presence was not proved"
    case .passiveVideo: "a video without challenges"
    case .challengeAnswered, .trustedCapture: "challenges that were answered"
    }
  }

  static func text(_ decision: LivenessDecision, on console: Console) -> String {
    var text = console.styled(title(decision), decision.result.style) + "\n"
    var table = Table()
    for check in decision.checks {
      table.add(
        .init(check.name.rawValue),
        .init(check.status.rawValue, check.status == .notChecked ? .faint : check.status.style),
        .init(value(check), right: true), .init(range(check)), .init(check.text))
    }
    text += table.text(indent: 2, on: console)
    for answer in decision.answers { text += "  \(describe(answer, from: decision.span?.lowerBound ?? 0))\n" }
    if let span = decision.span {
      let seconds = Text.number(span.upperBound - span.lowerBound, 2)
      text += "  \(Text.counted(decision.chain.count, "frame")) in \(seconds) s"
      if decision.rotation != 0 { text += ", rotated by \(decision.rotation) degrees" }
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
      "  attacks that this policy accepted in its evaluation: \(rates.joined(separator: ", "))", .faint) + "\n"
  }

  /// - Parameter start: the first time of the stream, whose clock has any origin.
  static func describe(_ answer: ScriptProgress.Answer, from start: Double) -> String {
    let asked = answer.asked.map { "asked at \(Text.number($0 - start, 2)) s, " } ?? "not asked yet, "
    let movement = answer.movement.map { " (\($0.rawValue))" } ?? ""
    let ended = Text.number(answer.ended - start, 2)
    return "\(answer.challenge): \(asked)\(answer.outcome.rawValue)\(movement) at \(ended) s"
  }

  static func value(_ check: LivenessCheck) -> String { check.value.map(Text.short) ?? "-" }

  static func range(_ check: LivenessCheck) -> String {
    let range = Text.range(check.minimum, check.maximum)
    return range.isEmpty ? check.unit : "\(range) \(check.unit)"
  }
}

extension LivenessDecision.Result {
  var style: Style { self == .live ? .good : self == .presentationAttack ? .bad : .caution }
  var check: CheckStatus { self == .live ? .passed : self == .presentationAttack ? .failed : .notChecked }
}

/// Shows instructions to the person on the terminal: in one line that is rewritten, or in one line per change.
struct LiveGuidance {
  private let console: Console
  private var last = ""

  init(on console: Console) { self.console = console }

  mutating func show(_ state: LivenessFeedback) {
    let isTerminal = console.showsMessagesOnTerminal
    let text = Self.text(state, counts: isTerminal)
    guard text != last, !console.isQuiet else { return }
    last = text
    console.progress(isTerminal ? "\(Self.bar(state.progress)) \(text)" : "\(Text.number(state.time, 2)) s  \(text)")
  }

  func end() {
    if !last.isEmpty { console.endProgress() }
  }

  /// - Parameter counts: whether to include the remaining seconds of a hold.
  static func text(_ state: LivenessFeedback, counts: Bool = true) -> String {
    if let hint = state.hint, hint != .holdStill { return hint.text }
    if state.phase == .holding, let left = state.secondsLeft {
      return counts ? "Hold still, \(Text.number(left, 1)) s" : "Hold still."
    }
    if state.phase == .returning { return "Look ahead again." }
    if let target = state.target { return "Follow: \(movement(target.movement))" }
    return state.challenge?.text ?? "Look into the camera."
  }

  private static func movement(_ movement: FollowPath.Movement) -> String {
    switch movement {
    case .moveLeft: "Move to your left."
    case .moveRight: "Move to your right."
    default: Challenge(rawValue: movement.rawValue).text
    }
  }

  private static func bar(_ progress: Double) -> String {
    let full = Int((progress * 10).rounded())
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: 10 - full) + "]"
  }
}
