/// The share of the script's challenges that were met, each when requested and with no other movement.
struct ChallengeCompliance: LivenessMeasuring {
  static let signal = LivenessSignal.challengeCompliance
  static let unit = "share"
  static let source = "the script: each of its challenges is to be met"
  let minimum: Double? = 1

  private var script: ScriptProgress?

  init(_ context: LivenessContext) { script = context.script }

  mutating func add(_ frame: LivenessFrame) { script = frame.script }

  var measured: Measured {
    guard let script else { return .unavailable("Nothing was asked for.") }
    guard script.isOver else { return .unavailable("The stream ended before the script did.") }
    guard script.phase == .failed || script.script.prompts.contains(where: { $0.challenge.needsFace }) else {
      return .unavailable(
        "A picture that is moved could answer this script: ask for a blink, a turn, a smile or an open mouth, too.")
    }
    let met = script.answers.count { $0.outcome == .passed }
    return .value(Double(met) / Double(script.script.prompts.count))
  }

  var failure: String {
    guard let answer = script?.answers.last else { return "" }
    switch answer.outcome {
    case .passed: return ""
    case .timeout: return "\(answer.challenge) was asked for and not met in time."
    case .wrongMovement:
      if answer.asked != nil, answer.movement == answer.challenge {
        return "\(answer.challenge) came before anybody could have seen that it was asked for."
      }
      return answer.asked == nil
        ? "\(answer.movement?.rawValue ?? "A movement") came when nothing was asked for."
        : "\(answer.challenge) was asked for, and \(answer.movement?.rawValue ?? "another movement") came."
    case .interrupted: return "The face was gone for too long while \(answer.challenge) was due."
    }
  }
}
