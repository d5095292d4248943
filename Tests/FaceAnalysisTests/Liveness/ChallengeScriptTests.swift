import FaceAnalysis
import TestSupport
import Testing

@Suite("ChallengeScript: from a nonce to challenges")
struct ChallengeScriptTests {
  private func text(_ script: ChallengeScript) -> [String] {
    script.prompts.map { "\($0.challenge) \($0.hold) \($0.pause)" }
  }

  /// The expected scripts are from an implementation of the documented generator in Python, with its hashlib.
  @Test("a script equals that of the documented generator")
  func knownScripts() throws {
    let zeros = [UInt8](repeating: 0, count: 16)
    #expect(
      try text(ChallengeScript(nonce: zeros)) == ["turn-left 0.5 0.8", "smile 0.8 1.1", "look-up 1.0 0.5"])
    #expect(
      try text(ChallengeScript(nonce: Array(0..<16)))
        == ["smile 0.9 1.0", "turn-right 0.5 1.2", "tilt-left 0.7 1.0"])
    #expect(
      try text(ChallengeScript(nonce: [UInt8](repeating: 255, count: 64)))
        == ["tilt-left 1.0 0.6", "turn-left 0.8 0.4", "blink 0.0 0.4"])
    #expect(
      try text(ChallengeScript(nonce: Array(0..<32), count: 12, from: Challenge.allCases.dropLast()))
        == [
          "move-closer 0.6 1.1", "open-mouth 0.5 1.0", "look-up 0.5 0.9", "turn-left 0.8 1.0", "smile 0.5 0.3",
          "blink 0.0 1.1", "tilt-left 0.8 0.9", "tilt-right 1.0 0.3", "look-down 0.6 1.0", "turn-right 0.6 0.6",
          "hold-still 1.0 0.6", "move-back 0.6 0.7",
        ])
  }

  @Test("a script has a turn and a movement within the face, if they are allowed")
  func redrawn() throws {
    // The Python implementation draws 20 times and six times.
    let (both, blink) = ([UInt8](repeating: 26, count: 16), [UInt8](repeating: 12, count: 16))
    let withoutTurns: [Challenge] = [.blink, .lookUp, .lookDown, .tiltLeft, .tiltRight]
    #expect(try text(ChallengeScript(nonce: both, count: 2)) == ["turn-left 0.6 0.6", "smile 1.0 0.4"])
    #expect(
      try text(ChallengeScript(nonce: blink, count: 2, from: withoutTurns)) == ["blink 0.0 1.1", "tilt-right 0.6 1.2"])
    for i in 0..<1000 {
      let nonce = withUnsafeBytes(of: UInt64(i)) { Array($0) } + [UInt8](repeating: 9, count: 8)
      let challenges = try ChallengeScript(nonce: nonce).prompts.map(\.challenge)
      #expect(challenges.contains { $0.turnsHead } && challenges.contains { $0.movesFace })
      #expect(try ChallengeScript(nonce: nonce, count: 1).prompts[0].challenge.needsFace)
      let others = try ChallengeScript(nonce: nonce, count: 2, from: withoutTurns)
      #expect(others.prompts.contains { $0.challenge == .blink })
    }
    #expect(try ChallengeScript(nonce: both, count: 2, from: [.tiltLeft, .lookUp]).prompts.count == 2)
  }

  @Test("one nonce yields one script, for any order of the allowed challenges")
  func deterministic() throws {
    let nonce: [UInt8] = Array(100..<120)
    let script = try ChallengeScript(nonce: nonce, count: 4)
    #expect(try script == ChallengeScript(nonce: nonce, count: 4))
    let shuffled = Array(ChallengeScript.standardChallenges.reversed()) + [.blink]
    #expect(try script == ChallengeScript(nonce: nonce, count: 4, from: shuffled))
    #expect(Set(script.prompts.map(\.challenge)).count == 4)
  }

  @Test("challenges are as frequent as the required ones allow, and nonces rarely share a script")
  func distribution() throws {
    var first: [Challenge: Int] = [:]
    var scripts: Set<ChallengeScript> = []
    let nonces = (0..<4500).map { i in withUnsafeBytes(of: UInt64(i)) { Array($0) } + [UInt8](repeating: 7, count: 8) }
    for nonce in nonces {
      let script = try ChallengeScript(nonce: nonce)
      first[script.prompts[0].challenge, default: 0] += 1
      scripts.insert(script)
    }
    // Of 9 × 8 × 7 orders, 198 have both: 36 begin with each of two turns, 26 with each of three movements within the
    // face, 12 with each of the four others. Five standard deviations are at most 130.
    #expect(first.count == 9)
    for (challenge, count) in first {
      let share = (challenge.turnsHead ? 36 : challenge.movesFace ? 26 : 12) / 198.0
      #expect(abs(Double(count) - 4500 * share) < 130, "\(challenge)")
    }
    // With their times, some ten million scripts: few coincide.
    #expect(scripts.count > 4490)
  }

  @Test("impossible requests are rejected")
  func refused() throws {
    func isRefused(_ body: () throws -> Void) { #expect(throws: VerifyError(.badArgument, ""), performing: body) }
    let nonce = [UInt8](repeating: 1, count: 16)
    isRefused { _ = try ChallengeScript(nonce: Array(nonce.dropLast())) }
    isRefused { _ = try ChallengeScript(nonce: [UInt8](repeating: 1, count: 65)) }
    for count in [0, -1, 10, Int.max] {
      isRefused { _ = try ChallengeScript(nonce: nonce, count: count) }
    }
    isRefused { _ = try ChallengeScript(nonce: nonce, count: 1, from: []) }
    isRefused { _ = try ChallengeScript(nonce: nonce, from: [.blink, .init(rawValue: "jump")]) }
    isRefused { _ = try ChallengeScript(prompts: []) }
    isRefused { _ = try ChallengeScript.Prompt(.init(rawValue: "jump")) }
    for time in [-0.1, 5.1, .nan, .infinity] {
      isRefused { _ = try ChallengeScript.Prompt(.smile, hold: time) }
      isRefused { _ = try ChallengeScript.Prompt(.smile, pause: time) }
    }
    #expect(try ChallengeScript.Prompt(.blink, hold: 2).hold == 0)
  }
}
