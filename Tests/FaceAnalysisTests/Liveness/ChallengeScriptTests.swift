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
      try text(ChallengeScript(nonce: zeros)) == ["blink 0.0 0.4", "smile 0.7 0.5", "look-up 0.7 0.6"])
    #expect(
      try text(ChallengeScript(nonce: Array(0..<16))) == ["look-up 0.7 0.5", "blink 0.0 1.1", "smile 0.8 1.1"])
    #expect(
      try text(ChallengeScript(nonce: [UInt8](repeating: 255, count: 64)))
        == ["look-down 1.0 0.8", "turn-left 0.8 1.2", "blink 0.0 1.0"])
    #expect(
      try text(ChallengeScript(nonce: Array(0..<32), count: 12, from: Challenge.allCases.dropLast()))
        == [
          "blink 0.0 0.6", "hold-still 1.0 0.6", "tilt-right 1.0 0.7", "turn-right 0.9 0.4", "tilt-left 0.7 0.6",
          "look-down 0.5 0.7", "move-closer 1.0 1.0", "turn-left 0.6 0.6", "open-mouth 0.7 1.0",
          "move-back 0.8 1.0", "smile 0.7 1.0", "look-up 1.0 1.1",
        ])
  }

  @Test("a script that a moved picture could answer is drawn again, unless nothing else is allowed")
  func needsFace() throws {
    // The Python implementation draws four times.
    let nonce = [UInt8](repeating: 12, count: 16)
    #expect(try text(ChallengeScript(nonce: nonce, count: 2)) == ["turn-right 0.5 0.6", "tilt-right 0.8 0.5"])
    for i in 0..<1000 {
      let nonce = withUnsafeBytes(of: UInt64(i)) { Array($0) } + [UInt8](repeating: 9, count: 8)
      let script = try ChallengeScript(nonce: nonce, count: 2)
      #expect(script.prompts.contains { $0.challenge.needsFace })
    }
    #expect(try ChallengeScript(nonce: nonce, count: 2, from: [.tiltLeft, .lookUp]).prompts.count == 2)
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

  @Test("all challenges are equally frequent, and nonces rarely share a script")
  func distribution() throws {
    var first: [Challenge: Int] = [:]
    var scripts: Set<ChallengeScript> = []
    let nonces = (0..<4500).map { i in withUnsafeBytes(of: UInt64(i)) { Array($0) } + [UInt8](repeating: 7, count: 8) }
    for nonce in nonces {
      let script = try ChallengeScript(nonce: nonce)
      first[script.prompts[0].challenge, default: 0] += 1
      scripts.insert(script)
    }
    // 500 are expected for each of nine: five standard deviations are 105.
    #expect(first.count == 9 && first.values.allSatisfy { abs($0 - 500) < 105 })
    // Of 9 × 8 × 7 orders and their times, some hundred million, few coincide.
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
