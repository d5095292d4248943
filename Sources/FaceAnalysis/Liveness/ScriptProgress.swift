/// The progress of a script: the neutral pose, then one challenge after the other, each after its pause.
///
/// An answer counts only for the prompt it was given to. A movement at another time, or one that was not requested,
/// fails the script: a recording of another script's answers does not pass. Blinks are exempt, since people cannot
/// avoid them. A value type without a clock: times are those of the frames.
public struct ScriptProgress: Sendable {
  public enum Phase: String, Sendable, Codable {
    /// The person must face the camera and keep still.
    case settling
    /// The next challenge has not been requested yet.
    case pausing
    /// The challenge has been requested.
    case answering
    case passed
    case failed
  }

  /// The result of a challenge.
  public struct Answer: Sendable, Hashable {
    public enum Outcome: String, Sendable, Codable, CaseIterable {
      case passed
      /// The challenge was not met in time.
      case timeout
      /// The face did not follow the path: ``Answer/match``.
      case notFollowed = "not-followed"
      /// Another movement was made, or the right one before it was requested: ``Answer/movement``.
      case wrongMovement = "wrong-movement"
      /// The stream or the face was absent for too long.
      case interrupted
    }

    public let challenge: Challenge
    public let outcome: Outcome
    /// When it was requested and when it ended, on the stream's clock; `asked` is nil if it was never requested.
    public let asked: Double?
    public let ended: Double
    public let failedTries: Int
    /// The movement made instead.
    public let movement: Challenge?
    /// How well a path was followed; nil if the face was not always seen, and for other challenges.
    public let match: PathMatch?
  }

  public let script: ChallengeScript
  public private(set) var phase = Phase.settling
  /// The results of the completed challenges, in order.
  public private(set) var answers: [Answer] = []
  /// The challenge in progress.
  public private(set) var current: ChallengeProgress?
  public private(set) var neutral: NeutralPose?
  /// When the face was first seen.
  public private(set) var began: Double?

  private let timeout: Double
  private var search = NeutralPoseSearch()
  private var pauseBegan = 0.0
  private var asked: Double?
  private var last: Double?
  /// The minimum difference between the caller's and the frames' clock: an upper bound on the capture time of each
  /// frame.
  private var leastDelay = Double.infinity
  /// When the prompt could first reach the person.
  private var reached = -Double.infinity
  private var others: [ChallengeProgress] = []

  /// Seconds without a face or a frame after which the person's identity is uncertain.
  static let longestGap = 2.0

  /// - Parameter timeout: Seconds for each challenge, in ``ChallengeProgress/timeouts``.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(_ script: ChallengeScript, timeout: Double = 8) throws {
    try ChallengeProgress.check(timeout: timeout)
    self.script = script
    self.timeout = timeout
  }

  /// Whether it has passed or failed; further frames change nothing.
  public var isOver: Bool { phase == .passed || phase == .failed }
  /// The next or current prompt; nil when the script is over.
  public var prompt: ChallengeScript.Prompt? { isOver ? nil : script.prompts[answers.count] }
  /// 0 to 1 over the whole script.
  public var progress: Double {
    let passed = Double(answers.filter { $0.outcome == .passed }.count)
    return (passed + (current?.progress ?? 0)) / Double(script.prompts.count)
  }

  /// Processes the next frame: its motion, or nil if no face was found. Its time must be later than the last one's.
  ///
  /// - Parameter received: The arrival time on the caller's clock. If supplied, frames captured before a prompt was
  ///   shown are no answer to it: buffered or batched frames are captured some time before they arrive.
  public mutating func update(_ motion: FaceObservation?, at time: Double, received: Double? = nil) {
    guard !isOver else { return }
    if let received { leastDelay = min(leastDelay, received - time) }
    let gap = time - (last ?? time)
    if gap > Self.longestGap, phase != .settling { return end(.interrupted, at: time) }
    guard let motion else {
      search = NeutralPoseSearch()
      current?.wait(until: time)
      settle(at: time)
      last = last ?? time
      return
    }
    last = time
    began = began ?? time
    switch phase {
    case .settling:
      guard let pose = search.add(motion) else { return }
      neutral = pose
      pause(at: time)
    case .pausing:
      if let movement = otherMovement(motion) { return end(.wrongMovement, at: time, movement: movement) }
      if time - pauseBegan >= script.prompts[answers.count].pause {
        ask(at: time)
        reached = received.map { $0 - leastDelay } ?? time
      }
    case .answering where motion.time < reached:
      if let movement = otherMovement(motion) { end(.wrongMovement, at: time, movement: movement) }
    case .answering:
      answer(motion)
    case .passed, .failed: break
    }
  }

  private mutating func pause(at time: Double) {
    phase = .pausing
    pauseBegan = time
    others = []
  }

  private mutating func ask(at time: Double) {
    guard let neutral, let next = try? ChallengeProgress(script.prompts[answers.count], from: neutral, timeout: timeout)
    else { return }
    phase = .answering
    asked = time
    current = next
    current?.wait(until: time)
  }

  private mutating func answer(_ motion: FaceObservation) {
    current?.update(motion)
    settle(at: motion.time)
    guard let current else { return }
    if current.isUnderWay(motion) {
      others = []
    } else if let movement = otherMovement(motion) {
      end(.wrongMovement, at: motion.time, movement: movement)
    }
  }

  /// Ends the challenge if it is over.
  private mutating func settle(at time: Double) {
    guard let current, current.isOver else { return }
    end(current.phase == .passed ? .passed : current.prompt.path == nil ? .timeout : .notFollowed, at: time)
  }

  /// Returns a movement that is not requested now, made and held for at least the shortest hold of any script.
  private mutating func otherMovement(_ motion: FaceObservation) -> Challenge? {
    guard let neutral else { return nil }
    if others.isEmpty {
      others = Self.deliberate.filter { $0 != current?.prompt.challenge }.compactMap { challenge in
        (try? ChallengeScript.Prompt(challenge, hold: ChallengeScript.shortestHold)).flatMap {
          try? ChallengeProgress($0, from: neutral, timeout: ChallengeProgress.timeouts.upperBound)
        }
      }
    }
    for i in others.indices {
      others[i].update(motion)
      if others[i].phase == .returning { return others[i].prompt.challenge }
    }
    return nil
  }

  /// Movements that are not made and held by accident.
  private static let deliberate = ChallengeScript.standardChallenges.filter { $0 != .blink }

  private mutating func end(_ outcome: Answer.Outcome, at time: Double, movement: Challenge? = nil) {
    answers.append(
      Answer(
        challenge: script.prompts[answers.count].challenge, outcome: outcome, asked: asked, ended: time,
        failedTries: current?.failedTries ?? 0, movement: movement, match: current?.match))
    current = nil
    asked = nil
    guard outcome == .passed else {
      phase = .failed
      return
    }
    if answers.count == script.prompts.count { phase = .passed } else { pause(at: time) }
  }
}

extension ScriptProgress.Answer: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "challenge": .string(challenge.rawValue), "outcome": .string(outcome.rawValue), "asked": .rounded(asked, 3),
      "ended": .rounded(ended, 3), "failedTries": .integer(failedTries), "movement": .optional(movement?.rawValue),
      "match": match?.jsonValue ?? .null,
    ]
  }
}
