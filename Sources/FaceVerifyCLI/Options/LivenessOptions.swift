import ArgumentParser
import FaceVerify

/// What a session asks for and how it is judged.
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

  @Option(
    help: ArgumentHelp(
      "Draw the script from this nonce, 32 to 128 hexadecimal digits, and bind the result to it.", valueName: "hex"))
  var nonce: String?

  @Option(help: ArgumentHelp("How many challenges to draw from the nonce.", valueName: "number"))
  var challenges: Int = 3

  @Option(help: ArgumentHelp("Seconds for each challenge, 2 to 30.", valueName: "seconds"))
  var challengeTimeout: Double = 8

  @Option(help: ArgumentHelp("Seconds for the whole session, 5 to 900.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "The frames show the person as a mirror does.")
  var mirrored = false

  @Option(
    help: ArgumentHelp("Turn the frames clockwise by 0, 90, 180 or 270 degrees.", valueName: "degrees"))
  var rotation: Int = 0

  enum PolicyName: String, ExpressibleByArgument, CaseIterable {
    case standard, strict
    case passiveOnly = "passive-only"
    case photo

    var policy: LivenessPolicy {
      switch self {
      case .standard: .standard
      case .strict: .strict
      case .passiveOnly: .passiveOnly
      case .photo: .photo
      }
    }
  }

  func configuration(timeout standard: Double) -> LivenessSession.Configuration {
    var configuration = LivenessSession.Configuration()
    configuration.policy = policy?.policy ?? (script == nil && nonce == nil ? .passiveOnly : .standard)
    configuration.isMirrored = mirrored
    configuration.rotation = rotation
    configuration.challengeTimeout = challengeTimeout
    configuration.timeout = timeout ?? standard
    return configuration
  }

  /// The session's nonce and script.
  func plan() throws -> (nonce: [UInt8], script: ChallengeScript?) {
    let nonce = try self.nonce.map(Self.bytes) ?? []
    if let script {
      let steps = try script.split(separator: ",").map { name in
        try ChallengeScript.Step(Self.challenge(String(name)))
      }
      return (nonce, try ChallengeScript(steps: steps))
    }
    return (nonce, nonce.isEmpty ? nil : try ChallengeScript(nonce: nonce, count: challenges))
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

  private static func bytes(_ text: String) throws -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2), !digits.isEmpty else {
      throw VerifyError(.badArgument, "a nonce is an even number of hexadecimal digits, not \"\(text)\"")
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}
