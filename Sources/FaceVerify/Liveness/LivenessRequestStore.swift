/// The requests that a server has made and that were not answered yet: each is answered once, and in time.
///
/// All threads may use it. It has no clock: `now` is in seconds since 1970.
public final class LivenessRequestStore: Sendable {
  private let open = Lock([[UInt8]: LivenessRequest]())

  public init() {}

  /// Makes a request with a new random nonce of 32 bytes.
  ///
  /// - Parameter lifetime: seconds, 10 to 900.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public func issue(
    count: Int = 3, from allowed: [Challenge] = ChallengeScript.standardChallenges, lifetime: Double = 300,
    now: Double
  ) throws -> LivenessRequest {
    guard (10...900).contains(lifetime) else {
      throw VerifyError(.badArgument, "a request lives for 10 to 900 seconds, not \(lifetime)")
    }
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    let request = try LivenessRequest(nonce: nonce, count: count, from: allowed, expires: now + lifetime)
    open.withLock { open in
      open = open.filter { $0.value.expires > now }
      open[nonce] = request
    }
    return request
  }

  /// Takes the answer to a request, which is then closed whatever comes of it.
  ///
  /// - Throws: ``VerifyError/Code/wrongState`` if there is no such request (any more), if it is too late, or if the
  ///   decision is about another script.
  public func accept(_ decision: LivenessDecision, now: Double) throws {
    let request = open.withLock { $0.removeValue(forKey: decision.nonce) }
    guard let request else {
      throw VerifyError(.wrongState, "no open request has this nonce: it was never made, or is answered already")
    }
    guard now < request.expires else {
      throw VerifyError(.wrongState, "the answer came too late; make a new request")
    }
    guard decision.script == request.script else {
      throw VerifyError(.wrongState, "the decision is about another script than the nonce dictates")
    }
  }
}

/// What a server asks of a session: a nonce, and what to draw the script from.
public struct LivenessRequest: Sendable, Hashable {
  /// 16 to 64 bytes that are used once.
  public let nonce: [UInt8]
  public let script: ChallengeScript
  /// Seconds since 1970 from which on the answer comes too late.
  public let expires: Double

  /// The script that the nonce dictates: see ``ChallengeScript/init(nonce:count:from:)``.
  public init(
    nonce: [UInt8], count: Int = 3, from allowed: [Challenge] = ChallengeScript.standardChallenges, expires: Double
  ) throws {
    self.nonce = nonce
    script = try ChallengeScript(nonce: nonce, count: count, from: allowed)
    self.expires = expires
  }
}
