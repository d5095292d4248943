/// The share of the script's challenges that were met, each when requested and with no other movement.
struct ChallengeCompliance: LivenessMeasuring {
  static let signal = LivenessSignal.challengeCompliance
  static let unit = "share"
  static let source = "the script: each challenge must be met"
  let minimum: Double? = 1

  private(set) var script: ScriptProgress?

  init(_ context: LivenessContext) { script = context.script }

  mutating func add(_ frame: LivenessFrame) {
    script?.update(frame.smoothed, at: frame.time, received: frame.received)
  }

  var measured: Measured {
    guard let script else { return .unavailable("No challenge was requested.") }
    guard script.isOver else { return .unavailable("The stream ended before the script did.") }
    guard script.phase == .failed || script.script.prompts.contains(where: { $0.challenge.needsFace }) else {
      return .unavailable(
        "A moved picture could answer this script: add a blink, a turn, a smile, an open mouth or a path.")
    }
    let met = script.answers.count { $0.outcome == .passed }
    return .value(Double(met) / Double(script.script.prompts.count))
  }

  var failure: String {
    guard let answer = script?.answers.last else { return "" }
    switch answer.outcome {
    case .passed: return ""
    case .timeout: return "\(answer.challenge) was not met before its timeout."
    case .notFollowed:
      guard let match = answer.match else { return "The face was not seen during the whole path." }
      guard match.isSimilar else { return "The face did not follow the path: least in \(match.weakest.rawValue)." }
      return "The path was followed faster than a person can react, or too late."
    case .wrongMovement:
      if answer.asked != nil, answer.movement == answer.challenge {
        return "\(answer.challenge) was answered faster than a person can react."
      }
      return answer.asked == nil
        ? "\(answer.movement?.rawValue ?? "A movement") occurred while no challenge was due."
        : "\(answer.challenge) was due, and \(answer.movement?.rawValue ?? "another movement") occurred."
    case .interrupted: return "The face was out of the frame for too long while \(answer.challenge) was due."
    }
  }
}
