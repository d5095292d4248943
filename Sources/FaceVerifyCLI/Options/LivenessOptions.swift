import ArgumentParser
import FaceVerify

/// The challenges and the policy of a session.
struct LivenessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "standard, strict, passive-only or photo; default: standard with a script, passive-only without.",
      valueName: "policy"))
  var policy: PolicyName?

  @Option(
    help: ArgumentHelp(
      "Ask for these challenges, in this order: \(Challenge.allCases.map(\.rawValue).joined(separator: ", ")); "
        + "left and right alone mean turns.",
      valueName: "list"))
  var script: String?

  @Option(help: ArgumentHelp("Seconds for each challenge, 2 to 30.", valueName: "seconds"))
  var challengeTimeout: Double = 8

  @Option(help: ArgumentHelp("Seconds for the whole session, 5 to 900.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "The frames show the person as a mirror does.")
  var mirrored = false

  @Option(
    help: ArgumentHelp("Turn the frames clockwise by 0, 90, 180 or 270 degrees.", valueName: "degrees"))
  var rotation: Int = 0

  struct PolicyName: ExpressibleByArgument {
    let policy: LivenessPolicy

    init?(argument: String) {
      guard let policy = LivenessPolicy.all.first(where: { $0.name == argument }) else { return nil }
      self.policy = policy
    }

    static var allValueStrings: [String] { LivenessPolicy.all.map(\.name) }
  }

  /// - Parameter hasScript: whether there are challenges.
  func configuration(timeout standard: Double, hasScript: Bool) -> LivenessSession.Configuration {
    var configuration = LivenessSession.Configuration()
    configuration.policy = policy?.policy ?? (hasScript ? .standard : .passiveOnly)
    configuration.isMirrored = mirrored
    configuration.rotation = rotation
    configuration.challengeTimeout = challengeTimeout
    configuration.timeout = timeout ?? standard
    return configuration
  }

  /// Returns a script of these challenges, in this order.
  static func script(_ list: String) throws -> ChallengeScript {
    try ChallengeScript(prompts: list.split(separator: ",").map { try ChallengeScript.Prompt(challenge(String($0))) })
  }

  private static func challenge(_ name: String) -> Challenge {
    switch name {
    case "left": .turnLeft
    case "right": .turnRight
    case "up": .lookUp
    case "down": .lookDown
    default: Challenge(rawValue: name)
    }
  }
}
