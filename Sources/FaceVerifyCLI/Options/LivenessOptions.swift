public import ArgumentParser
public import FaceVerify

struct LivenessOptions: ParsableArguments {
  @Option(
    help: .init(
      "The liveness policy: standard, strict, passive-only or photo; default: standard with a script, passive-only "
        + "without.", "policy"))
  var policy: LivenessPolicy?
  @Option(
    help: .init(
      "The challenges, in this order: \(Challenge.allCases.map(\.rawValue).joined(separator: ", ")); left, right, up "
        + "and down are short for the turns. follow:HEX has the path of this nonce, follow that of a random one.",
      "list"))
  var script: String?
  @Option(help: .init("Seconds for each challenge, 2 to 30.", "seconds")) var challengeTimeout: Double = 8
  @Option(help: .init("Seconds for the whole session, 5 to 900.", "seconds")) var sessionTimeout: Double?
  @Flag(help: "The frames are mirrored.") var mirrored = false

  /// The policy that the options or, for videos, the configuration file name.
  func named(isPhoto: Bool = false) -> LivenessPolicy? { policy ?? (isPhoto ? nil : Settings.current.policy) }

  func configuration(timeout standard: Double, hasScript: Bool) -> LivenessSession.Configuration {
    var configuration = LivenessSession.Configuration()
    configuration.policy = named() ?? (hasScript ? .standard : .passiveOnly)
    configuration.isMirrored = mirrored
    (configuration.challengeTimeout, configuration.timeout) = (challengeTimeout, sessionTimeout ?? standard)
    return configuration
  }

  static func script(_ list: String) throws -> ChallengeScript {
    let short: [String: Challenge] = ["left": .turnLeft, "right": .turnRight, "up": .lookUp, "down": .lookDown]
    let names = list.split(separator: ",").map(String.init)
    return try ChallengeScript(
      prompts: names.map { name in
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.first == Challenge.follow.rawValue else {
          return try ChallengeScript.Prompt(short[name] ?? Challenge(rawValue: name))
        }
        let nonce =
          try parts.count == 1
          ? randomBytes(ChallengeScript.minimumNonceBytes) : NonceOptions.bytes(of: parts[1])
        return try ChallengeScript.Prompt(.follow, path: FollowPath(nonce: nonce))
      })
  }
}

extension LivenessPolicy: ExpressibleByArgument {
  public init?(argument: String) {
    guard let policy = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = policy
  }

  public static var allValueStrings: [String] { all.map(\.name) }
}

struct NonceOptions: ParsableArguments {
  @Option(
    help: .init(
      "Draw a script of three challenges from this nonce, 32 to 128 hexadecimal digits, and bind the result to it.",
      "hex"))
  var nonce: String?

  /// Empty without one.
  func bytes() throws -> [UInt8] {
    try nonce.map(Self.bytes(of:)) ?? []
  }

  static func bytes(of nonce: String) throws -> [UInt8] {
    guard let bytes = decodedHexadecimal(nonce), !bytes.isEmpty else {
      throw VerifyError(.badArgument, "a nonce is an even number of hexadecimal digits, not \"\(nonce)\"")
    }
    return bytes
  }
}
