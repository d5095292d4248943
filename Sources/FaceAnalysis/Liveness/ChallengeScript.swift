/// The challenges of a session, in order, each with its hold time.
///
/// The server and the device draw the same script from the same nonce, so that the server can verify later that the
/// answer was given to its own script:
///
///     let script = try ChallengeScript(nonce: nonce)
///     script.prompts.map(\.challenge)   // such as turn-left, blink, open-mouth
///
/// The generator, version 2. Numbers are taken from SHA-256 of the 20 ASCII bytes "faceverify script v2", the number of
/// bytes in the nonce (32 bits, big-endian), the nonce, and the zero-based block number (32 bits, big-endian); each
/// block gives eight 32-bit numbers, big-endian. A number below n is drawn by taking the first number below the largest
/// multiple of n, modulo n. For each prompt, the following are drawn in this order:
///
/// 1. the challenge, among those allowed and not yet drawn, in the order of ``Challenge/allCases``;
/// 2. the hold, 0.5 to 1.0 seconds in steps of 0.1, drawn but unused for a blink and a path;
/// 3. the pause before it, 0.3 to 1.2 seconds in steps of 0.1.
///
/// The path of ``Challenge/follow`` is that of ``FollowPath/init(nonce:)``.
///
/// The prompts must contain a turn, which ``LivenessSignal/eyeMovement`` and ``LivenessSignal/planarity`` judge, and a
/// blink, a smile or an open mouth, which moving a picture does not answer; a path counts for both. Only allowed
/// challenges are required, and of a single prompt, that it is one of these. Otherwise, all are redrawn from the
/// subsequent numbers.
public struct ChallengeScript: Sendable, Hashable {
  /// One challenge of a script; times in seconds.
  public struct Prompt: Sendable, Hashable {
    public let challenge: Challenge
    /// How long the position is held; 0 for a blink.
    public let hold: Double
    /// How long the person looks ahead before the challenge is shown.
    public let pause: Double
    /// The path of ``Challenge/follow``; nil for other challenges.
    public let path: FollowPath?

    /// - Throws: ``VerifyError/Code/badArgument`` for an unknown challenge, times outside 0 to 5 seconds, or a path that
    ///   is missing or has no use.
    public init(_ challenge: Challenge, hold: Double = 0.5, pause: Double = 0.3, path: FollowPath? = nil) throws {
      guard Challenge.allCases.contains(challenge) else {
        throw VerifyError(.badArgument, "unknown challenge \"\(challenge)\"; the challenges are \(Self.all)")
      }
      guard (0...5).contains(hold), (0...5).contains(pause) else {
        throw VerifyError(.badArgument, "hold and pause must be 0 to 5 seconds, not \(hold) and \(pause)")
      }
      guard (challenge == .follow) == (path != nil) else {
        throw VerifyError(
          .badArgument,
          path == nil ? "\(challenge) needs the nonce that its path is drawn from" : "\(challenge) has no path")
      }
      self.challenge = challenge
      self.hold = challenge.isHeld ? hold : 0
      self.pause = pause
      self.path = path
    }

    private static var all: String { Challenge.allCases.map(\.rawValue).joined(separator: ", ") }
  }

  /// 128 bits, twice the challenge entropy required by NIST SP 800-63B (5.1.7.2): nonces never collide.
  public static let minimumNonceBytes = 16
  public static let maximumNonceBytes = 64
  /// The default challenges: possible in any seat, and visible in any light.
  public static let standardChallenges: [Challenge] = [
    .blink, .turnLeft, .turnRight, .lookUp, .lookDown, .tiltLeft, .tiltRight, .smile, .openMouth,
  ]

  /// Seconds; the shortest hold that is drawn.
  static let shortestHold = 0.5

  public let prompts: [Prompt]

  /// - Throws: ``VerifyError/Code/badArgument`` for no prompt, or more than there are challenges.
  public init(prompts: [Prompt]) throws {
    guard (1...Challenge.allCases.count).contains(prompts.count) else {
      throw VerifyError(
        .badArgument, "a script must have 1 to \(Challenge.allCases.count) prompts, not \(prompts.count)")
    }
    self.prompts = prompts
  }

  /// - Parameters:
  ///   - nonce: 16 to 64 bytes, used only once.
  ///   - count: The number of challenges, at most as many as are allowed.
  ///   - allowed: The challenges to draw from; order and repetitions do not matter.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(nonce: [UInt8], count: Int = 3, from allowed: [Challenge] = standardChallenges) throws {
    var numbers = try NonceNumbers("faceverify script v2", nonce: nonce)
    let known = Challenge.allCases.filter(allowed.contains)
    guard known.count == Set(allowed).count else {
      throw VerifyError(.badArgument, "unknown challenge among \(allowed)")
    }
    guard (1...max(1, known.count)).contains(count), !known.isEmpty else {
      throw VerifyError(.badArgument, "\(count) challenges cannot be drawn from \(known.count)")
    }
    var needed = [known.filter(\.turnsHead), known.filter(\.movesFace)].filter { !$0.isEmpty }
    if count < needed.count { needed = [needed.flatMap { $0 }] }
    var prompts: [Prompt]
    repeat {
      var left = known
      prompts = try (0..<count).map { _ in
        let challenge = left.remove(at: numbers.below(left.count))
        let hold = Double(5 + numbers.below(6)) / 10
        return try Prompt(
          challenge, hold: hold, pause: Double(3 + numbers.below(10)) / 10,
          path: challenge == .follow ? FollowPath(nonce: nonce) : nil)
      }
    } while !needed.allSatisfy { group in prompts.contains { group.contains($0.challenge) } }
    try self.init(prompts: prompts)
  }
}

/// A movement requested of a person. Directions are the person's own: "turn-left" is to their left.
public struct Challenge: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Close both eyes together and open them again.
  public static let blink = Challenge(rawValue: "blink")
  public static let turnLeft = Challenge(rawValue: "turn-left")
  public static let turnRight = Challenge(rawValue: "turn-right")
  public static let lookUp = Challenge(rawValue: "look-up")
  public static let lookDown = Challenge(rawValue: "look-down")
  /// Tilt the head towards the left shoulder.
  public static let tiltLeft = Challenge(rawValue: "tilt-left")
  /// Tilt the head towards the right shoulder.
  public static let tiltRight = Challenge(rawValue: "tilt-right")
  public static let smile = Challenge(rawValue: "smile")
  public static let openMouth = Challenge(rawValue: "open-mouth")
  public static let moveCloser = Challenge(rawValue: "move-closer")
  public static let moveBack = Challenge(rawValue: "move-back")
  public static let holdStill = Challenge(rawValue: "hold-still")
  /// Follow a moving target in position, size and direction: ``FollowPath``.
  public static let follow = Challenge(rawValue: "follow")

  /// All challenges, in the order that defines their numbers in ``ChallengeScript``. The order is fixed in all
  /// releases: new challenges are appended.
  public static let allCases: [Challenge] = [
    .blink, .turnLeft, .turnRight, .lookUp, .lookDown, .tiltLeft, .tiltRight, .smile, .openMouth, .moveCloser,
    .moveBack, .holdStill, .follow,
  ]

  /// One sentence that asks the person for it.
  public var text: String {
    switch self {
    case .blink: "Blink."
    case .turnLeft: "Turn your head to your left."
    case .turnRight: "Turn your head to your right."
    case .lookUp: "Look up."
    case .lookDown: "Look down."
    case .tiltLeft: "Tilt your head to your left shoulder."
    case .tiltRight: "Tilt your head to your right shoulder."
    case .smile: "Smile."
    case .openMouth: "Open your mouth."
    case .moveCloser: "Come closer."
    case .moveBack: "Move back."
    case .holdStill: "Hold still."
    case .follow: "Follow the oval, and point your nose at its dot."
    default: rawValue
    }
  }

  /// Whether moving, tilting or bending a picture in front of the camera cannot answer it: it requires movement within
  /// the face, or depth.
  package var needsFace: Bool { turnsHead || movesFace }

  package var turnsHead: Bool { [.turnLeft, .turnRight, .follow].contains(self) }

  package var movesFace: Bool { [.blink, .smile, .openMouth, .follow].contains(self) }

  /// Whether the person holds the position before returning.
  var isHeld: Bool { self != .blink && self != .follow }
}

/// Numbers drawn from a nonce as ``ChallengeScript`` documents; the label separates independent sequences.
struct NonceNumbers {
  private let prefix: [UInt8]
  private var block: UInt32 = 0
  private var numbers: ArraySlice<UInt32> = []

  init(_ label: String, nonce: [UInt8]) throws {
    let sizes = ChallengeScript.minimumNonceBytes...ChallengeScript.maximumNonceBytes
    guard sizes.contains(nonce.count) else {
      throw VerifyError(
        .badArgument, "a nonce must have \(sizes.lowerBound) to \(sizes.upperBound) bytes, not \(nonce.count)")
    }
    prefix = Array(label.utf8) + Self.bytes(UInt32(nonce.count)) + nonce
  }

  mutating func below(_ count: Int) -> Int {
    let count = UInt32(count)
    // The largest 32-bit value below a multiple of `count`: rejecting larger ones makes all remainders equally likely.
    let last = UInt32.max - (UInt32.max % count + 1) % count
    while true {
      let number = next()
      if number <= last { return Int(number % count) }
    }
  }

  private mutating func next() -> UInt32 {
    if numbers.isEmpty {
      let hash = sha256Bytes(prefix + Self.bytes(block))
      block += 1
      numbers = stride(from: 0, to: 32, by: 4).map { i in hash[i..<i + 4].reduce(0) { $0 << 8 | UInt32($1) } }[...]
    }
    return numbers.removeFirst()
  }

  private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

extension ChallengeScript: JSONConvertible {
  public var jsonValue: JSONValue {
    .array(
      prompts.map {
        var members: [String: JSONValue] = [
          "challenge": .string($0.challenge.rawValue), "hold": .rounded($0.hold, 1), "pause": .rounded($0.pause, 1),
        ]
        members["path"] = $0.path?.memberJSON
        return .object(members)
      })
  }
}

extension ChallengeScript: JSONMemberValue {
  package var memberJSON: JSONValue { jsonValue }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard case .array(let prompts) = json else { throw reader.wrong(name, "a list") }
    try self.init(
      prompts: prompts.map { prompt in
        var reader = try MemberReader(prompt, of: "a prompt")
        let made = try Prompt(
          Challenge(rawValue: reader.value("challenge") ?? ""), hold: reader.value("hold") ?? 0.5,
          pause: reader.value("pause") ?? 0.3, path: reader.value("path"))
        try reader.end()
        return made
      })
  }
}

extension Challenge: JSONMemberValue {}
