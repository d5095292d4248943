/// How signals make a decision. There is no overall score: the decision lists every check.
///
/// 1. If a ``fatal`` check failed, it is a presentation attack.
/// 2. If the failed checks' ``weights`` sum up to ``limit``, it is a presentation attack.
/// 3. If a ``required`` check did not pass, frames came late (a network may have stalled), or the face was lit by other
///    colours than the screen showed, it could not be told.
/// 4. Otherwise the person is live.
public struct LivenessPolicy: Sendable, Hashable {
  public var name: String
  /// Must have passed. Never empty: nothing checked is never live.
  public private(set) var required: Set<LivenessSignal>
  /// One of these that failed is enough.
  public private(set) var fatal: Set<LivenessSignal>
  /// The weights of signals that live people fail now and then: the logarithm (base 10) of how much more often attacks
  /// fail them.
  public private(set) var weights: [LivenessSignal: Double]
  /// The sum of weights from which on it is an attack.
  public private(set) var limit: Double

  /// - Throws: ``VerifyError/Code/badArgument`` if nothing is required, or a weight or the limit is not positive.
  public init(
    name: String, required: Set<LivenessSignal>, fatal: Set<LivenessSignal>, weights: [LivenessSignal: Double] = [:],
    limit: Double = 2
  ) throws {
    guard !required.isEmpty, limit > 0, weights.values.allSatisfy({ $0 > 0 }) else {
      throw VerifyError(.badArgument, "a liveness policy requires a signal, and its weights and limit are positive")
    }
    self.init(name, required, fatal, weights, limit)
  }

  /// How many attacks of one species a policy took for living people when it was measured.
  public struct Measured: Sendable, Hashable {
    public let species: String
    /// Made by a program, never before a camera: it tells less than a real attack.
    public let isSimulated: Bool
    public let accepted: Int
    public let of: Int
  }

  /// What is known of how this policy does; empty for a policy of your own. docs/liveness-signals.md has the bounds.
  public var measured: [Measured] { Self.all.contains(self) ? policyMeasurements[name] ?? [] : [] }

  private init(
    _ name: String, _ required: Set<LivenessSignal>, _ fatal: Set<LivenessSignal>,
    _ weights: [LivenessSignal: Double], _ limit: Double
  ) {
    self.name = name
    self.required = required
    self.fatal = fatal
    self.weights = weights
    self.limit = limit
  }

  private static let streamFaults: Set<LivenessSignal> = [
    .frameRepetition, .frameOrder, .frameClock, .cameraDevice, .arrivalRate,
  ]
  /// Live clips stay far from these limits: docs/liveness-signals.md.
  private static let attackTraces: Set<LivenessSignal> = [
    .identityContinuity, .portraitIdentity, .planarity, .texture, .moire,
  ]

  /// A script was answered, by one person, with nothing against it.
  public static let standard = LivenessPolicy(
    "standard", [.challengeCompliance, .observationTime, .identityContinuity, .singleFace, .texture],
    streamFaults.union(attackTraces), suspicions, 2)

  /// As standard, and everything that can be checked must have been: a turned head, a camera that is known, no doubt.
  public static let strict = LivenessPolicy(
    "strict",
    [
      .challengeCompliance, .observationTime, .identityContinuity, .singleFace, .texture, .planarity, .facialMotion,
      .sensorNoise,
    ],
    streamFaults.union(attackTraces).union([.frameSize]), suspicions, 1)

  /// Nobody was asked for anything: whoever replays a good enough video passes. For recordings, and beside other checks.
  /// With nothing that speaks for the person, half a suspicion is enough against them.
  public static let passiveOnly = LivenessPolicy(
    "passive-only", [.observationTime, .identityContinuity, .singleFace, .texture],
    streamFaults.union(attackTraces), suspicions, 0.5)

  /// One photo, or as few frames as there are: the texture and nothing else. Whoever makes a good print or has a good
  /// screen passes.
  public static let photo = LivenessPolicy("photo", [.texture], [.texture], [:], 2)

  public static let all: [LivenessPolicy] = [.standard, .strict, .passiveOnly, .photo]

  /// None of 25 live clips failed any of these: (0 + ½) / (25 + 1) is taken as the share of live people who do, against
  /// the shares of attacks in docs/liveness-signals.md (2026-11). That would be 1 to 1.7 where a signal was measured on
  /// simulated attacks, which are no more than a sign: 1. What was measured on hardly anybody weighs half of that or less.
  private static let suspicions: [LivenessSignal: Double] = [
    .facialMotion: 1, .sensorNoise: 1, .frameSize: 1, .colourGamut: 1, .mediumEdge: 0.5, .colourResponse: 0.5,
    .specularPlane: 0.5, .refreshBands: 0.3,
  ]

  /// The rule; a signal that is not in `statuses` was not checked.
  package func result(of statuses: [LivenessSignal: CheckStatus]) -> LivenessDecision.Result {
    let failed = Set(statuses.filter { $0.value == .failed }.keys)
    if !failed.isDisjoint(with: fatal) { return .presentationAttack }
    // In the order of the signals: a sum must not depend on that of a set.
    if LivenessSignal.allCases.filter(failed.contains).compactMap({ weights[$0] }).reduce(0, +) >= limit {
      return .presentationAttack
    }
    let isDoubtful = statuses[.arrivalDelay] == .failed || statuses[.colourResponse] == .failed
    return !isDoubtful && required.allSatisfy { statuses[$0] == .passed } ? .live : .undecided
  }
}
