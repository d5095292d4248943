/// The open requests of a server; each is answered once, before it expires.
///
/// Thread-safe. It has no clock: `now` is in seconds since 1970.
public final class LivenessRequestStore: Sendable {
  private let open = Lock([[UInt8]: LivenessRequest]())

  public init() {}

  /// Creates a request with a random nonce of 32 bytes.
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
    let nonce = randomBytes(32)
    let request = try LivenessRequest(nonce: nonce, count: count, from: allowed, expires: now + lifetime)
    open.withLock { open in
      open = open.filter { $0.value.expires > now }
      open[nonce] = request
    }
    return request
  }

  /// Takes the answer to a request, and closes the request whatever the result.
  ///
  /// - Throws: ``VerifyError/Code/wrongState`` if there is no such open request, if it has expired, or if the decision
  ///   is for another script.
  public func accept(_ decision: LivenessDecision, now: Double) throws {
    let request = open.withLock { $0.removeValue(forKey: decision.nonce) }
    guard let request else {
      throw VerifyError(.wrongState, "no open request has this nonce: it was never made, or is answered already")
    }
    guard now < request.expires else { throw VerifyError(.wrongState, "the answer is too late; create a new request") }
    guard decision.script == request.script else {
      throw VerifyError(.wrongState, "the decision is about another script than the nonce dictates")
    }
  }
}

/// A server's request for a session: a nonce, and the script derived from it.
public struct LivenessRequest: Sendable, Hashable {
  /// 16 to 64 bytes, for one-time use.
  public let nonce: [UInt8]
  public let script: ChallengeScript
  /// Seconds since 1970 at which the request expires.
  public let expires: Double

  /// Derives the script from the nonce: see ``ChallengeScript/init(nonce:count:from:)``.
  public init(
    nonce: [UInt8], count: Int = 3, from allowed: [Challenge] = ChallengeScript.standardChallenges, expires: Double
  ) throws {
    self.nonce = nonce
    script = try ChallengeScript(nonce: nonce, count: count, from: allowed)
    self.expires = expires
  }
}
