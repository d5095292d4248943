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
